import { expect, test } from '@jest/globals';
import { sweep } from '../../functions/sweep/app.ts';
import { minuteMs, useDelivery } from '../support/delivery.ts';
import { brokenConnection } from '../support/faults.ts';
import { writeExpense } from '../support/records.ts';
import type { World } from '../support/world.ts';

type Counted = (world: Pick<World, 'log'>, source: string, run: () => Promise<unknown>) => Promise<Record<string, number[]>>;

/** Tests of what the lines of fan-out, deliver and sweep count. They are part of the tests of all metrics. */
export const deliveryMetrics = (counted: Counted): void => {
  const t = useDelivery();
  const work = () => counted(t.world, 'deliver', () => t.pipeline.drain());

  test('a delivered event counts an attempt, its latency and its lag since the change', async () => {
    await t.publish();
    t.world.clock.advance(1_500);
    expect(await work()).toEqual({
      'Attempts/delivered': [1],
      AttemptLatency: [expect.any(Number)],
      LadderDepth: [0],
      FirstAttemptLag: [1_500],
    });
  });

  test('a failure counts its reason, and a retry its depth but no lag', async () => {
    t.hook.respondWith(500);
    await t.publish();
    expect(await work()).toMatchObject({ 'Attempts/pending': [1], 'AttemptErrors/http_error': [1], FirstAttemptLag: [0] });
    t.hook.respondWith(302);
    t.world.clock.advance(5 * minuteMs);
    const second = {
      'Attempts/pending': [1],
      'AttemptErrors/redirect_not_followed': [1],
      AttemptLatency: [expect.any(Number)],
      LadderDepth: [1],
    };
    expect(await work()).toEqual(second);
  });

  test('a cut connection counts no latency, and the last failure counts as failed', async () => {
    t.hook.respondWith('cut');
    await t.publish();
    expect(await work()).toEqual({ 'Attempts/pending': [1], 'AttemptErrors/no_response': [1], LadderDepth: [0], FirstAttemptLag: [0] });
    await t.attempts(4);
    t.world.clock.advance(1440 * minuteMs);
    expect(await work()).toEqual({ 'Attempts/failed': [1], 'AttemptErrors/no_response': [1], LadderDepth: [4] });
  });

  test('a URL that is no longer allowed counts as a separate reason', async () => {
    await t.publish();
    t.pipeline.gate((step, run) =>
      step === 'sender' ? Promise.resolve({ success: false, statusCode: null, responseTimeMs: null, error: 'invalid_url' }) : run(),
    );
    expect(await work()).toMatchObject({ 'AttemptErrors/invalid_url': [1] });
  });

  test('an attempt that outlived its lease counts as superseded', async () => {
    await t.publish();
    const messages = t.pipeline.receive();
    t.hook.respondWith(async (count) => {
      if (count === 1) {
        t.world.clock.advance(91_000);
        await t.pipeline.deliver(messages);
      }
      return 200;
    });
    expect(await counted(t.world, 'deliver', () => t.pipeline.deliver(messages))).toMatchObject({
      'Attempts/delivered': [1],
      'Attempts/superseded': [1],
    });
  });

  test('ten failures in a row count one disabled endpoint, and pending deliveries count as abandoned', async () => {
    t.hook.respondWith(500);
    await t.publish(12);
    expect(await work()).toMatchObject({ EndpointsDisabled: [1], DeliveriesAbandoned: [2] });
  });

  test('a delivery that cannot be stored counts as returned work', async () => {
    await t.publish();
    const messages = t.pipeline.receive();
    t.world.wire.intercept(() => Promise.reject(brokenConnection()));
    expect(await counted(t.world, 'deliver', () => t.pipeline.deliver(messages))).toEqual({ 'WorkRetried/deliver': [1] });
  });

  test('an unreadable message counts nothing: the queue repeats it until it is a dead letter', async () => {
    const message = { id: 'm', body: '{}', groupId: t.account.id, visibleMs: 0 };
    expect(await counted(t.world, 'deliver', () => t.pipeline.deliver([message]))).toEqual({});
    await t.pipeline.clear();
  });

  test('a sweep counts the deliveries that it requeued', async () => {
    // Removes what earlier tests left.
    t.world.clock.advance(1440 * minuteMs);
    await t.pipeline.sweep();
    await t.publish(3);
    t.pipeline.receive();
    // Passes their messages again.
    for (const { account, endpoint, id: event, run, attempts: attempt } of await t.records())
      await t.world.store.deliveries.makeDueAt({ account, endpoint, event, run, attempt }, t.world.clock.now());
    t.world.clock.advance(10 * minuteMs);
    expect(await counted(t.world, 'sweep', () => t.pipeline.sweep())).toEqual({ DeliveriesRequeued: [3] });
    expect(await counted(t.world, 'sweep', () => t.pipeline.sweep())).toEqual({});
  });

  test('a sweep counts a public address that leads elsewhere', async () => {
    const services = { ...t.world.services, queue: t.pipeline.queue, startAction: async () => {}, publicUrl: 'http://127.0.0.1:9' };
    expect(await counted(t.world, 'sweep', sweep(services))).toEqual({ Unreachable: [1] });
  });

  test('fan-out counts the age of its oldest change', async () => {
    await writeExpense(t.world, t.account.id);
    t.world.clock.advance(700);
    await writeExpense(t.world, t.account.id);
    const records = await t.pipeline.changes();
    t.world.clock.advance(300);
    expect(await counted(t.world, 'fan-out', () => t.pipeline.fanOut(records))).toEqual({ FanOutLag: [1_000] });
  });

  test('a heartbeat counts as nothing', async () => {
    await t.pipeline.sweep();
    const records = await t.pipeline.changes();
    expect(await counted(t.world, 'fan-out', () => t.pipeline.fanOut(records))).toEqual({});
  });

  test('an unreadable change counts as a parked record without a lag', async () => {
    await writeExpense(t.world, t.account.id);
    const records = (await t.pipeline.changes()).map(({ dynamodb: { NewImage, ...dynamodb } = {}, ...rest }) => ({ ...rest, dynamodb }));
    expect(await counted(t.world, 'fan-out', () => t.pipeline.fanOut(records))).toEqual({ RecordsParked: [1] });
  });

  test('a change that is read again counts as returned work', async () => {
    await writeExpense(t.world, t.account.id);
    const records = await t.pipeline.changes();
    t.world.wire.intercept(() => Promise.reject(brokenConnection()));
    expect(await counted(t.world, 'fan-out', () => t.pipeline.fanOut(records))).toEqual({ 'WorkRetried/fan-out': [1] });
  });
};
