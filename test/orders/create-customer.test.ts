import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { rejectWith } from '../support/faults.ts';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';
import { type OrderingShop, openShop } from './shop.ts';

const world = shared(startWorld);
let shop: OrderingShop;
beforeEach(async () => {
  shop = await openShop(world);
});
afterEach(() => world.wire.intercept(undefined));

const ada = { first_name: 'Ada', last_name: 'Baker', email: 'Ada@Example.com', phone: '+1 555 0100', company: 'Mill' };
const order = async (fields: object) => {
  const { status, body } = await shop.post(fields);
  expect([status, body.error]).toEqual([201, undefined]);
  return body;
};
const customerOf = async (id: string) => (await shop.get(`/customers/${id}`)).body;
const customers = async () => (await shop.get('/customers')).body.data;

describe('a customer that POST /orders names by details', () => {
  test('POST /orders creates the customer with the order, which has the name, email and phone', async () => {
    const made = await order({ customer: ada });
    expect(made).toMatchObject({ customer_name: 'Ada Baker', customer_email: 'Ada@Example.com', customer_phone: '+1 555 0100' });
    expect(await customerOf(made.customer_id)).toMatchObject({
      ...ada,
      total_orders: 1,
      total_spent: 40,
      last_order_date: '2026-03-10T09:00:00.000Z',
      tags: [],
      is_blacklisted: false,
      marketing_email: null,
    });
  });

  test('POST /orders uses the stored customer with the email, in any case, and does not change it', async () => {
    const { body: known } = await world.request('POST', '/customers', { key: shop.key, body: ada });
    world.clock.advance(60_000);
    const made = await order({ customer: { email: 'aDA@example.COM', first_name: 'Somebody', phone: '0' } });
    expect(made).toMatchObject({
      customer_id: known.id,
      customer_name: 'Somebody',
      customer_email: 'aDA@example.COM',
      customer_phone: '0',
    });
    expect(await customerOf(known.id)).toEqual({ ...known, total_orders: 1, total_spent: 40, last_order_date: made.created_at });
    expect(await customers()).toHaveLength(1);
  });

  test('the stored customer supplies the details that POST /orders does not send', async () => {
    await world.request('POST', '/customers', { key: shop.key, body: ada });
    expect(await order({ customer: { email: ada.email } })).toMatchObject({
      customer_name: 'Ada Baker',
      customer_email: ada.email,
      customer_phone: '+1 555 0100',
    });
  });

  test.each([{ phone: '0' }, { last_name: 'Baker' }])(
    'POST /orders creates a customer without an email each time: %j',
    async (customer) => {
      const [first, second] = [await order({ customer }), await order({ customer })];
      expect(first.customer_id).not.toBe(second.customer_id);
    },
  );

  test("POST /orders never uses another account's customer", async () => {
    const other = await openShop(world);
    const { body } = await other.post({ customer: ada });
    expect((await order({ customer: ada })).customer_id).not.toBe(body.customer_id);
  });
});

test('a customer that POST /orders names by id is used, whatever other fields are sent', async () => {
  const { body: known } = await world.request('POST', '/customers', { key: shop.key, body: { last_name: 'Baker' } });
  const made = await order({ customer: { id: known.id, email: 'other@example.com', first_name: 'X' } });
  expect(made).toMatchObject({ customer_id: known.id, customer_name: 'Baker', customer_email: null });
});

describe("totals of an order's customer", () => {
  test("totals of an order's customer count every order exactly, in the account’s currency", async () => {
    const customer = { email: 'ada@example.com' };
    const item = (unit_price: number) => ({ items: [{ name: 'Bun', quantity: 1, unit_price }] });
    const [{ customer_id }] = [await order({ customer, ...item(0.1) }), await order({ customer, ...item(0.2) })];
    await order({ customer, ...item(7), currency: 'EUR' });
    expect(await customerOf(customer_id)).toMatchObject({ total_orders: 3, total_spent: 0.3 });
  });

  test("totals of an order's customer do not include a cancelled order, for a new and for a known customer", async () => {
    const { customer_id } = await order({ customer: ada, status: 'cancelled' });
    const none = { total_orders: 0, total_spent: 0, last_order_date: null };
    expect(await customerOf(customer_id)).toMatchObject(none);
    await order({ customer: { id: customer_id }, status: 'cancelled' });
    expect(await customerOf(customer_id)).toMatchObject(none);
  });

  test("totals of an order's customer never change updated_at, and are exact after many simultaneous orders", async () => {
    const { body: known } = await world.request('POST', '/customers', { key: shop.key, body: ada });
    world.clock.advance(5_000);
    await Promise.all(Array.from({ length: 20 }, () => order({ customer: { id: known.id } })));
    expect(await customerOf(known.id)).toMatchObject({ total_orders: 20, total_spent: 800, updated_at: known.updated_at });
  });
});

describe('simultaneous orders with the same new customer', () => {
  test('20 simultaneous orders with the same new customer all succeed with one customer', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => order({ customer: ada })));
    const [customer, ...others] = await customers();
    expect(others).toEqual([]);
    expect(new Set(made.map(({ customer_id }) => customer_id))).toEqual(new Set([customer.id]));
    expect(customer).toMatchObject({ total_orders: 20, total_spent: 800 });
    expect(new Set(made.map(({ order_number }) => order_number)).size).toBe(20);
  });

  test("simultaneous orders with the same new customer use the first one's customer if they commit second", async () => {
    let first: { customer_id: string } | undefined;
    world.wire.intercept(async (call, send) => {
      if (call.operation === 'TransactWriteItems') {
        world.wire.intercept(undefined);
        first = await order({ customer: ada });
      }
      return send();
    });
    const second = await order({ customer: { ...ada, first_name: 'Second' } });
    expect(second).toMatchObject({ customer_id: first?.customer_id, customer_name: 'Second Baker' });
  });

  test('simultaneous orders with the same new customer fail with a conflict if they lose repeatedly, and leave no trace', async () => {
    let rounds = 0;
    const { store } = world;
    world.wire.intercept(async (call, send) => {
      if (call.operation !== 'TransactWriteItems' || !JSON.stringify(call.input).includes(`"ord#${shop.account}"`)) return send();
      rounds += 1;
      const reasons = (call.input['TransactItems'] as object[]).map((item) => JSON.stringify(item).includes('"cue#'));
      return rejectWith('TransactionCanceledException', {
        CancellationReasons: reasons.map((taken) => ({ Code: taken ? 'ConditionalCheckFailed' : 'None' })),
      });
    });
    const { status, body } = await shop.post({ customer: ada });
    world.wire.intercept(undefined);
    expect([status, body.error]).toEqual([
      409,
      { type: 'conflict', code: 'conflict', message: expect.any(String), field: 'customer.email' },
    ]);
    expect(rounds).toBe(3);
    expect([(await shop.get('/orders')).body.data, await customers()]).toEqual([[], []]);
    expect(await store.counters.ordersIn(shop.account, '2026-03')).toBe(0);
  });
});
