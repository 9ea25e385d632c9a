import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { orderMonth } from '../../shared/domain/order/rules.ts';
import { openCounter } from '../checkout-page/page.ts';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';
import { blockedDay, openShop, type Shop } from './shop.ts';

const world = shared(() => startWorld({ policy: { allowLoopback: false, timeScale: 1 } }));
let shop: Shop;
beforeAll(async () => {
  shop = await openShop(world);
});
afterEach(() => world.wire.intercept(undefined));

const stored = async (id: string) => (await world.store.checkoutSessions.get(shop.account.id, id))?.record;

test('internal custom fields are unknown to a publishable key', async () => {
  const internal = { id: 'cf_2', key: 'margin', scopes: ['order'], internal: true };
  const { open } = await openShop(world, { settings: { custom_fields: [internal] } });
  const { status, body } = await open({ custom_fields: { margin: '1' } });
  expect([status, body.error.field]).toEqual([400, 'custom_fields.margin']);
});

describe('a new session', () => {
  test('a new session returns exactly its fields, at catalog prices', async () => {
    const { status, body } = await shop.open({
      items: [
        { product_id: 'prd_bread', quantity: 3, unit_price: 0.01, name: 'Free bread' },
        { product_id: 'prd_cake', variant_id: 'var_large', quantity: 1, price: 1 },
      ],
      total: 1,
    });
    expect([status, body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^cs_/),
        url: `https://us.api.example.com/checkout/${shop.account.id}/${body.id}`,
        status: 'open',
        currency: 'USD',
        subtotal: 77.55,
        delivery_fee: 0,
        total: 77.55,
        expires_at: new Date(world.clock.now() + 86_400_000).toISOString(),
        created_at: new Date(world.clock.now()).toISOString(),
      },
    ]);
  });

  test('a new session charges the configured delivery fee times the multiplier of its slot', async () => {
    const { body } = await shop.open({ delivery_type: 'delivery', delivery_time: '17:00' });
    expect([body.subtotal, body.delivery_fee, body.total]).toEqual([13, 8, 21]);
  });

  test('a new session rounds the delivery fee once, with exact decimals', async () => {
    const slots = (multiplier: number) => ({ delivery: [{ start: '11:00', end: '14:00', multiplier }] });
    for (const [delivery_fee, multiplier, fee] of [
      [4.3, 1.15, 4.95],
      [10.35, 0.1, 1.04],
      [2.675, 1, 2.68],
    ] as const) {
      const { open } = await openShop(world, {
        settings: { time_slots: slots(multiplier), checkout: { gateway: 'sandbox', delivery_fee } },
      });
      const { body } = await open({ delivery_type: 'delivery', delivery_time: '11:00' });
      expect([delivery_fee, multiplier, body.delivery_fee, body.total]).toEqual([delivery_fee, multiplier, fee, 13 + fee]);
    }
  });

  test('a new session has no delivery fee, slot or time for dispatch', async () => {
    const { body } = await shop.open({ delivery_type: 'dispatch', delivery_time: '03:00' });
    expect([body.delivery_fee, (await stored(body.id))?.delivery_time]).toEqual([0, null]);
  });

  test('a new session accepts any time or none if the account has no slots of that type', async () => {
    const bare = await openShop(world, { settings: {} });
    for (const delivery_time of ['23:59', null]) expect((await bare.open({ delivery_time })).status).toBe(201);
  });
});

