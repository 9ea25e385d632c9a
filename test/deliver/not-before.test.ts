import { expect, test } from '@jest/globals';
import { encodeMessage } from '../../shared/webhooks/message.ts';
import { minuteMs, useDelivery } from '../support/delivery.ts';

// Guarantee 7 (docs/guarantees.md)

const t = useDelivery();

/** Restarts the endpoint's only delivery, and queues it for a time. Returns the messages. */
const redeliverAt = async (notBeforeMs: number) => {
  await t.publish();
  await t.pipeline.drain();
  const record = await t.record();
  const attempt = await t.world.store.deliveries.restart(record, notBeforeMs);
  const body = encodeMessage({ ...attempt, notBeforeMs });
  await t.pipeline.queue.send([{ groupId: t.account.id, body }]);
  return { body, attemptMessage: encodeMessage(attempt) };
};

test('deliver puts a message that arrives before its time into a schedule, which sends it once at that time', async () => {
  const notBeforeMs = t.world.clock.now() + minuteMs;
  const { body, attemptMessage } = await redeliverAt(notBeforeMs);
  await t.pipeline.queue.send([{ groupId: t.account.id, body }]);
  await t.pipeline.drain();
  expect([...t.pipeline.schedules.values()]).toEqual([
    { name: expect.stringMatching(/^[0-9a-f]{48}$/), atMs: notBeforeMs, groupId: t.account.id, body: attemptMessage },
  ]);
  expect([t.hook.requests.length, (await t.endpointNow()).slots]).toEqual([1, Array(5).fill(null)]);
  t.world.clock.advance(minuteMs - 1);
  await t.pipeline.drain();
  expect(t.hook.requests).toHaveLength(1);
  t.world.clock.advance(1);
  await t.pipeline.drain();
  expect(t.hook.requests).toHaveLength(2);
  expect(await t.record()).toMatchObject({ status: 'delivered', run: 2 });
});

test('a message that comes at its time or later is delivered without a schedule', async () => {
  await redeliverAt(t.world.clock.now());
  await t.pipeline.drain();
  expect([t.hook.requests.length, t.pipeline.schedules.size]).toEqual([2, 0]);
});

test('the retry of an attempt that waited in a schedule follows the usual wait', async () => {
  await redeliverAt(t.world.clock.now() + minuteMs);
  await t.pipeline.drain();
  t.hook.respondWith(500);
  t.world.clock.advance(minuteMs);
  await t.pipeline.drain();
  expect(await t.record()).toMatchObject({ status: 'pending', run: 2, attempts: 1 });
  expect([t.pipeline.schedules.size, t.pipeline.waiting.map(({ body }) => JSON.parse(body).notBeforeMs)]).toEqual([0, [undefined]]);
});
