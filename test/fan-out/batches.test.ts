import { describe, expect, test } from '@jest/globals';
import type { DynamoDBRecord } from 'aws-lambda';
import type { DeliveryRecord, Endpoint } from '../../shared/domain/webhook/record.ts';
import { useDelivery } from '../support/delivery.ts';
import { createEndpoint, writeExpense } from '../support/records.ts';

// Guarantee 3 (docs/guarantees.md)

const t = useDelivery();

const sequences = (records: readonly DynamoDBRecord[]) => records.map(({ dynamodb }) => dynamodb?.SequenceNumber ?? '');
const changesOf = async (count: number): Promise<DynamoDBRecord[]> => {
  for (let i = 0; i < count; i++) await writeExpense(t.world, t.account.id);
  return t.pipeline.changes();
};
const failAt = (itemIdentifier: string | undefined) => ({ batchItemFailures: [{ itemIdentifier }] });
const events = () => t.pipeline.waiting.map(({ body }) => JSON.parse(body).event as string);
const bodiesOf = (records: readonly DeliveryRecord[]) =>
  Promise.all(
    records.map(async ({ account, endpoint, id: event }) => {
      const { body } = await t.world.store.attempts.read({ ref: { account, endpoint, event }, withEndpoint: false });
      expect(body).toBeDefined();
      return body;
    }),
  );
const outage = (matches: (input: string) => boolean) =>
  t.world.wire.intercept(async (call, send) => {
    if (matches(JSON.stringify(call.input))) throw Object.assign(new Error('out of order'), { name: 'ServiceUnavailable' });
    return send();
  });
const repair = () => {
  t.world.wire.intercept(undefined);
  t.pipeline.gate(undefined);
};

describe('a batch that fan-out gets again', () => {
  test('fan-out of a batch twice stores one event and record; it sends a second message only before an attempt', async () => {
    const batch = await changesOf(3);
    await t.pipeline.fanOut(batch);
    const before = await t.records();
    const bodies = await bodiesOf(before);
    await t.pipeline.fanOut(batch);
    expect(await t.records()).toEqual(before);
    expect(await bodiesOf(before)).toEqual(bodies);
    expect(events()).toHaveLength(6);
    expect(new Set(events()).size).toBe(3);
    await t.pipeline.drain();
    expect(t.hook.requests).toHaveLength(3);
    await t.pipeline.fanOut(batch);
    expect(t.pipeline.waiting).toEqual([]);
  });

  test.each([
    ['another endpoint', true],
    ['no other endpoint', false],
  ])('fan-out sends the messages of a failed first read even if the endpoint no longer subscribes: %s', async (_name, hasOther) => {
    if (hasOther) await createEndpoint(t.world, t.account.id, t.receiver.hook().url);
    const batch = await changesOf(1);
    t.pipeline.gate((step, run) => (step === 'queue' ? Promise.reject(new Error('dies')) : run()));
    await t.pipeline.fanOut(batch);
    repair();
    await t.world.store.commit(t.world.store.endpoints.updateWrites(t.endpoint, { events: ['order.created'] }));
    await t.pipeline.fanOut(batch);
    await t.pipeline.drain();
    expect(t.hook.requests).toHaveLength(1);
    expect(await t.record()).toMatchObject({ status: 'delivered' });
  });

  test.each([
    [
      'disables',
      (endpoint: Endpoint) =>
        t.world.store.endpoints.updateWrites(endpoint, { enabled: false, disabled_ms: t.world.clock.now(), updated_at: t.isoAfter(0) }),
    ],
    ['deletes', (endpoint: Endpoint) => t.world.store.endpoints.deleteWrites(endpoint)],
  ])('fan-out ends a delivery of a failed first read if a write that was decided before %s the endpoint', async (_, writesOf) => {
    const writes = writesOf(await t.endpointNow());
    t.world.clock.advance(2_000);
    const batch = await changesOf(1);
    t.pipeline.gate((step, run) => (step === 'queue' ? Promise.reject(new Error('dies')) : run()));
    await t.pipeline.fanOut(batch);
    repair();
    await t.world.store.commit(writes);
    await t.pipeline.fanOut(batch);
    await t.pipeline.drain();
    expect(await t.record()).toMatchObject({ status: 'failed', last_error: 'endpoint_disabled' });
  });

  test('fan-out also sends to an endpoint that only a second failed read found', async () => {
    const { commit, endpoints } = t.world.store;
    const subscribe = async (events: Endpoint['events']): Promise<void> => {
      await commit(endpoints.updateWrites(await t.endpointNow(), { events }));
    };
    await createEndpoint(t.world, t.account.id, t.receiver.hook().url);
    const batch = await changesOf(1);
    t.pipeline.gate((step, run) => (step === 'queue' ? Promise.reject(new Error('dies')) : run()));
    for (const events of [['order.created'], ['expense.created'], ['order.created']] as const) {
      await subscribe(events);
      await t.pipeline.fanOut(batch);
    }
    repair();
    await t.pipeline.fanOut(batch);
    await t.pipeline.drain();
    expect(t.hook.requests).toHaveLength(1);
    expect(await t.record()).toMatchObject({ status: 'delivered' });
  });

  test('simultaneous fan-outs of a batch store one event and record, and send one request, per change', async () => {
    const batch = await changesOf(5);
    await Promise.all([1, 2, 3].map(() => t.pipeline.fanOut(batch)));
    expect(await t.records()).toHaveLength(5);
    await t.pipeline.drain();
    expect(t.hook.requests).toHaveLength(5);
    expect(await t.endpointNow()).toMatchObject({ success_count: 5 });
  });

  test('fan-out after a failed attempt sends no message, because the retry schedule continues', async () => {
    t.hook.respondWith(500);
    const batch = await changesOf(1);
    await t.pipeline.fanOut(batch);
    await t.pipeline.drain();
    const waiting = [...t.pipeline.waiting];
    await t.pipeline.fanOut(batch);
    expect(t.pipeline.waiting).toEqual(waiting);
  });

  test('fan-out after a redelivery requests the attempt of the new run', async () => {
    const batch = await changesOf(1);
    await t.pipeline.fanOut(batch);
    await t.pipeline.drain();
    await t.world.store.deliveries.restart(await t.record(), t.world.clock.now());
    await t.pipeline.fanOut(batch);
    expect(t.pipeline.waiting.map(({ body }) => JSON.parse(body))).toMatchObject([{ run: 2, attempt: 0 }]);
  });

  test('fan-out of a change in another batch gives the event the same id', async () => {
    const batch = await changesOf(2);
    await t.pipeline.fanOut(batch.slice(1));
    await t.pipeline.fanOut(batch);
    expect(new Set(events()).size).toBe(2);
  });
});

