import { beforeEach, describe, expect, test } from '@jest/globals';
import { orderPaymentStatuses, orderStatuses } from '../../shared/domain/enumerations.ts';
import { openApi } from '../support/openapi.ts';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';
import { cake, type OrderingShop, openShop } from './shop.ts';

// Guarantee 15 (docs/guarantees.md)

const world = shared(startWorld);
let shop: OrderingShop;
beforeEach(async () => {
  shop = await openShop(world);
});

const created = async (fields: object) => {
  const { status, body } = await shop.post(fields);
  expect([status, body.error]).toEqual([201, undefined]);
  return body;
};

test('POST /orders returns an address with several fields as it was sent', async () => {
  const delivery_address = { line1: '1 High Street', line2: null, city: 'Springfield' };
  expect((await created({ delivery_address })).delivery_address).toEqual(delivery_address);
});

describe('the response of POST /orders', () => {
  test('the response of POST /orders has exactly the documented fields, with defaults for those that were not sent', async () => {
    const { status, body } = await shop.post();
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        id: expect.stringMatching(/^ord_/),
        order_number: 1,
        friendly_order_number: '#1',
        external_id: null,
        status: 'pending',
        payment_status: 'pending',
        subtotal: 40,
        tax: 0,
        delivery_fee: 0,
        discount: 0,
        total: 40,
        currency: 'USD',
        customer_id: null,
        customer_name: null,
        customer_email: null,
        customer_phone: null,
        delivery_type: 'pickup',
        delivery_date: null,
        delivery_time: null,
        items_count: 1,
        order_type: null,
        source: 'api',
        created_at: '2026-03-10T09:00:00.000Z',
        updated_at: '2026-03-10T09:00:00.000Z',
        items: [
          { id: expect.any(String), product_id: null, variant_id: null, name: 'Cake', quantity: 1, unit_price: 40, total: 40, notes: null },
        ],
        payment_method: null,
        event_category: null,
        delivery_address: null,
        notes: null,
        custom_fields: {},
        metadata: {},
      },
    });
  });

  test('the response of POST /orders has what was sent, and GET returns the same with the payments', async () => {
    const sent = {
      status: 'confirmed',
      payment_status: 'partial_payment',
      payment_method: '  Store <b>voucher</b> ',
      delivery_type: 'delivery',
      delivery_date: '2028-02-29',
      delivery_time: '09:30',
      delivery_address: '1 High Street\nSpringfield',
      delivery_fee: 5,
      discount: 3.3,
      tax: 2.15,
      currency: 'EUR',
      order_type: 'custom',
      event_category: 'Anything at all',
      external_id: 'shop-17',
      notes: 'Ring <b>twice</b>',
      custom_fields: { theme: 'Lilac', cf_legacy: ['a', 'b'], margin: 0.25 },
      metadata: { utm: 'spring', empty: '' },
    };
    const body = await created({ ...sent, emit_webhooks: true, items: [{ ...cake, quantity: 3, notes: 'No nuts' }, cake] });
    expect(body).toMatchObject({ ...sent, subtotal: 160, total: 163.85, items_count: 2 });
    expect(body.items).toMatchObject([{ quantity: 3, total: 120, notes: 'No nuts' }, { total: 40 }]);
    expect((await shop.get(`/orders/${body.id}`)).body).toEqual({ ...body, payments: [] });
  });

  test('the response of POST /orders ignores fields that the service controls', async () => {
    const forged = {
      id: 'ord_forged',
      order_number: 99,
      subtotal: 1,
      total: 1,
      source: 'dashboard',
      created_at: '2020-01-01',
      items_count: 9,
    };
    expect(await created({ ...forged, items: [{ ...cake, id: 'x', total: 1 }] })).toMatchObject({
      id: expect.not.stringMatching('forged'),
      order_number: 1,
      subtotal: 40,
      total: 40,
      source: 'api',
      items: [{ id: expect.not.stringMatching('^x$'), total: 40 }],
    });
  });

  test('the response of POST /orders treats null as absent in each field', async () => {
    const { items, ...optional } = openApi.components.schemas['OrderInput'].properties;
    expect(items).toBeDefined();
    const nulls = Object.fromEntries(Object.keys(optional).map((name) => [name, null]));
    const { id: _, order_number: __, friendly_order_number: ___, items: ____, ...absent } = await created({});
    expect(await created(nulls)).toMatchObject(absent);
  });
});

test.each(orderStatuses)('an order may start as %s', async (status) => {
  expect(await created({ status })).toMatchObject({ status });
});

test.each(orderPaymentStatuses)('an order may start with its payment %s', async (payment_status) => {
  expect(await created({ payment_status })).toMatchObject({ payment_status });
});

test('a dispatch order has no time even if one was sent; a delivery keeps its time', async () => {
  const when = { delivery_date: '2026-04-01', delivery_time: '23:59' };
  expect(await created({ delivery_type: 'dispatch', ...when })).toMatchObject({ delivery_date: '2026-04-01', delivery_time: null });
  expect(await created({ delivery_type: 'delivery', ...when })).toMatchObject({ delivery_time: '23:59' });
});

