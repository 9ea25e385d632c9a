import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { randomId } from '../../shared/core/ids.ts';
import { limitParallel } from '../../shared/core/promises.ts';
import { type DeliveryRecord, type DeliveryStatus, pendingDelivery } from '../../shared/domain/webhook/record.ts';
import { shared } from '../support/shared.ts';
import type { WireCall } from '../support/wire.ts';
import { startWorld } from '../support/world.ts';
import { errorBody, openShop, type Shop } from './shop.ts';

const dayMs = 86_400_000;
const minuteMs = 60_000;

const world = shared(startWorld);
let shop: Shop;
let endpoint: string;
beforeEach(async () => {
  shop = await openShop(world);
  endpoint = (await shop.endpoint()).id;
});
afterEach(() => world.wire.intercept(undefined));

const refOf = ({ account, id }: DeliveryRecord) => ({ account, endpoint, event: id, run: 1, attempt: 0 });

/** A delivery of a new event, as fan-out creates it. */
const pendingOf = (nowMs: number): DeliveryRecord =>
  pendingDelivery({ id: randomId('evt', nowMs), account: shop.account, endpoint, type: 'expense.created' }, nowMs);
const record = async (): Promise<DeliveryRecord> => {
  const nowMs = world.clock.now();
  const pending = pendingOf(nowMs);
  await world.store.deliveries.create(pending);
  return pending;
};

/** Ends the first attempt as `deliver` does. */
const attempt = async (delivery: DeliveryRecord, status: DeliveryStatus, statusCode: number | null, error: string | null) => {
  const { deliveries } = world.store;
  const nowMs = world.clock.now();
  const token = randomUUID();
  const nextAtMs = status === 'pending' ? nowMs + 5 * minuteMs : null;
  await deliveries.finish(refOf(delivery), token, {
    status,
    attempts: error ? 1 : 0,
    statusCode,
    error,
    atMs: nowMs,
    durationMs: 1,
    nextAtMs,
  });
};

/** Deliveries a second apart, oldest first: delivered, pending, failed, delivered, … */
const recordMany = async (count: number): Promise<DeliveryRecord[]> => {
  const made: DeliveryRecord[] = [];
  for (let i = 0; i < count; i++) {
    const delivery = await record();
    if (i % 3 === 0) await attempt(delivery, 'delivered', 200, null);
    if (i % 3 === 2) await world.store.deliveries.abandon(refOf(delivery), 'endpoint_disabled', world.clock.now());
    made.push(delivery);
    world.clock.advance(1_000);
  }
  return made;
};

const log = (query = '') => shop.call('GET', `/webhooks/${endpoint}/events${query}`);
const idsOf = (records: readonly { id: string }[]): string[] => records.map(({ id }) => id);

/** Follows the cursors to the end. Returns every id of the list. */
const walk = async (query: string): Promise<string[]> => {
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body, text } = await log(`?${query}${cursor && `&cursor=${cursor}`}`);
    if (status !== 200) throw new Error(text);
    seen.push(...idsOf(body.data));
    cursor = body.pagination.has_more ? body.pagination.next_cursor : null;
  }
  return seen;
};

describe('GET /webhooks/{id}/events', () => {
  test.each(['success', 'PENDING', 'delivered,failed', '', 'null', '%00'])(
    'GET /webhooks/{id}/events rejects the status %j',
    async (status) => {
      const response = await log(`?status=${status}`);
      expect([response.status, response.body]).toEqual([400, errorBody('invalid_value', 'status')]);
    },
  );
});

