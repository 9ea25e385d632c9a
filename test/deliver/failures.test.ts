import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { minuteMs, useDelivery } from '../support/delivery.ts';
import { type Step, visibilityTimeoutMs } from '../support/pipeline.ts';
import { createEndpoint, recordsOf } from '../support/records.ts';
import type { WireCall } from '../support/wire.ts';

const t = useDelivery();

type Match = (call: WireCall) => boolean;
const partitionOf = ({ input }: WireCall): string => (input['Key'] as { pk?: { S?: string } } | undefined)?.pk?.S ?? '';
const updates =
  (kind: string, expression: RegExp): Match =>
  (call) =>
    partitionOf(call).startsWith(`${kind}#`) && expression.test(String(call.input['UpdateExpression']));

const finish = updates('dlv', /list_append/);
const acquire = updates('whe', /SET #slot_\d = /);
const count = updates('whe', /ADD /);
const readParts: Match = ({ operation }) => operation === 'BatchGetItem';

const refusal = (name: string): any => ({
  response: {
    statusCode: name === 'InternalServerError' ? 500 : 400,
    headers: { 'content-type': 'application/x-amz-json-1.0' },
    body: Readable.from([Buffer.from(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: name }))]),
  },
});
/** Lets the first matching call succeed and loses its response. Returns how often that happened. */
const loseAnswer = (match: Match) => {
  let lost = 0;
  t.world.wire.intercept(async (call, send) => {
    const answer = await send();
    if (lost > 0 || !match(call)) return answer;
    lost += 1;
    throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
  });
  return () => lost;
};
const refuse = (match: Match, name: string, times = Number.POSITIVE_INFINITY) => {
  let refused = 0;
  t.world.wire.intercept(async (call, send) => (match(call) && ++refused <= times ? refusal(name) : send()));
};
const breakStep = (broken: Step) =>
  t.pipeline.gate((step, run) => (step === broken ? Promise.reject(new Error(`${step} is out of order`)) : run()));
const mend = () => {
  t.world.wire.intercept(undefined);
  t.pipeline.gate(undefined);
};
const deliverOnce = () => t.pipeline.deliver(t.pipeline.receive());

describe('a lost response of the table after the write', () => {
  test.each<[string, Match]>([
    ['the outcome', finish],
    ['the count', count],
  ])('of %s still leads to one request, one attempt, one count and one next attempt', async (_name, match) => {
    t.hook.answer(500);
    await t.publish();
    const lost = loseAnswer(match);
    await deliverOnce();
    expect(lost()).toBe(1);
    expect(t.hook.requests).toHaveLength(1);
    expect(await t.record()).toMatchObject({ status: 'pending', attempts: 1 });
    expect(await t.endpointNow()).toMatchObject({ failure_count: 1, consecutive_failures: 1, slots: [null, null, null, null, null] });
    expect(t.pipeline.waiting.map(({ delaySeconds }) => delaySeconds)).toEqual([300]);
  });

  test.each([1, 5, 10])('of leasing slots for %i messages delays nothing and leaves no slot leased', async (messages) => {
    await t.publish(messages);
    const lost = loseAnswer(acquire);
    await deliverOnce();
    mend();
    expect([lost(), t.hook.requests.length, t.pipeline.waiting]).toEqual([1, messages, []]);
    expect(await t.endpointNow()).toMatchObject({ success_count: messages, slots: [null, null, null, null, null] });
  });

  test('of every lease returns the messages to the queue and leaves no slot leased', async () => {
    await t.publish(10);
    const [some, others] = [t.pipeline.receive(5), t.pipeline.receive(5)];
    t.world.wire.intercept(async (call, send) => {
      const answer = await send();
      if (acquire(call)) throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
      return answer;
    });
    expect((await t.pipeline.deliver(some)).batchItemFailures).toHaveLength(5);
    mend();
    expect((await t.endpointNow()).slots).toEqual([null, null, null, null, null]);
    expect(await t.pipeline.deliver(others)).toEqual({ batchItemFailures: [] });
    expect(t.hook.requests).toHaveLength(5);
  });

  test('of counting the tenth failure still disables the endpoint, once', async () => {
    t.hook.answer(500);
    const failing = await createEndpoint(t.world, t.account.id, t.receiver.hook(500).url, { consecutive_failures: 9 });
    await t.publish();
    const lost = loseAnswer((call) => count(call) && 'enabled' in Object.fromEntries(namesOf(call).map((name) => [name, true])));
    await deliverOnce();
    mend();
    expect(lost()).toBe(1);
    const endpoint = await t.world.store.endpoints.get(t.account.id, failing.id);
    expect(endpoint).toMatchObject({ enabled: false, consecutive_failures: 10, failure_count: 1 });
  });
});

const namesOf = ({ input }: WireCall): string[] =>
  /SET (.*?) (REMOVE|ADD)/
    .exec(String(input['UpdateExpression']))?.[1]
    ?.split(',')
    .map((part) => part.trim().slice(1).split(' ')[0] ?? '') ?? [];