test('fan-out handles a batch in parallel, with at most 32 writes at a time', async () => {
  const batch = await changesOf(50);
  let [underWay, most] = [0, 0];
  t.world.wire.intercept(async (_call, send) => {
    underWay += 1;
    most = Math.max(most, underWay);
    return await send().finally(() => {
      underWay -= 1;
    });
  });
  await t.pipeline.fanOut(batch);
  repair();
  expect([most > 16, most <= 33]).toEqual([true, true]); // and the check for erasures
  expect(events()).toHaveLength(50);
});

describe('a temporary failure', () => {
  test.each([1, 12, 25])(
    'a temporary failure at record %i of 25 is reported at that record, and no event is skipped or sent twice',
    async (position) => {
      const all = await changesOf(25);
      const failing = all[position - 1];
      const broken = await t.world.createAccount();
      await createEndpoint(t.world, broken.id, t.receiver.hook().url);
      await writeExpense(t.world, broken.id);
      const [foreign] = await t.pipeline.changes();
      if (!failing || !foreign) throw new Error('No change.');
      const batch = [...all.slice(0, position - 1), foreign, ...all.slice(position)];
      outage((input) => input.includes(broken.id));
      expect(await t.pipeline.fanOut(batch)).toEqual(failAt(foreign.dynamodb?.SequenceNumber));
      expect(events()).toHaveLength(position - 1);
      repair();
      expect(await t.pipeline.fanOut(batch.slice(position - 1))).toEqual({ batchItemFailures: [] });
      expect(events()).toHaveLength(25);
      expect(new Set(events()).size).toBe(25);
    },
  );

  test('if the whole table fails for a time, fan-out reports the first record of the batch', async () => {
    const batch = await changesOf(3);
    outage(() => true);
    expect(await t.pipeline.fanOut(batch)).toEqual(failAt(sequences(batch)[0]));
    repair();
    await t.pipeline.fanOut(batch);
    await t.pipeline.drain();
    expect(t.hook.requests).toHaveLength(3);
  });

  test('a temporary failure of the queue is reported at the first record without a sent message; the retry sends it', async () => {
    const [changed] = await changesOf(1);
    const withoutEndpoint = await t.world.createAccount();
    await writeExpense(t.world, withoutEndpoint.id);
    const batch = [...(await t.pipeline.changes()), changed as DynamoDBRecord, ...(await changesOf(11))];
    t.pipeline.gate((step, run) => (step === 'queue' ? Promise.reject(new Error('refused')) : run()));
    expect(await t.pipeline.fanOut(batch)).toEqual(failAt(sequences(batch)[1]));
    repair();
    await t.pipeline.fanOut(batch.slice(1));
    expect([events().length, new Set(events()).size]).toEqual([12, 12]);
  });

  test('a temporary failure between the writes of event and record is repaired by the retry', async () => {
    const batch = await changesOf(1);
    outage((input) => input.includes('dlv#'));
    expect(await t.pipeline.fanOut(batch)).toEqual(failAt(sequences(batch)[0]));
    repair();
    await t.pipeline.fanOut(batch);
    await t.pipeline.drain();
    expect([t.hook.requests.length, (await t.record()).status]).toEqual([1, 'delivered']);
  });

  test('fan-out that fails returns only after its other writes have ended, so none comes after an erasure of the account', async () => {
    const { id: other } = await createEndpoint(t.world, t.account.id, t.receiver.hook().url);
    const batch = await changesOf(1);
    const order: string[] = [];
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    t.world.wire.intercept(async ({ operation, input }, send) => {
      const creates = (endpoint: string) => operation === 'PutItem' && JSON.stringify(input).includes(`#${endpoint}"`);
      if (creates(t.endpoint.id)) throw Object.assign(new Error('rejected'), { name: 'AccessDeniedException' });
      if (!creates(other)) return await send();
      await released;
      return await send().finally(() => order.push('wrote'));
    });
    const run = t.pipeline.fanOut(batch).finally(() => order.push('returned'));
    for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
    release();
    expect(await run).toEqual(failAt(sequences(batch)[0]));
    expect(order).toEqual(['wrote', 'returned']);
  });
});
