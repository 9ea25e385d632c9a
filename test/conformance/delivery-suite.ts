import { describe, expect, test } from '@jest/globals';
import { randomId } from '../../shared/core/ids.ts';
import { type DeliveryRecord, pendingDelivery } from '../../shared/domain/webhook/record.ts';
import { type AttemptOutcome, type AttemptRef, keepBody } from '../../shared/table/delivery-items.ts';
import { retentionSeconds } from '../../shared/table/keys.ts';
import { dueShards } from '../../shared/table/schema.ts';
import type { Bench } from './engines.ts';

export const deliverySuite = (bench: () => Bench): void => {
  const recordOf = (fields: Partial<DeliveryRecord> = {}): DeliveryRecord => ({
    ...pendingDelivery(
      { id: randomId('evt', bench().clock.now()), account: randomId('acct', 0), endpoint: 'whe_1', type: 'expense.created' },
      bench().clock.now(),
    ),
    ...fields,
  });
  const refOf = ({ account, endpoint, id, run, attempts }: DeliveryRecord): AttemptRef => ({
    account,
    endpoint,
    event: id,
    run,
    attempt: attempts,
  });
  const outcomeOf = (fields: Partial<AttemptOutcome>): AttemptOutcome => ({
    status: 'delivered',
    attempts: 0,
    statusCode: 200,
    error: null,
    atMs: bench().clock.now(),
    durationMs: 120,
    nextAtMs: null,
    ...fields,
  });
  const now = ({ account, endpoint, id }: DeliveryRecord) => bench().store.deliveries.get(account, endpoint, id);
  const listed = async ({ account, endpoint }: DeliveryRecord, status?: DeliveryRecord['status']) =>
    (await bench().store.deliveries.list(account, endpoint, status, { limit: 10 })).records.map(({ id }) => id);
  const overdue = async (byMs: number): Promise<AttemptRef[]> => {
    const shards = Array.from({ length: dueShards }, (_, shard) => bench().store.deliveries.overdue(shard, byMs, 1_000));
    return (await Promise.all(shards)).flatMap(({ refs }) => refs);
  };

  describe('events', () => {
    test('a body is stored once and byte for byte', async () => {
      const { store, clock } = bench();
      const event = {
        id: randomId('evt', 0),
        account: 'acct_1',
        type: 'expense.created',
        body: '{"a":"🍰 \\u0001"}',
        createdMs: clock.now(),
      };
      await store.events.create(event);
      await store.events.create({ ...event, body: 'other' });
      expect(await store.events.get('acct_1', event.id)).toEqual({ type: event.type, body: event.body });
      expect(await store.events.get('acct_2', event.id)).toBeUndefined();
      clock.advance(retentionSeconds('deliveryRecord') * 1000);
      expect(await store.events.get('acct_1', event.id)).toBeUndefined();
    });
  });

  describe('deliveries', () => {
    test('a record is created once, and a second call returns the stored one', async () => {
      const { store } = bench();
      const record = recordOf();
      expect(await store.deliveries.create(record)).toEqual(record);
      expect(await store.deliveries.create({ ...record, attempts: 3 })).toEqual(record);
      expect(await now(record)).toEqual(record);
    });

    test('one of many simultaneous outcomes of an attempt is stored, and a repeated write finds its own', async () => {
      const { store, clock } = bench();
      const record = recordOf();
      await store.deliveries.create(record);
      const ref = refOf(record);
      const ends = await Promise.all(['a', 'b', 'c'].map((token) => store.deliveries.finish(ref, token, outcomeOf({}))));
      expect(ends.filter(Boolean)).toHaveLength(1);
      const winner = ['a', 'b', 'c'][ends.indexOf(true)] ?? '';
      expect(await store.deliveries.finish(ref, winner, outcomeOf({}))).toBe(true);
      expect(await store.deliveries.finish(ref, 'z', outcomeOf({}))).toBe(false);
      expect(await now(record)).toMatchObject({ status: 'delivered', delivered_at: new Date(clock.now()).toISOString(), attempts: 0 });
    });

    test("a record keeps the exact bytes of its event's body until it expires", async () => {
      const { store, clock } = bench();
      const [record, without] = [recordOf(), recordOf()];
      const body = '{"a":"🍰 \\u0001"}';
      const bodyOf = async (of: DeliveryRecord) => (await store.attempts.read({ ref: refOf(of), withEndpoint: false })).body;
      await store.deliveries.create(record, keepBody(body));
      await store.deliveries.create({ ...record, attempts: 1 }, keepBody('other'));
      await store.deliveries.create(without);
      expect(await bodyOf(record)).toBe(body);
      await store.deliveries.restart(record, clock.now());
      expect(await bodyOf(record)).toBe(body);
      for (const one of [record, without]) await store.deliveries.rewriteBody(refOf(one), '{}');
      expect([await bodyOf(record), await bodyOf(without)]).toEqual(['{}', undefined]);
      clock.advance(retentionSeconds('deliveryRecord') * 1000);
      expect(await bodyOf(record)).toBeUndefined();
    });

    test('the records of several attempts are read together, each in its place', async () => {
      const { store, clock } = bench();
      const account = randomId('acct', 0);
      const [first, second] = [recordOf({ account }), recordOf({ account })];
      for (const record of [first, second]) await store.deliveries.create(record);
      await store.events.create({
        id: second.id,
        account,
        type: second.type,
        body: '{"a":1}',
        createdMs: clock.now(),
      });
      const request = (record: DeliveryRecord, withEndpoint = false) => ({ ref: refOf(record), withEndpoint });
      const read = await Promise.all([request(second, true), request(first), request(second)].map(store.attempts.read));
      expect(read).toEqual([
        { record: second, body: '{"a":1}', endpoint: undefined },
        { record: first, body: undefined, endpoint: undefined },
        { record: second, body: '{"a":1}', endpoint: undefined },
      ]);
    });

    test('the log lists all deliveries or those of a status, newest first, and follows changes of status', async () => {
      const { store, clock } = bench();
      const account = randomId('acct', 0);
      const records = [];
      for (let i = 0; i < 3; i++) {
        clock.advance(1);
        const record = recordOf({ account });
        await store.deliveries.create(record);
        records.unshift(record);
      }
      const [newest = recordOf(), ...older] = records;
      await store.deliveries.finish(refOf(newest), 't', outcomeOf({}));
      expect(await listed(newest)).toEqual(records.map(({ id }) => id));
      expect(await listed(newest, 'delivered')).toEqual([newest.id]);
      expect(await listed(newest, 'pending')).toEqual(older.map(({ id }) => id));
      expect(await listed(newest, 'failed')).toEqual([]);
      const page = await store.deliveries.list(account, newest.endpoint, 'pending', { limit: 1 });
      if (!page.next) throw new Error('There is no second page.');
      const second = await store.deliveries.list(account, newest.endpoint, 'pending', { limit: 1, after: page.next });
      expect(second.records.map(({ id }) => id)).toEqual([older[1]?.id]);
    });

    test('an overdue delivery is found until it ends, is postponed or becomes due later', async () => {
      const { store, clock } = bench();
      const [failing, ended, waiting] = [recordOf(), recordOf(), recordOf()];
      for (const record of [failing, ended, waiting]) {
        await store.deliveries.create(record);
        expect(await store.deliveries.findFrom(refOf(record), clock.now())).toBe(true);
      }
      const mine = async (byMs = clock.now() + 1) =>
        (await overdue(byMs))
          .filter(({ account }) => [failing, ended, waiting].some((record) => record.account === account))
          .map(({ event }) => event);
      expect((await mine()).sort()).toEqual([failing.id, ended.id, waiting.id].sort());
      const nextAtMs = clock.now() + 300_000;
      await store.deliveries.finish(
        refOf(failing),
        't',
        outcomeOf({ status: 'pending', attempts: 1, statusCode: 500, error: 'http_error', nextAtMs }),
      );
      await store.deliveries.abandon(refOf(ended), 'endpoint_disabled', clock.now());
      expect(await store.deliveries.findFrom(refOf(waiting), nextAtMs)).toBe(true);
      expect(await store.deliveries.findFrom(refOf(failing), nextAtMs)).toBe(false);
      expect(await mine()).toEqual([]);
      expect((await mine(nextAtMs + 1)).sort()).toEqual([failing.id, waiting.id].sort());
      expect(await now(ended)).toMatchObject({ status: 'failed', last_error: 'endpoint_disabled', last_attempt_at: null });
    });

    test('a redelivery starts one new run and makes the old one stale', async () => {
      const { store, clock } = bench();
      const record = recordOf();
      await store.deliveries.create(record);
      const ref = await store.deliveries.restart(record, clock.now());
      expect(ref).toEqual({ ...refOf(record), run: 2 });
      await expect(store.deliveries.restart(record, clock.now())).rejects.toMatchObject({ code: 'conflict' });
      expect(await store.deliveries.finish(refOf(record), 't', outcomeOf({}))).toBe(false);
      expect(await store.deliveries.finish(ref, 't', outcomeOf({}))).toBe(true);
    });

    test('the count of pending deliveries says that there may be more if a read ends before all of the newest 200', async () => {
      const { store, clock } = bench();
      // 1 MB, where a read ends, holds 26 of these records.
      const large = new Uint8Array(40_000);
      const [first = recordOf(), ...others] = Array.from({ length: 60 }, () => recordOf());
      for (const { id } of [first, ...others]) await store.deliveries.create({ ...first, id }, large);
      clock.advance(11 * 60_000);
      expect(await store.deliveries.countPending(first.account, first.endpoint, 100)).toMatchObject({ orMore: true });
    });

    test('after 30 days no read returns a record', async () => {
      const { store, clock } = bench();
      const record = recordOf();
      await store.deliveries.create(record);
      clock.advance(retentionSeconds('deliveryRecord') * 1000);
      expect(await now(record)).toBeUndefined();
      expect(await listed(record)).toEqual([]);
      expect(await listed(record, 'pending')).toEqual([]);
    });
  });
};