test('each account has its own increasing order numbers', async () => {
  const numbers = [];
  for (const _ of [1, 2, 3]) numbers.push((await created({})).order_number);
  expect(numbers).toEqual([1, 2, 3]);
  expect((await (await openShop(world)).post()).body.order_number).toBe(1);
});

test('a rejected order uses no number', async () => {
  for (const fields of [{ discount: 41 }, { customer: { id: 'cus_unknown' } }]) expect((await shop.post(fields)).status).toBe(400);
  expect((await created({})).order_number).toBe(1);
});

describe('items of an order', () => {
  test('items of an order take name and price from the product, unless they are sent', async () => {
    const items = [
      { product_id: 'prd_bread', quantity: 2 },
      { product_id: 'prd_bread', quantity: 1, name: 'Rye', unit_price: 0 },
    ];
    expect((await created({ items })).items).toMatchObject([
      { product_id: 'prd_bread', name: 'Sourdough', quantity: 2, unit_price: 6.5, total: 13 },
      { product_id: 'prd_bread', name: 'Rye', unit_price: 0, total: 0 },
    ]);
  });

  test('POST /orders accepts 100 items, each with its own id, in the order of the body', async () => {
    const items = Array.from({ length: 100 }, (_, i) => ({ ...cake, name: `Cake ${i}`, unit_price: 0.01 }));
    const body = await created({ items });
    expect(body).toMatchObject({ items_count: 100, total: 1 });
    expect(body.items.map(({ name }: { name: string }) => name)).toEqual(items.map(({ name }) => name));
    expect(new Set(body.items.map(({ id }: { id: string }) => id)).size).toBe(100);
  });

  test('the items of an order can name 100 products', async () => {
    const { store } = world;
    const bread = (await store.products.get(shop.account, 'prd_bread'))?.record;
    if (!bread) throw new Error('No bread.');
    const ids = Array.from({ length: 100 }, (_, i) => `prd_${i}`);
    await store.commit(ids.map((id) => store.products.createWrite(shop.account, { ...bread, id })));
    expect(await created({ items: ids.map((product_id) => ({ product_id, quantity: 1 })) })).toMatchObject({ total: 650 });
  });

  test('items of an order are rounded to whole cents: 3 × 0.07 is 0.21, 1.005 is 1.01', async () => {
    expect(await created({ items: [{ ...cake, quantity: 3, unit_price: 0.07 }] })).toMatchObject({ subtotal: 0.21 });
    expect(await created({ items: [{ ...cake, quantity: 2, unit_price: 1.005 }] })).toMatchObject({ subtotal: 2.02 });
  });

  test('items of an order can have a total of 0, also because of a discount', async () => {
    expect(await created({ discount: 40 })).toMatchObject({ subtotal: 40, discount: 40, total: 0 });
  });
});

describe('the currency of an order', () => {
  test("the currency of an order becomes upper case, and is the account's if none is sent", async () => {
    expect(await created({ currency: 'nzd' })).toMatchObject({ currency: 'NZD' });
    shop = await openShop(world, { currency: 'GBP' });
    expect(await created({})).toMatchObject({ currency: 'GBP' });
  });

  test('the currency of an order is AUD if the account has none either', async () => {
    shop = await openShop(world, { currency: null });
    expect(await created({})).toMatchObject({ currency: 'AUD' });
  });
});

describe('an item of a product in another currency than the order', () => {
  const bread = { product_id: 'prd_bread', quantity: 2 };
  const rejectionOf = async (fields: object) => {
    const { status, body } = await shop.post(fields);
    return [status, body.error.code, body.error.field];
  };

  test.each([
    ['items.0', { currency: 'EUR', items: [bread] }],
    ['items.2', { currency: 'eur', items: [cake, { ...bread, unit_price: 6 }, bread] }],
    ['items.1', { currency: 'EUR', items: [cake, { ...bread, name: 'Rye' }] }],
  ])('an item in another currency than the order is rejected at %s in %j', async (field, fields) => {
    expect(await rejectionOf(fields)).toEqual([400, 'invalid_value', field]);
    expect((await shop.get('/orders')).body.data).toEqual([]);
  });

  test('an item of a product in another currency is accepted if its price is sent', async () => {
    expect(await created({ currency: 'EUR', items: [{ ...bread, unit_price: 6 }] })).toMatchObject({ currency: 'EUR', total: 12 });
    expect(await created({ currency: 'EUR', items: [{ ...bread, unit_price: 0 }] })).toMatchObject({ currency: 'EUR', total: 0 });
  });

  test("an item in another currency is rejected if the order's currency is the account's or the default AUD", async () => {
    shop = await openShop(world, { currency: 'GBP' });
    expect(await rejectionOf({ items: [bread] })).toEqual([400, 'invalid_value', 'items.0']);
    expect(await created({ currency: 'USD', items: [bread] })).toMatchObject({ currency: 'USD', total: 13 });
    shop = await openShop(world, { currency: null });
    expect(await rejectionOf({ items: [bread] })).toEqual([400, 'invalid_value', 'items.0']);
  });
});
