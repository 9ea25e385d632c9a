import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Customer } from '../../shared/domain/customer/fields.ts';
import { orderStatuses } from '../../shared/domain/enumerations.ts';
import type { Order } from '../../shared/domain/order/fields.ts';
import { shared } from '../support/shared.ts';
import { writeCustomer, writeOrder } from '../support/shop.ts';
import { startDashboard } from './dashboard.ts';

const dashboard = shared(startDashboard);
let account: string;
let customer: Customer;
beforeEach(async () => {
  account = await dashboard.openAccount();
  customer = await writeCustomer(dashboard.services, account, { total_orders: 3, total_spent: 100.2 });
});

const addOrder = (fields: Partial<Order> = {}) => writeOrder(dashboard.services, account, fields, customer);
const stored = async (id: string) => (await dashboard.services.store.orders.get(account, id))?.record;
const totals = async () => {
  const found = await dashboard.services.store.customers.get(account, customer.id);
  return { orders: found?.record.total_orders, spent: found?.record.total_spent, revision: found?.revision };
};

/** § Order status transitions, row by row. A status without a row may change to any status. */
const moves: Readonly<Record<string, readonly string[]>> = {
  pending: ['confirmed', 'in_production', 'ready', 'dispatched', 'delivered', 'completed', 'cancelled'],
  confirmed: ['in_production', 'ready', 'dispatched', 'delivered', 'completed', 'cancelled'],
  in_production: ['ready', 'dispatched', 'delivered', 'completed', 'cancelled'],
  ready: ['in_production', 'dispatched', 'delivered', 'completed', 'cancelled'],
  dispatched: ['ready', 'delivered', 'completed', 'cancelled'],
  quote: ['pending', 'confirmed', 'cancelled'],
  delivered: ['completed'],
  completed: [],
  cancelled: [],
};

describe('order.set_status', () => {
  test.each(orderStatuses)('order.set_status from %s accepts exactly the changes that the table allows', async (from) => {
    const allowed: string[] = [];
    for (const to of orderStatuses) {
      const { id } = await addOrder({ status: from });
      const response = await dashboard.call({ action: 'order.set_status', account, input: { id, status: to } });
      if (response.ok) {
        allowed.push(to);
        expect(response.result).toMatchObject({ id, status: to, previous_status: to === from ? null : from });
      } else {
        expect(response).toMatchObject({ status: 409, body: { error: { code: 'conflict', field: 'status' } } });
        expect(await stored(id)).toMatchObject({ status: from, previous_status: null });
      }
    }
    expect(allowed).toEqual(orderStatuses.filter((to) => moves[from]?.includes(to) ?? true));
  });

  test('order.set_status saves the previous status and the time', async () => {
    const order = await addOrder();
    dashboard.clock.advance(1_000);
    const updated_at = new Date(dashboard.clock.now()).toISOString();
    await dashboard.act('order.set_status', account, { id: order.id, status: 'confirmed' });
    expect(await dashboard.services.store.orders.get(account, order.id)).toEqual({
      record: { ...order, status: 'confirmed', previous_status: 'pending', updated_at },
      revision: 2,
    });
  });

  test('order.set_status lists the order under its new status', async () => {
    const { id } = await addOrder();
    await dashboard.act('order.set_status', account, { id, status: 'ready' });
    const ids = async (status: string) =>
      (await dashboard.services.store.orders.list(account, { sort: 'createdAt', where: { status: [status] } }, { limit: 10 })).records.map(
        (record) => record.id,
      );
    expect([await ids('pending'), await ids('ready')]).toEqual([[], [id]]);
  });

  test('order.set_status cancels once if called many times at once, and reduces the totals once', async () => {
    const { id } = await addOrder();
    const input = { id, status: 'cancelled' };
    const responses = await Promise.all(Array.from({ length: 8 }, () => dashboard.call({ action: 'order.set_status', account, input })));
    expect(responses.filter((response) => response.ok)).toHaveLength(1);
    expect(await totals()).toMatchObject({ orders: 2, spent: 60.2 });
  });

  test.each([
    ['status', { status: 'paid' }],
    ['status', {}],
  ])('order.set_status rejects an invalid %s: %j', async (field, input) => {
    const { id } = await addOrder();
    expect(await dashboard.errorOf('order.set_status', account, { id, ...input })).toMatchObject({ status: 400, field });
  });
});

describe("totals of the order's customer", () => {
  test("totals of the order's customer decrease when the order is cancelled, without an event of the customer", async () => {
    const { id } = await addOrder({ total: 40.1 });
    await dashboard.act('order.set_status', account, { id, status: 'cancelled' });
    expect(await totals()).toEqual({ orders: 2, spent: 60.1, revision: 1 });
  });

  test("totals of the order's customer stay exact if a save of the customer and many cancellations happen at once", async () => {
    const orders = await Promise.all(Array.from({ length: 3 }, () => addOrder({ total: 10.1 })));
    await Promise.all([
      ...orders.map(({ id }) => dashboard.act('order.set_status', account, { id, status: 'cancelled' })),
      ...['a', 'b', 'c'].map((notes) => dashboard.act('customer.update', account, { id: customer.id, notes })),
    ]);
    expect(await totals()).toEqual({ orders: 0, spent: 69.9, revision: 4 });
  });
});

describe('order.delete', () => {
  test("order.delete removes the order from every list and from its customer's totals, and keeps the record", async () => {
    const { id } = await addOrder();
    expect(await dashboard.act('order.delete', account, { id })).toEqual({ deleted: true, id });
    const page = await dashboard.services.store.orders.list(account, { sort: 'createdAt' }, { limit: 10 });
    expect(page.records).toEqual([]);
    expect(await stored(id)).toMatchObject({ deleted_at: new Date(dashboard.clock.now()).toISOString() });
    expect(await totals()).toEqual({ orders: 2, spent: 60.2, revision: 1 });
  });

  test('order.delete happens once if called many times at once', async () => {
    const { id } = await addOrder();
    const responses = await Promise.all([1, 2, 3, 4].map(() => dashboard.call({ action: 'order.delete', account, input: { id } })));
    expect(responses.filter((response) => response.ok)).toHaveLength(1);
    for (const response of responses) if (!response.ok) expect(response.status).toBe(404);
    expect(await totals()).toMatchObject({ orders: 2, spent: 60.2 });
  });

  test('order.delete deletes an order without a customer', async () => {
    const { id } = await writeOrder(dashboard.services, account);
    expect(await dashboard.act('order.delete', account, { id })).toEqual({ deleted: true, id });
  });
});

test.each([
  ['order.set_status', { status: 'confirmed' }],
  ['order.delete', {}],
  ['order.update', { status: 'confirmed' }],
])('%s returns 404 for a deleted order', async (action, changes) => {
  const { id } = await addOrder();
  await dashboard.act('order.delete', account, { id });
  expect(await dashboard.errorOf(action, account, { id, ...changes })).toMatchObject({ status: 404, code: 'not_found' });
});