describe('a log of 250 deliveries, in pages that read at most 200 records', () => {
  /**
   * Most are delivered. The oldest waits for its first attempt, the next one for its second, and
   * one failed.
   */
  const fill = async () => {
    const made = Array.from({ length: 250 }, (_, i) => pendingOf(world.clock.now() + i));
    const limited = limitParallel(20);
    await Promise.all(made.map((one) => limited(() => world.store.deliveries.create(one))));
    world.clock.advance(1_000);
    const [fresh, retried, failed, ...others] = made as [DeliveryRecord, DeliveryRecord, DeliveryRecord, ...DeliveryRecord[]];
    await Promise.all([
      attempt(retried, 'pending', 500, 'http_error'),
      attempt(failed, 'failed', 500, 'http_error'),
      ...others.map((one) => limited(() => attempt(one, 'delivered', 200, null))),
    ]);
    return { fresh, retried, failed, others };
  };

  test('the pages of each status end and show every delivery once', async () => {
    const { fresh, retried, failed, others } = await fill();
    expect(await walk('limit=50&status=pending')).toEqual([retried.id, fresh.id]);
    expect(await walk('limit=50&status=failed')).toEqual([failed.id]);
    expect(await walk('limit=100&status=delivered')).toEqual(idsOf(others).toReversed());
  });

  test('an empty page has a cursor to more, and reads no more records than other pages', async () => {
    await fill();
    world.wire.reset();
    const { body } = await log('?status=pending&limit=1');
    expect([body.data, body.pagination.has_more]).toEqual([[], true]);
    const [query] = world.wire.calls.filter(({ operation }) => operation === 'Query');
    expect(query?.input['Limit']).toBe(201);
  });

  test('the count of pending deliveries includes those without an attempt and those that wait for a retry', async () => {
    const { fresh } = await fill();
    const count = () => world.store.deliveries.countPending(shop.account, endpoint, 100);
    // A delivery without an attempt may be behind the 200 newest. A message that returned put it
    // into the index.
    expect(await count()).toEqual({ count: 1, orMore: true });
    world.clock.advance(11 * minuteMs);
    const ref = { account: shop.account, endpoint, event: fresh.id, run: 1, attempt: 0 };
    await world.store.deliveries.makeDueAt(ref, world.clock.now() + 30 * minuteMs);
    expect(await count()).toEqual({ count: 2, orMore: false });
    const newest = await record();
    expect(await count()).toEqual({ count: 3, orMore: false });
    await attempt(newest, 'pending', 500, 'http_error');
    expect(await count()).toEqual({ count: 3, orMore: false });
  });

  test.each(['index', 'table'])(
    'the count of pending deliveries includes a delivery once if its first attempt fails after the read of the %s',
    async (first) => {
      const waiting = await record();
      const isFirst = ({ input }: WireCall): boolean => (input['IndexName'] === undefined) === (first === 'table');
      const [read, failed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      world.wire.intercept(async (call, send) => {
        if (call.operation !== 'Query') return await send();
        if (!isFirst(call)) await failed.promise;
        const response = await send();
        if (isFirst(call)) read.resolve();
        return response;
      });
      const counting = world.store.deliveries.countPending(shop.account, endpoint, 100);
      await read.promise;
      await attempt(waiting, 'pending', 500, 'http_error');
      failed.resolve();
      expect(await counting).toEqual({ count: 1, orMore: false });
    },
  );
});

describe('deliveries older than 30 days', () => {
  test('a delivery is not shown any more, to the second', async () => {
    await record();
    world.clock.advance(30 * dayMs - 1_000);
    expect((await log()).body.data).toHaveLength(1);
    world.clock.advance(1_000);
    expect((await log()).body.data).toEqual([]);
  });

  test.each(['limit=1', 'limit=2', 'limit=3', 'limit=50', 'limit=1&status=pending'])(
    'the pages with %s end at the last delivery that is left',
    async (query) => {
      await recordMany(6);
      world.clock.advance(29 * dayMs);
      const made = await recordMany(6);
      world.clock.advance(dayMs);
      const expected = made.filter((_, i) => !query.includes('pending') || i % 3 === 1);
      expect(await walk(query)).toEqual(idsOf(expected).toReversed());
    },
  );

  test('a cursor at an expired delivery is rejected', async () => {
    await recordMany(3);
    const { next_cursor } = (await log('?limit=1')).body.pagination;
    world.clock.advance(30 * dayMs);
    const response = await log(`?cursor=${next_cursor}`);
    expect([response.status, response.body]).toEqual([400, errorBody('invalid_cursor', 'cursor')]);
  });
});
