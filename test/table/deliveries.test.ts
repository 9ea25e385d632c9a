import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { makeId } from '../../shared/core/ids.ts';
import { type DeliveryRecord, pendingDelivery } from '../../shared/domain/webhook/record.ts';
import type { AttemptOutcome, AttemptRef } from '../../shared/table/delivery-items.ts';
import { dueShards } from '../../shared/table/schema.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let account: string;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
beforeEach(async () => {
  account = (await world.createAccount()).id;
  world.clock.advance(1);
});

const endpoint = 'whe_1';
const make = async (members: Partial<DeliveryRecord> = {}): Promise<DeliveryRecord> => {
  const id = makeId('evt', world.clock.now(), crypto.getRandomValues(new Uint8Array(16)));
  const record = { ...pendingDelivery({ id, account, endpoint, type: 'expense.created' }, world.clock.now()), ...members };
  await world.store.deliveries.create(record);
  return record;
};
const refOf = ({ id, run, attempts }: DeliveryRecord): AttemptRef => ({ account, endpoint, event: id, run, attempt: attempts });
const outcome = (members: Partial<AttemptOutcome> = {}): AttemptOutcome => ({
  status: 'delivered',
  attempts: 0,
  statusCode: 200,
  error: null,
  atMs: world.clock.now(),
  durationMs: 120,
  nextAtMs: null,
  ...members,
});
const listIds = async (status?: 'pending' | 'delivered' | 'failed') =>
  (await world.store.deliveries.list(account, endpoint, status, { limit: 100 })).records.map(({ id }) => id);
const overdueIds = async () => {
  const pages = await Promise.all(
    Array.from({ length: dueShards }, (_, shard) => world.store.deliveries.overdue(shard, world.clock.now() + 1, 1000)),
  );
  return pages.flatMap(({ refs }) => refs.filter((ref) => ref.account === account).map(({ event }) => event));
};

describe('the outcome of an attempt', () => {
  test('is stored for one of many deliveries', async () => {
    const ref = refOf(await make());
    const tokens = Array.from({ length: 10 }, (_, i) => `token-${i}`);
    const kept = await Promise.all(tokens.map((token) => world.store.deliveries.finish(ref, token, outcome())));
    expect(kept.filter(Boolean)).toHaveLength(1);
  });

  test.each<[string, Partial<AttemptRef>]>([
    ['another attempt', { attempt: 1 }],
    ['another run', { run: 2 }],
    ['no such event', { event: 'evt_none' }],
    ["another account's", { account: 'acct_other' }],
  ])('of %s is rejected', async (_name, other) => {
    const record = await make();
    expect(await world.store.deliveries.finish({ ...refOf(record), ...other }, 'token', outcome())).toBe(false);
    expect(await world.store.deliveries.get(account, endpoint, record.id)).toEqual(record);
  });

  test('of a delivery that has ended is rejected', async () => {
    const ref = refOf(await make());
    await world.store.deliveries.finish(ref, 'token', outcome());
    expect(await world.store.deliveries.finish(ref, 'other', outcome())).toBe(false);
  });

  test('is stored once if its owner writes it twice', async () => {
    const record = await make();
    const retry = outcome({ status: 'pending', attempts: 1, statusCode: 500, error: 'http_error', nextAtMs: world.clock.now() + 300_000 });
    const ends = [1, 2].map(() => world.store.deliveries.finish(refOf(record), 'token', retry));
    expect(await Promise.all(ends)).toEqual([true, true]);
    expect(await world.store.deliveries.get(account, endpoint, record.id)).toMatchObject({ status: 'pending', attempts: 1 });
  });

  test('is rejected if another run was started meanwhile', async () => {
    const record = await make();
    await world.store.deliveries.restart(record, world.clock.now());
    expect(await world.store.deliveries.finish(refOf(record), 'token', outcome())).toBe(false);
  });
});

describe('a record', () => {
  test('is not changed if it is created again', async () => {
    const record = await make();
    const ref = refOf(record);
    await world.store.deliveries.finish(ref, 'token', outcome());
    const stands = await world.store.deliveries.create(record);
    expect(stands).toMatchObject({ id: record.id, status: 'delivered' });
    expect(await listIds('delivered')).toEqual([record.id]);
  });

  test('is listed only under its present status', async () => {
    const record = await make();
    const where = async () => [await listIds('pending'), await listIds('delivered'), await listIds('failed')];
    expect(await where()).toEqual([[record.id], [], []]);
    await world.store.deliveries.abandon(refOf(record), 'endpoint_disabled', world.clock.now());
    expect(await where()).toEqual([[], [], [record.id]]);
    const ref = await world.store.deliveries.restart({ ...record, status: 'failed' }, world.clock.now());
    expect(await where()).toEqual([[record.id], [], []]);
    await world.store.deliveries.finish(ref, 'token', outcome());
    expect(await where()).toEqual([[], [record.id], []]);
  });

  test('is not returned after 30 days, even if the table still stores it', async () => {
    const record = await make();
    world.clock.advance(30 * 86_400_000 - 1000);
    expect(await listIds()).toEqual([record.id]);
    world.clock.advance(1000);
    expect(await listIds()).toEqual([]);
    expect(await world.store.deliveries.get(account, endpoint, record.id)).toBeUndefined();
  });

  test('starts one new run for two redeliveries at once', async () => {
    const record = await make();
    const results = await Promise.allSettled([1, 2].map(() => world.store.deliveries.restart(record, world.clock.now())));
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await world.store.deliveries.get(account, endpoint, record.id)).toMatchObject({ run: 2 });
  });
});

