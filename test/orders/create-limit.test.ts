import { describe, expect, test } from '@jest/globals';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';
import { openShop } from './shop.ts';

// Guarantee 9 (docs/guarantees.md)

const world = shared(startWorld);

const limitReached = (current: number, max: number) => [
  403,
  {
    error: {
      type: 'rate_limit_error',
      code: 'limit_reached',
      message: expect.any(String),
      limit: 'orders_per_month',
      current,
      max,
    },
  },
];

describe('the order limit of the plan', () => {
  test('the order limit of the plan accepts one of 50 simultaneous orders if one is left, and rejects 49', async () => {
    const shop = await openShop(world, { order_limit: 3 });
    for (const _ of [1, 2]) expect((await shop.post()).status).toBe(201);
    const responses = await Promise.all(Array.from({ length: 50 }, () => shop.post()));
    const others = responses.filter(({ status }) => status !== 201);
    expect(others).toHaveLength(49);
    for (const { status, body } of others) expect([status, body]).toEqual(limitReached(3, 3));
    expect(await shop.ids('')).toHaveLength(3);
  });

  test('the order limit of the plan rejects an order without any trace, and its Idempotency-Key is free', async () => {
    const shop = await openShop(world, { order_limit: 0 });
    const headers = { 'Idempotency-Key': 'k' };
    const body = { customer: { email: 'ada@example.com' }, payments: [{ amount: 1 }] };
    for (const _ of [1, 2]) {
      const response = await shop.post(body, { headers });
      expect([response.status, response.body]).toEqual(limitReached(0, 0));
    }
    expect((await shop.get('/customers')).body.data).toEqual([]);
    expect(await shop.ids('')).toEqual([]);
  });

  test('the order limit of the plan counts orders of the UTC month in every status, including deleted ones', async () => {
    const shop = await openShop(world, { order_limit: 2 });
    await shop.post({ status: 'cancelled' });
    const { body } = await shop.post({ status: 'draft' });
    const stored = await world.store.orders.get(shop.account, body.id);
    if (!stored) throw new Error('No order.');
    const deleted_at = new Date(world.clock.now()).toISOString();
    await world.store.commit([world.store.orders.replaceWrite(shop.account, { ...stored.record, deleted_at }, stored)]);
    expect((await shop.post()).status).toBe(403);

    world.clock.advance(Date.parse('2026-03-31T23:59:59.999Z') - world.clock.now());
    expect((await shop.post()).status).toBe(403);
    world.clock.advance(1);
    expect((await shop.post()).status).toBe(201);
  });
});
