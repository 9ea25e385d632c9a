import { describe, expect, test } from '@jest/globals';
import { minuteMs, until, useDelivery } from '../support/delivery.ts';

// Guarantee 18 (docs/guarantees.md)

const t = useDelivery();

const receiveOne = () => {
  const [message, ...others] = t.pipeline.receive();
  if (!message || others.length > 0) throw new Error('Not one message.');
  return message;
};
/** The same message, with the id of another receive. */
const twin = <Message extends { id: string }>(message: Message): Message => ({ ...message, id: `${message.id}-twin` });

describe('the same queue message', () => {
  test.each([200, 500])('the same queue message twice in one batch leads to one request and one attempt (%i)', async (status) => {
    t.hook.respondWith(status);
    await t.publish();
    const message = receiveOne();
    await t.pipeline.deliver([message, twin(message)]);
    await t.pipeline.drain();
    expect(t.hook.requests).toHaveLength(1);
    expect((await t.record()).attempts).toBe(status === 200 ? 0 : 1);
  });

  test.each([200, 500])(
    'the same queue message in several simultaneous invocations leads to one attempt and one count (%i)',
    async (status) => {
      t.hook.respondWith(status);
      await t.publish();
      const message = receiveOne();
      await Promise.all([1, 2, 3, 4].map((copy) => t.pipeline.deliver([{ ...message, id: `copy-${copy}` }])));
      await t.pipeline.drain();
      expect((await t.record()).attempts).toBe(status === 200 ? 0 : 1);
      const { success_count, failure_count } = await t.endpointNow();
      expect([success_count, failure_count]).toEqual(status === 200 ? [1, 0] : [0, 1]);
    },
  );

  test('a message that arrives during its attempt may repeat the request; the first outcome is stored', async () => {
    const doors = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
    t.hook.respondWith((count) => doors[count - 1]?.promise ?? Promise.resolve(200));
    await t.publish();
    const message = receiveOne();
    const invocations = [message, twin(message)].map((received) => t.pipeline.deliver([received]));
    await until(() => t.hook.requests.length === 2);
    doors[1]?.resolve(200);
    await invocations[1];
    doors[0]?.resolve(500);
    expect(await Promise.all(invocations)).toEqual(Array(2).fill({ batchItemFailures: [] }));
    expect(new Set(t.hook.requests.map(({ body }) => body.toString())).size).toBe(1);
    expect(await t.record()).toMatchObject({ status: 'delivered', attempts: 0 });
    expect(await t.endpointNow()).toMatchObject({ success_count: 1, failure_count: 0, slots: Array(5).fill(null) });
  });

  test("the same queue message after the delivery's end changes neither record nor statistics", async () => {
    await t.publish();
    const message = receiveOne();
    await t.pipeline.deliver([message]);
    const before = [await t.record(), await t.endpointNow()];
    t.world.clock.advance(minuteMs);
    await t.pipeline.deliver([message]);
    expect([await t.record(), await t.endpointNow()]).toEqual(before);
    expect(t.hook.requests).toHaveLength(1);
  });

  test('the same queue message after a failed attempt does not bring the next attempt forward', async () => {
    t.hook.respondWith(500);
    await t.publish();
    const message = receiveOne();
    await t.pipeline.deliver([message]);
    t.world.clock.advance(minuteMs);
    await t.pipeline.deliver([message]);
    t.world.clock.advance(4 * minuteMs - 1);
    await t.pipeline.drain();
    expect(t.hook.requests).toHaveLength(1);
    t.world.clock.advance(1);
    await t.pipeline.drain();
    expect(t.hook.requests).toHaveLength(2);
    expect((await t.record()).attempts).toBe(2);
  });

  test('the same queue message later in the retry schedule makes no second schedule', async () => {
    t.hook.respondWith(500);
    await t.publish();
    await t.pipeline.drain();
    t.world.clock.advance(5 * minuteMs);
    const second = receiveOne();
    await t.pipeline.deliver([second]);
    await t.pipeline.deliver([second]);
    expect([t.pipeline.schedules.size, t.pipeline.waiting.length]).toEqual([1, 0]);
  });
});

describe('a redelivery', () => {
  const redeliver = async () => {
    const record = await t.record();
    return t.world.store.deliveries.restart(record, t.world.clock.now());
  };
  const messageOf = (ref: Awaited<ReturnType<typeof redeliver>>) => ({
    id: `run-${ref.run}`,
    groupId: ref.account,
    body: JSON.stringify({ v: 1, ...ref }),
    visibleMs: 0,
  });

  test('a redelivery starts a new run of the retry schedule with attempts from 0 and the same bytes', async () => {
    await t.publish();
    await t.pipeline.drain();
    const ref = await redeliver();
    expect(ref).toMatchObject({ run: 2, attempt: 0 });
    expect(await t.record()).toMatchObject({ status: 'pending', attempts: 0, delivered_at: null, failed_at: null, next_retry_at: null });
    await t.pipeline.deliver([messageOf(ref)]);
    expect(t.hook.requests.map(({ body }) => body.toString())).toEqual(Array(2).fill(t.hook.requests[0]?.body.toString()));
    expect(await t.record()).toMatchObject({ status: 'delivered', attempts: 0, run: 2 });
  });

  test('a redelivery makes the messages of the previous run stale', async () => {
    t.hook.respondWith(500);
    await t.publish();
    await t.pipeline.drain();
    const ref = await redeliver();
    t.world.clock.advance(5 * minuteMs);
    await t.pipeline.drain();
    expect(t.hook.requests).toHaveLength(1);
    expect(await t.record()).toMatchObject({ status: 'pending', attempts: 0, run: 2 });
    await t.pipeline.deliver([messageOf(ref)]);
    expect(await t.record()).toMatchObject({ attempts: 1, run: 2 });
  });

  test('a redelivery of a failed delivery has all five attempts again', async () => {
    t.hook.respondWith(500);
    await t.publish();
    await t.attempts();
    await t.pipeline.deliver([messageOf(await redeliver())]);
    await t.attempts(4);
    expect(t.hook.requests).toHaveLength(9);
    expect(await t.record()).toMatchObject({ status: 'pending', attempts: 4, run: 2, last_error: 'http_error' });
  });
});