describe('the attempts of five complete runs', () => {
  test('are all kept, and make no write of the record cost more than two units extra', async () => {
    let record = await make();
    const unitsOf = async (work: () => Promise<unknown>): Promise<number> => {
      world.wire.reset();
      await work();
      return world.wire.calls.reduce((sum, { capacityUnits }) => sum + capacityUnits, 0);
    };
    const ends: number[] = [];
    for (let run = 1; run <= 7; run++) {
      for (let attempt = 0; attempt < 5; attempt++) {
        world.clock.advance(1);
        const ref = { ...refOf(record), run, attempt };
        const next =
          attempt < 4 ? ({ status: 'pending', nextAtMs: world.clock.now() + 300_000 } as const) : ({ status: 'failed' } as const);
        const failure = { attempts: attempt + 1, statusCode: 302, error: 'redirect_not_followed', durationMs: 29_999, ...next };
        ends.push(await unitsOf(() => world.store.deliveries.finish(ref, 'f47ac10b-58cc-4372-a567-0e02b2c3d479', outcome(failure))));
      }
      record = (await world.store.deliveries.get(account, endpoint, record.id)) ?? record;
      await world.store.deliveries.restart(record, world.clock.now());
      record = (await world.store.deliveries.get(account, endpoint, record.id)) ?? record;
    }
    const inspected = await world.store.deliveries.inspect(account, endpoint, record.id);
    expect(inspected?.attempts.map(({ run }) => run)).toEqual([4, 5, 6, 7].flatMap((run) => Array(5).fill(run)));
    // The first outcome adds the index entries. Each later one moves them.
    const [first = 0, second = 0] = ends;
    expect(ends.slice(0, 5)).toEqual([first, ...Array(4).fill(first + 1)]);
    expect(Math.max(...ends)).toBeLessThanOrEqual(second + 2);
  });
});

describe('a delivery', () => {
  test('is not due when its record is created, but from the given time on', async () => {
    const records = [await make(), await make(), await make()];
    expect(await overdueIds()).toEqual([]);
    for (const record of records) expect(await world.store.deliveries.findFrom(refOf(record), world.clock.now())).toBe(true);
    expect(new Set(await overdueIds())).toEqual(new Set(records.map(({ id }) => id)));
  });

  test('is not due after it has ended', async () => {
    const record = await make();
    await world.store.deliveries.findFrom(refOf(record), world.clock.now());
    await world.store.deliveries.finish(refOf(record), 'token', outcome());
    expect(await overdueIds()).toEqual([]);
  });

  test('is due from the time of its retry on, or from the time it was postponed to', async () => {
    const record = await make();
    const ref = refOf(record);
    const nextAtMs = world.clock.now() + 300_000;
    await world.store.deliveries.finish(ref, 'token', outcome({ status: 'pending', attempts: 1, nextAtMs }));
    world.clock.advance(299_999);
    expect(await overdueIds()).toEqual([]);
    world.clock.advance(1);
    expect(await overdueIds()).toEqual([record.id]);
    expect(await world.store.deliveries.findFrom({ ...ref, attempt: 1 }, world.clock.now() + 60_000)).toBe(true);
    expect(await overdueIds()).toEqual([]);
    world.clock.advance(60_000);
    expect(await overdueIds()).toEqual([record.id]);
  });

  test('is not postponed if the attempt has ended', async () => {
    const record = await make();
    await world.store.deliveries.abandon(refOf(record), 'endpoint_disabled', world.clock.now());
    expect(await world.store.deliveries.findFrom(refOf(record), world.clock.now())).toBe(false);
    expect(await overdueIds()).toEqual([]);
  });
});

test('the count of pending deliveries says that there may be more if DynamoDB ends a read before all of the newest 200', async () => {
  // 1 MB, where a read ends, holds 26 of these records.
  const large = new Uint8Array(40_000);
  for (let i = 0; i < 60; i++) {
    const id = makeId('evt', world.clock.now() + i, crypto.getRandomValues(new Uint8Array(16)));
    await world.store.deliveries.create(pendingDelivery({ id, account, endpoint, type: 'expense.created' }, world.clock.now()), large);
  }
  world.clock.advance(11 * 60_000);
  expect(await world.store.deliveries.countPending(account, endpoint, 100)).toMatchObject({ orMore: true });
});