describe('rejected sessions', () => {
  const items = (...rows: object[]) => ({ items: rows });
  test.each<[string, Record<string, unknown>, string]>([
    ['no items', { items: [] }, 'items'],
    ['an item without a product', items({ quantity: 1 }), 'items.0.product_id'],
    ['an unknown product', items({ product_id: 'prd_none', quantity: 1 }), 'items.0.product_id'],
    ['a hidden product', items({ product_id: 'prd_bread', quantity: 1 }, { product_id: 'prd_hidden', quantity: 1 }), 'items.1.product_id'],
    ['a draft', items({ product_id: 'prd_draft', quantity: 1 }), 'items.0.product_id'],
    ['an unknown variant', items({ product_id: 'prd_bread', variant_id: 'var_large', quantity: 1 }), 'items.0.variant_id'],
    ['a product with variants without one', items({ product_id: 'prd_cake', quantity: 1 }), 'items.0.variant_id'],
    ['two currencies', items({ product_id: 'prd_bread', quantity: 1 }, { product_id: 'prd_foreign', quantity: 1 }), 'items.1'],
    ['a product in another currency than the account', items({ product_id: 'prd_foreign', quantity: 1 }), 'items.0'],
    ['an amount at the bound', items({ product_id: 'prd_dear', quantity: 1 }, { product_id: 'prd_bread', quantity: 1 }), 'items'],
    ['quantity 0', items({ product_id: 'prd_bread', quantity: 0 }), 'items.0.quantity'],
    ['half a bread', items({ product_id: 'prd_bread', quantity: 0.5 }), 'items.0.quantity'],
    ['a huge quantity', items({ product_id: 'prd_bread', quantity: 1e9 }), 'items.0.quantity'],
    ['no date', { delivery_date: undefined }, 'delivery_date'],
    ['a date that does not exist', { delivery_date: '2030-02-30' }, 'delivery_date'],
    ['a blocked date', { delivery_date: blockedDay }, 'delivery_date'],
    ['a time that no slot starts at', { delivery_time: '08:30' }, 'delivery_time'],
    ['no time although there are slots', { delivery_time: null }, 'delivery_time'],
    ['a slot of another type', { delivery_type: 'delivery', delivery_time: '08:00' }, 'delivery_time'],
    ['a slot of another weekday', { delivery_type: 'delivery', delivery_time: '11:00', delivery_date: '2030-03-13' }, 'delivery_time'],
    ['an unknown type', { delivery_type: 'drone' }, 'delivery_type'],
    ['an unknown custom field', { custom_fields: { colour: 'red' } }, 'custom_fields.colour'],
    ['a customer without email and phone', { customer: { first_name: 'Ada' } }, 'customer.email'],
    ['no success_url', { success_url: undefined }, 'success_url'],
    ['plain http', { success_url: 'http://shop.example.com/' }, 'success_url'],
    ['http on loopback', { cancel_url: 'http://127.0.0.1:8080/' }, 'cancel_url'],
  ])('POST /checkout rejects %s and writes nothing', async (_, fields, field) => {
    world.wire.reset();
    const { status, body } = await shop.open(fields);
    expect([status, body.error]).toEqual([400, { type: 'validation_error', code: 'invalid_value', message: expect.any(String), field }]);
    expect(world.wire.calls.map(({ operation }) => operation)).not.toContain('PutItem');
  });

  test('POST /checkout rejects a session at the order limit, with limit, current and max', async () => {
    const full = await openShop(world, { account: { order_limit: 1 } });
    expect((await full.open()).status).toBe(201);
    await world.store.commit([world.store.counters.orderCountWrite(full.account.id, orderMonth(world.clock.now()), 1)]);
    const { status, body } = await full.open();
    expect([status, body.error]).toMatchObject([403, { code: 'limit_reached', limit: 'orders_per_month', current: 1, max: 1 }]);
  });
});

describe('a delivery date', () => {
  /** 23:30 on 10 March in UTC: 11 March in Kiritimati, 10 March in Honolulu. */
  const nowMs = Date.parse('2026-03-10T23:30:00Z');
  test.each<[string | null, string, number]>([
    ['UTC', '2026-03-10', 201],
    ['UTC', '2026-03-09', 400],
    ['Pacific/Kiritimati', '2026-03-11', 201],
    ['Pacific/Kiritimati', '2026-03-10', 400],
    ['Pacific/Honolulu', '2026-03-10', 201],
    ['Pacific/Honolulu', '2026-03-09', 400],
    [null, '2026-03-10', 201],
    [null, '2026-03-09', 400],
    [null, '1999-12-31', 400],
  ])('a delivery date in the time zone %s, %s, gives %i', async (timezone, delivery_date, status) => {
    const bakery = await startWorld();
    try {
      bakery.clock.advance(nowMs - bakery.clock.now());
      const here = await openShop(bakery, { account: { timezone } });
      const { status: actual, body } = await here.open({ delivery_type: 'dispatch', delivery_date });
      expect([actual, body.error?.field]).toEqual([status, status === 400 ? 'delivery_date' : undefined]);
    } finally {
      await bakery.stop();
    }
  });

  test('a delivery date that passes after the session was accepted does not stop the payment', async () => {
    const bakery = await startWorld();
    try {
      const here = await openCounter(bakery, { fields: { delivery_date: '2026-03-10' } });
      bakery.clock.advance(23 * 3_600_000);
      await here.pay('4242 4242 4242 4242');
      expect((await here.session()).status).toBe('paid');
    } finally {
      await bakery.stop();
    }
  });
});

test('only the local service accepts return URLs with plain HTTP on this machine', async () => {
  const local = await startWorld({ policy: { allowLoopback: true, timeScale: 1 } });
  try {
    const here = await openShop(local);
    expect((await here.open({ success_url: 'http://127.0.0.1:8080/a' })).status).toBe(201);
    expect((await here.open({ success_url: 'http://shop.example.com/a' })).status).toBe(400);
  } finally {
    await local.stop();
  }
});