describe('a table call that fails', () => {
  test.each<[string, Match]>([
    ['the outcome', finish],
    ['the count', count],
  ])('once because of throttling, at %s, is repeated within the invocation', async (_name, match) => {
    await t.publish();
    refuse(match, 'ProvisionedThroughputExceededException', 1);
    expect(await deliverOnce()).toEqual({ batchItemFailures: [] });
    expect(await t.record()).toMatchObject({ status: 'delivered' });
    expect(await t.endpointNow()).toMatchObject({ success_count: 1 });
  });

  test.each<[string, Match]>([
    ['the slots', acquire],
    ['the outcome', finish],
    ['the count', count],
  ])('because an owner changes the endpoint, at %s, is repeated until it succeeds', async (_name, match) => {
    await t.publish();
    refuse(match, 'TransactionConflictException', 6);
    expect(await deliverOnce()).toEqual({ batchItemFailures: [] });
    expect(await t.record()).toMatchObject({ status: 'delivered' });
    expect(await t.endpointNow()).toMatchObject({ success_count: 1 });
  });

  test.each<[string, Match]>([
    ['the slots', acquire],
    ['record and body', readParts],
    ['the outcome', finish],
  ])('permanently, at %s, returns the message, which is delivered once the table works again', async (_name, match) => {
    await t.publish();
    refuse(match, 'InternalServerError');
    expect((await deliverOnce()).batchItemFailures).toHaveLength(1);
    mend();
    t.world.clock.advance(visibilityTimeoutMs);
    await t.pipeline.drain();
    expect(await t.record()).toMatchObject({ status: 'delivered', attempts: 0 });
  });

  test.each<[string, Match]>([
    ['the outcome', finish],
    ['the count', count],
  ])('for longer than the SDK tries, at %s, is repeated until the function ends', async (_name, match) => {
    await t.publish();
    refuse(match, 'InternalServerError', 9);
    expect(await deliverOnce()).toEqual({ batchItemFailures: [] });
    expect(t.hook.requests).toHaveLength(1);
    expect(await t.record()).toMatchObject({ status: 'delivered' });
    expect(await t.endpointNow()).toMatchObject({ success_count: 1, slots: [null, null, null, null, null] });
  });

  test('because its response is lost for longer than the SDK retries still counts the stored outcome', async () => {
    await t.publish();
    let lost = 0;
    t.world.wire.intercept(async (call, send) => {
      const answer = await send();
      return finish(call) && ++lost <= 4 ? refusal('InternalServerError') : answer;
    });
    expect(await deliverOnce()).toEqual({ batchItemFailures: [] });
    expect(await t.record()).toMatchObject({ status: 'delivered' });
    expect(await t.endpointNow()).toMatchObject({ success_count: 1 });
  });

  test('at the count, after a minute of attempts, is not repeated, because the function ends', async () => {
    await t.publish();
    let counts = 0;
    t.world.wire.intercept(async (call, send) => {
      if (!count(call)) return send();
      counts += 1;
      t.world.clock.advance(60_000);
      return refusal('InternalServerError');
    });
    expect((await deliverOnce()).batchItemFailures).toHaveLength(0);
    expect(counts).toBe(3);
  });

  test('permanently, at the count, loses only the count: nothing is sent or counted twice', async () => {
    t.hook.answer(500);
    await t.publish();
    refuse(count, 'InternalServerError');
    await deliverOnce();
    mend();
    expect(await t.record()).toMatchObject({ status: 'pending', attempts: 1 });
    t.world.clock.advance(visibilityTimeoutMs);
    await t.pipeline.drain();
    expect(await t.record()).toMatchObject({ status: 'pending', attempts: 2 });
    const { failure_count, slots } = await t.endpointNow();
    expect([failure_count, slots.filter((lease) => lease !== null && lease[0] > t.world.clock.now())]).toEqual([1, []]);
  });
});

describe('a next attempt that cannot be arranged', () => {
  test.each<[Step, number]>([
    ['queue', 0],
    ['scheduler', 1],
  ])('because the %s rejects it is arranged when the message returns, for its original time', async (step, attempt) => {
    t.hook.answer(500);
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

  test('still counts its attempt as a failure of the endpoint, once', async () => {
    t.hook.answer(500);
    await t.publish();
    breakStep('queue');
    await deliverOnce();
    mend();
    expect(await t.endpointNow()).toMatchObject({ failure_count: 1, consecutive_failures: 1, slots: [null, null, null, null, null] });
    t.world.clock.advance(visibilityTimeoutMs - 1);
    await t.pipeline.drain();
    expect(await t.endpointNow()).toMatchObject({ failure_count: 1 });
  });

  test('and is overdue goes to the queue instead of a schedule in the past', async () => {
    t.hook.answer(500);
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
  test('returns only the messages of the endpoint with records that cannot be written', async () => {
    const second = t.receiver.hook();
    const broken = await createEndpoint(t.world, t.account.id, second.url);
    await t.publish(3);
    refuse((call) => partitionOf(call).includes(broken.id), 'InternalServerError');
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
  ])('with %s returns that message for the dead-letter queue, and handles the others', async (_name, body) => {
    await t.publish();
    const [good] = t.pipeline.receive();
    if (!good) throw new Error('No message.');
    const response = await t.pipeline.deliver([{ id: 'bad', groupId: 'a', body, visibleMs: 0 }, good]);
    expect(response).toEqual({ batchItemFailures: [{ itemIdentifier: 'bad' }] });
    expect((await t.record()).status).toBe('delivered');
  });

  test('makes no request for a message without a record', async () => {
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
