import { expect, test } from '@jest/globals';

import type { DeliveryAttempt } from '../../shared/domain/webhook.ts';

import { encodeMessage } from '../../shared/webhooks/message.ts';
import { minuteMs, useDelivery } from '../support/delivery.ts';
import type { WireCall } from '../support/wire.ts';

const t = useDelivery();

const waitsMs = [5, 30, 120, 1440].map((minutes) => minutes * minuteMs);

const attemptsNow = async (): Promise<readonly DeliveryAttempt[]> => {
  const { id } = await t.record();
  const inspected = await t.world.store.deliveries.inspect(t.account.id, t.endpoint.id, id);
  return inspected?.attempts ?? [];
};

/** The whole ladder, with the wait in front of each attempt but the first. */
const climb = async (): Promise<void> => {
  await t.publish();
  await t.pipeline.drain();
  for (const waitMs of waitsMs) {
    t.world.clock.advance(waitMs);
    await t.pipeline.drain();
  }
};

test('the record remembers the attempts of its run: number, moment, status code, error, duration', async () => {
  t.hook.answer(503);
  const startMs = t.world.clock.now();
  t.pipeline.gate(async (step, run) => {
    if (step === 'sender') t.world.clock.advance(40);
    return await run();
  });
  await climb();
  const after = (waited: number, attempt: number) => new Date(startMs + waited + attempt * 40).toISOString();
  let waited = 0;
  expect(await attemptsNow()).toEqual(
    [0, ...waitsMs].map((waitMs, i) => {
      waited += waitMs;
      return { attempt: i + 1, at: after(waited, i + 1), status_code: 503, error: 'http_error', duration_ms: 40 };
    }),
  );
});

test('a success ends the history', async () => {
  t.hook.answer(500);
  await t.publish();
  await t.pipeline.drain();
  t.hook.answer(204);
  t.world.clock.advance(5 * minuteMs);
  await t.pipeline.drain();
  expect(await attemptsNow()).toMatchObject([
    { attempt: 1, status_code: 500, error: 'http_error' },
    { attempt: 2, status_code: 204, error: null },
  ]);
});

test('a new run begins a new history, so that no record grows with its redeliveries', async () => {
  t.hook.answer(500);
  await climb();
  const { id } = await t.record();
  const record = await t.world.store.deliveries.get(t.account.id, t.endpoint.id, id);
  if (!record) throw new Error('The record is gone.');
  const ref = await t.world.store.deliveries.restart(record, t.world.clock.now());
  expect(await attemptsNow()).toEqual([]);
  await t.pipeline.queue.send([{ groupId: t.account.id, body: encodeMessage(ref) }]);
  await t.pipeline.drain();
  expect(await attemptsNow()).toMatchObject([{ attempt: 1, status_code: 500 }]);
});

test('neither the REST API nor any index holds the attempts', async () => {
  t.hook.answer(500);
  await t.publish();
  await t.pipeline.drain();
  const key = await t.world.createKey(t.account.id);
  const { body } = await t.world.request('GET', `/webhooks/${t.endpoint.id}/events`, { key });
  expect(Object.keys(body.data[0])).toEqual([
    'id',
    'type',
    'status',
    'attempts',
    'last_status_code',
    'last_error',
    'next_retry_at',
    'last_attempt_at',
    'delivered_at',
    'failed_at',
    'created_at',
  ]);
  expect(body.data[0].attempts).toBe(1);
  expect(await t.record()).not.toHaveProperty('history');
});

test('the end of the fifth attempt writes as much as the end of the first', async () => {
  t.hook.answer(500);
  const endsOf = (calls: readonly WireCall[]) =>
    calls.filter(({ input }) => /list_append/.test(String(input['UpdateExpression']))).map(({ capacityUnits }) => capacityUnits);
  t.world.wire.reset();
  await climb();
  const [first, ...others] = endsOf(t.world.wire.calls);
  expect(others).toHaveLength(4);
  expect(Math.max(...others)).toBeLessThanOrEqual(first ?? 0);
});
