import { describe, expect, jest, test } from '@jest/globals';
import { until, useDelivery } from '../support/delivery.ts';
import { createEndpoint, endpointNow, takeSlots } from '../support/records.ts';

// Guarantee 6 (docs/guarantees.md)

const t = useDelivery();

/** The receiver holds its responses until `open` is called. */
const holdResponses = (status = 200) => {
  const door = Promise.withResolvers<void>();
  t.hook.respondWith(async () => {
    await door.promise;
    return status;
  });
  return () => door.resolve();
};
const bouncesOf = () => t.pipeline.waiting.map(({ body, delaySeconds }) => ({ ...JSON.parse(body), delaySeconds }));

describe('the slots of an endpoint', () => {
  test('at most five attempts per endpoint run in one invocation', async () => {
    const open = holdResponses();
    await t.publish(10);
    const running = t.pipeline.deliver(t.pipeline.receive());
    await until(() => t.hook.inFlight() === 5);
    open();
    await running;
    expect(t.hook.requests).toHaveLength(10);
  });

  test('at most five attempts per endpoint run across invocations; other messages return with a short delay', async () => {
    const open = holdResponses();
    await t.publish(13);
    const running = t.pipeline.deliver(t.pipeline.receive(5));
    await until(() => t.hook.inFlight() === 5);
    expect(await t.pipeline.deliver(t.pipeline.receive(8))).toEqual({ batchItemFailures: [] });
    expect(t.hook.requests).toHaveLength(5);
    expect(bouncesOf()).toHaveLength(8);
    for (const bounced of bouncesOf()) expect(bounced).toMatchObject({ attempt: 0, bounces: 1, delaySeconds: 1 });
    expect((await t.records()).every(({ attempts, status }) => attempts === 0 && status === 'pending')).toBe(true);
    open();
    await running;
    t.world.clock.advance(1000);
    await t.pipeline.drain();
    expect(t.hook.requests).toHaveLength(13);
  });

  test('each return of a message without a slot has a longer delay, up to 30 s', async () => {
    // An attempt does not wait for a slot that has just failed.
    const failing = await createEndpoint(t.world, t.account.id, t.receiver.hook().url, { consecutive_failures: 1 });
    const busy = await endpointNow(t.world, failing);
    expect((await takeSlots(t.world, busy, 5)).slots).toHaveLength(5);
    const delaysAfter = async (bounces: number) => {
      await t.pipeline.clear();
      const bodyOf = (i: number) =>
        JSON.stringify({ v: 1, account: t.account.id, endpoint: failing.id, event: `evt_${i}`, run: 1, attempt: 0, bounces });
      await t.pipeline.deliver(
        Array.from({ length: 10 }, (_, i) => ({ id: `${i}`, groupId: t.account.id, body: bodyOf(i), visibleMs: 0 })),
      );
      expect(bouncesOf().every((bounced) => bounced.bounces === bounces + 1)).toBe(true);
      return bouncesOf().map(({ delaySeconds }) => Number(delaySeconds));
    };
    expect(await delaysAfter(0)).toEqual(Array(10).fill(1));
    const fourth = await delaysAfter(3);
    expect([fourth.length, Math.min(...fourth) >= 1, Math.max(...fourth) <= 8]).toEqual([10, true, true]);
    const late = await delaysAfter(60);
    expect([late.length, Math.min(...late) >= 1, Math.max(...late) <= 30, Math.max(...late) > 8]).toEqual([10, true, true, true]);
  });

  test('other endpoints of the account are served while one has five attempts', async () => {
    const open = holdResponses();
    await t.publish(5);
    const running = t.pipeline.deliver(t.pipeline.receive());
    await until(() => t.hook.inFlight() === 5);
    const other = t.receiver.hook();
    await createEndpoint(t.world, t.account.id, other.url);
    await t.publish();
    await t.pipeline.deliver(t.pipeline.receive());
    expect(other.requests).toHaveLength(1);
    open();
    await running;
  });

  test('an endpoint has fewer slots if fewer failures are left before it is disabled', async () => {
    const hook = t.receiver.hook();
    const failing = await createEndpoint(t.world, t.account.id, hook.url, { consecutive_failures: 8 });
    const door = Promise.withResolvers<number>();
    hook.respondWith(() => door.promise);
    await t.publish(4);
    const running = t.pipeline.drain();
    await until(() => hook.inFlight() === 2);
    door.resolve(500);
    await running;
    expect(hook.requests).toHaveLength(2);
    expect((await endpointNow(t.world, failing)).enabled).toBe(false);
  });
});

test('an invocation that has run for 25 s starts no further attempt, and returns the other messages', async () => {
  const open = holdResponses();
  await t.publish(8);
  const running = t.pipeline.deliver(t.pipeline.receive());
  await until(() => t.hook.inFlight() === 5);
  t.world.clock.advance(25_001);
  open();
  expect(await running).toEqual({ batchItemFailures: [] });
  expect(t.hook.requests).toHaveLength(5);
  expect(bouncesOf()).toHaveLength(3);
});

describe('a slot', () => {
  test('a slot of an invocation that died is free when its lease of 90 s ends', async () => {
    await t.publish(5);
    const sending = Promise.withResolvers<void>();
    let lost = 0;
    t.pipeline.gate((step, run) => {
      if (step !== 'sender') return run();
      if (++lost === 5) sending.resolve();
      return new Promise(() => {});
    });
    void t.pipeline.deliver(t.pipeline.receive());
    await sending.promise;
    t.pipeline.gate(undefined);
    await t.publish();
    // An attempt waits for a free slot for up to two seconds.
    t.world.clock.advance(87_999);
    await t.pipeline.deliver(t.pipeline.receive());
    expect(t.hook.requests).toHaveLength(0);
    t.world.clock.advance(30_000);
    await t.pipeline.drain();
    expect(t.hook.requests).toHaveLength(1);
    expect((await t.endpointNow()).slots.filter((lease) => lease === null)).toHaveLength(1);
  });

  test('a slot of a responsive endpoint is awaited briefly, so that a burst does not return to the queue', async () => {
    const open = holdResponses();
    await t.publish(8);
    const first = t.pipeline.deliver(t.pipeline.receive(5));
    await until(() => t.hook.inFlight() === 5);
    // It sleeps between its reads: first while no slot is free, then until all are.
    const sleeping = jest.spyOn(t.world.clock, 'sleep').mockImplementationOnce(async () => {});
    sleeping.mockImplementationOnce(async () => {
      open();
      await first;
    });
    await t.pipeline.deliver(t.pipeline.receive(3));
    sleeping.mockRestore();
    expect([t.hook.requests.length, bouncesOf()]).toEqual([8, []]);
  });

  test('a slot permits one failure and any number of successes', async () => {
    await t.publish(10);
    t.world.wire.reset();
    await t.pipeline.deliver(t.pipeline.receive());
    const writes = t.world.wire.calls.filter(
      ({ input }) => String((input['Key'] as any)?.pk).startsWith('whe#') && input['UpdateExpression'],
    );
    expect(writes).toHaveLength(2);
    expect(await t.endpointNow()).toMatchObject({ success_count: 10, slots: [null, null, null, null, null] });
  });
});
