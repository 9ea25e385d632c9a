import { describe, expect, test } from '@jest/globals';
import { minuteMs, useDelivery } from '../support/delivery.ts';
import { rejectWith } from '../support/faults.ts';
import { type Step, visibilityTimeoutMs } from '../support/pipeline.ts';
import { createEndpoint, recordsOf } from '../support/records.ts';
import type { WireCall } from '../support/wire.ts';

// Guarantee 5 (docs/guarantees.md)

const t = useDelivery();

type Match = (call: WireCall) => boolean;
const partitionOf = ({ input }: WireCall): string => (input['Key'] as { pk?: string } | undefined)?.pk ?? '';
const rejectCalls = (match: Match, name: string, times = Number.POSITIVE_INFINITY) => {
  let rejected = 0;
  t.world.wire.intercept(async (call, send) =>
    match(call) && ++rejected <= times ? rejectWith(name, {}, name === 'InternalServerError' ? 500 : 400) : send(),
  );
};
const breakStep = (broken: Step) =>
  t.pipeline.gate((step, run) => (step === broken ? Promise.reject(new Error(`${step} is out of order`)) : run()));
const mend = () => {
  t.world.wire.intercept(undefined);
  t.pipeline.gate(undefined);
};
const deliverOnce = () => t.pipeline.deliver(t.pipeline.receive());

describe('a next attempt that cannot be arranged', () => {
  test.each<[Step, number]>([
    ['queue', 0],
    ['scheduler', 1],
  ])('a next attempt that the %s rejects is arranged when the message returns, for its original time', async (step, attempt) => {
    t.hook.respondWith(500);
    await t.publish();
    const schedule = [5, 30].map((minutes) => minutes * minuteMs);
    for (const waitMs of schedule.slice(0, attempt)) {
      await t.pipeline.drain();
      t.world.clock.advance(waitMs);
    }
    breakStep(step);
    expect((await deliverOnce()).batchItemFailures).toHaveLength(1);
    mend();
    const { next_retry_at } = await t.record();
    expect(next_retry_at).toBe(t.isoAfter(schedule[attempt] ?? 0));
    t.world.clock.advance(visibilityTimeoutMs);
    await t.pipeline.drain();
    t.world.clock.advance(Math.max(0, Date.parse(next_retry_at ?? '') - t.world.clock.now()));
    await t.pipeline.drain();
    expect(t.hook.requests).toHaveLength(attempt + 2);
    expect((await t.record()).attempts).toBe(attempt + 2);
  });

  test('a next attempt that cannot be arranged still counts the failure of the endpoint, once', async () => {
    t.hook.respondWith(500);
    await t.publish();
    breakStep('queue');
    await deliverOnce();
    mend();
    expect(await t.endpointNow()).toMatchObject({ failure_count: 1, consecutive_failures: 1, slots: [null, null, null, null, null] });
    t.world.clock.advance(visibilityTimeoutMs - 1);
    await t.pipeline.drain();
    expect(await t.endpointNow()).toMatchObject({ failure_count: 1 });
  });

  test('an overdue next attempt goes to the queue instead of a schedule in the past', async () => {
    t.hook.respondWith(500);
    await t.publish();
    await t.pipeline.drain();
    t.world.clock.advance(5 * minuteMs);
    breakStep('scheduler');
    const batch = t.pipeline.receive();
    await t.pipeline.deliver(batch);
    mend();
    t.world.clock.advance(60 * minuteMs);
    t.pipeline.gate((step, run) => (step === 'scheduler' ? Promise.reject(new Error('a schedule')) : run()));
    expect(await t.pipeline.deliver(batch)).toEqual({ batchItemFailures: [] });
    expect(t.pipeline.waiting.at(-1)?.visibleMs).toBe(t.world.clock.now());
  });
});

describe('a batch', () => {
  test('a batch returns only the messages of the endpoint with records that cannot be written', async () => {
    const second = t.receiver.hook();
    const broken = await createEndpoint(t.world, t.account.id, second.url);
    await t.publish(3);
    rejectCalls((call) => partitionOf(call).includes(broken.id), 'InternalServerError');
    const batch = t.pipeline.receive();
    const { batchItemFailures } = await t.pipeline.deliver(batch);
    const failed = batchItemFailures.map(
      ({ itemIdentifier }) => JSON.parse(batch.find(({ id }) => id === itemIdentifier)?.body ?? '').endpoint,
    );
    expect(failed).toEqual([broken.id, broken.id, broken.id]);
    expect(t.hook.requests).toHaveLength(3);
    mend();
    t.world.clock.advance(visibilityTimeoutMs);
    await t.pipeline.drain();
    expect((await recordsOf(t.world, broken)).map(({ status }) => status)).toEqual(Array(3).fill('delivered'));
  });

  test.each([
    ['no JSON', 'not json'],
    ['an unknown version', '{"v":2,"account":"a","endpoint":"b","event":"c","run":1,"attempt":0}'],
    ['half a message', '{"v":1,"account":"a"}'],
  ])('a batch with %s returns that message for the dead-letter queue, and handles the others', async (_name, body) => {
    await t.publish();
    const [good] = t.pipeline.receive();
    if (!good) throw new Error('No message.');
    const response = await t.pipeline.deliver([{ id: 'bad', groupId: 'a', body, visibleMs: 0 }, good]);
    expect(response).toEqual({ batchItemFailures: [{ itemIdentifier: 'bad' }] });
    expect((await t.record()).status).toBe('delivered');
  });

  test('a batch makes no request for a message without a record', async () => {
    const body = JSON.stringify({ v: 1, account: t.account.id, endpoint: t.endpoint.id, event: 'evt_none', run: 1, attempt: 0 });
    expect(await t.pipeline.deliver([{ id: 'gone', groupId: 'a', body, visibleMs: 0 }])).toEqual({ batchItemFailures: [] });
    expect(t.hook.requests).toHaveLength(0);
    expect(await t.endpointNow()).toMatchObject({ last_delivery_at: null, success_count: 0, slots: [null, null, null, null, null] });
  });
});

test('an event without a stored body makes no request', async () => {
  await t.publish();
  t.world.clock.advance(30 * 24 * 60 * minuteMs);
  expect(await deliverOnce()).toEqual({ batchItemFailures: [] });
  expect(t.hook.requests).toHaveLength(0);
  expect(await t.endpointNow()).toMatchObject({ failure_count: 0, slots: [null, null, null, null, null] });
});

test('the log of an attempt is one line without secret, URL or body', async () => {
  t.world.log.length = 0;
  await t.publish();
  t.world.log.length = 0;
  await deliverOnce();
  expect(t.world.log).toHaveLength(1);
  const line = JSON.stringify(t.world.log);
  for (const secret of [t.endpoint.secret, t.hook.url, 'packaging']) expect(line).not.toContain(secret);
  expect(t.world.log[0]).toMatchObject({ op: 'deliver', account: t.account.id, endpoint: t.endpoint.id, status: 200 });
});
