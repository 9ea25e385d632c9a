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

const update = (id: string, changes: object) => dashboard.act('order.update', account, { id, ...changes });

test("order.update recalculates the order's total and the customer's total_spent", async () => {
  const { id } = await addOrder();
  const items = [
    { name: 'Tart', quantity: 3, unit_price: 4.1 },
    { name: 'Roll', quantity: 1, unit_price: 0.1 },
  ];
  expect(await update(id, { items, tax: 1, delivery_fee: 2.5, discount: 0.9 })).toMatchObject({
    items: [
      { id: `${id}_1`, product_id: null, name: 'Tart', quantity: 3, unit_price: 4.1, total: 12.3, notes: null },
      { id: `${id}_2`, product_id: null, name: 'Roll', quantity: 1, unit_price: 0.1, total: 0.1, notes: null },
    ],
    items_count: 2,
    subtotal: 12.4,
    total: 15,
  });
  expect(await totals()).toEqual({ orders: 3, spent: 75.2, revision: 1 });
  expect(await update(id, { discount: 0 })).toMatchObject({ subtotal: 12.4, total: 15.9 });
  expect(await totals()).toEqual({ orders: 3, spent: 76.1, revision: 1 });
});

test("order.update counts a changed total in the account's present currency, and leaves an unchanged one as it was counted", async () => {
  const { id } = await addOrder({ currency: 'EUR', counted: 0 });
  const items = (unit_price: number) => ({ items: [{ name: 'Roll', quantity: 1, unit_price }] });
  await update(id, items(30));
  expect(await totals()).toMatchObject({ orders: 3, spent: 100.2 });
  await dashboard.act('account.update', account, { id: account, currency: 'EUR' });
  await update(id, { notes: 'Ring twice' });
  expect(await totals()).toMatchObject({ orders: 3, spent: 100.2 });
  await update(id, items(35));
  expect(await totals()).toMatchObject({ orders: 3, spent: 135.2 });
});

test('order.update accepts each allowed status change, including cancellation, and rejects all others', async () => {
  const { id } = await addOrder();
  expect(await update(id, { status: 'pending', notes: 'same' })).toMatchObject({ status: 'pending', previous_status: null });
  expect(await update(id, { status: 'ready' })).toMatchObject({ status: 'ready', previous_status: 'pending' });
  const error = await dashboard.errorOf('order.update', account, { id, status: 'confirmed', notes: 'x' });
  expect(error).toMatchObject({ status: 409, code: 'conflict', field: 'status' });
  await update(id, { status: 'cancelled', tax: 9 });
  expect(await totals()).toMatchObject({ orders: 2, spent: 60.2 });
  expect(await stored(id)).toMatchObject({ notes: 'same', total: 49, status: 'cancelled' });
});

test('order.update removes the time of a dispatch order', async () => {
  const { id } = await addOrder({ delivery_time: '10:00' });
  expect(await update(id, { delivery_type: 'dispatch' })).toMatchObject({ delivery_time: null });
  expect(await update(id, { delivery_time: '11:00' })).toMatchObject({ delivery_time: null });
});

test("order.update takes name and price from offered products and from the order's own items", async () => {
  const tart = await dashboard.act('product.create', account, { name: 'Tart', price: 4 });
  const hidden = await dashboard.act('product.create', account, { name: 'Secret', price: 9, storefront_visible: false });
  const { id } = await addOrder();
  const items = [{ product_id: tart['id'], quantity: 2 }];
  expect(await update(id, { items })).toMatchObject({ items: [{ name: 'Tart', unit_price: 4 }], total: 8 });
  await dashboard.act('product.update', account, { id: tart['id'], price: 5 });
  await dashboard.act('product.delete', account, { id: tart['id'] });
  expect(await update(id, { items: [{ product_id: tart['id'], quantity: 3 }] })).toMatchObject({ total: 12 });
  for (const product_id of [hidden['id'], 'prd_none'])
    expect(await dashboard.errorOf('order.update', account, { id, items: [...items, { product_id, quantity: 1 }] })).toMatchObject({
      status: 400,
      field: 'items.1.product_id',
    });
});

test('order.update rejects a product priced in another currency, unless the order has it already', async () => {
  const euros = await dashboard.act('product.create', account, { name: 'Tart', price: 4, currency: 'EUR' });
  const dollars = await dashboard.act('product.create', account, { name: 'Pie', price: 4, currency: 'USD' });
  const { id } = await addOrder();
  const line = (product: Record<string, any>, fields: object = {}) => ({ product_id: product['id'], quantity: 1, ...fields });
  const before = await stored(id);
  expect(await dashboard.errorOf('order.update', account, { id, items: [line(dollars), line(euros)] })).toMatchObject({
    status: 400,
    code: 'invalid_value',
    field: 'items.1',
  });
  expect(await stored(id)).toEqual(before);
  expect(await update(id, { items: [line(dollars), line(euros, { unit_price: 5 })] })).toMatchObject({ total: 9, currency: 'USD' });
  expect(await update(id, { items: [line(euros, { quantity: 3 })] })).toMatchObject({ total: 15, currency: 'USD' });
});

test("order.update uses the order's currency, even if the account's has changed", async () => {
  const euros = await dashboard.act('product.create', account, { name: 'Tart', price: 4, currency: 'EUR' });
  const { id } = await addOrder({ currency: 'EUR' });
  const dollars = await dashboard.act('product.create', account, { name: 'Pie', price: 4, currency: 'USD' });
  const items = (product: Record<string, any>) => [{ product_id: product['id'], quantity: 2 }];
  expect(await update(id, { items: items(euros) })).toMatchObject({ total: 8, currency: 'EUR' });
  await dashboard.act('account.update', account, { id: account, currency: 'USD' });
  expect(await dashboard.errorOf('order.update', account, { id, items: items(dollars) })).toMatchObject({ status: 400, field: 'items.0' });
});

test('order.update accepts custom fields that are defined or on the order already', async () => {
  await dashboard.act('settings.put', account, { custom_fields: [{ id: 'f1', key: 'icing', scopes: ['order'] }] });
  const { id } = await addOrder({ custom_fields: { old: 'kept' } });
  expect(await update(id, { custom_fields: { icing: 'pink', old: 'new' } })).toMatchObject({
    custom_fields: { icing: 'pink', old: 'new' },
  });
  const error = await dashboard.errorOf('order.update', account, { id, custom_fields: { other: 'x' } });
  expect(error).toMatchObject({ status: 400, code: 'invalid_value', field: 'custom_fields.other' });
});

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

  test('order.set_status cancels once if called many times at once, and reduces the totals once', async () => {
    const { id } = await addOrder();
    const input = { id, status: 'cancelled' };
    const responses = await Promise.all(Array.from({ length: 8 }, () => dashboard.call({ action: 'order.set_status', account, input })));
    expect(responses.filter((response) => response.ok)).toHaveLength(1);
    expect(await totals()).toMatchObject({ orders: 2, spent: 60.2 });
  });
});

test("totals of the order's customer stay exact if a save of the customer and many cancellations happen at once", async () => {
  const orders = await Promise.all(Array.from({ length: 3 }, () => addOrder({ total: 10.1 })));
  await Promise.all([
    ...orders.map(({ id }) => dashboard.act('order.set_status', account, { id, status: 'cancelled' })),
    ...['a', 'b', 'c'].map((notes) => dashboard.act('customer.update', account, { id: customer.id, notes })),
  ]);
  expect(await totals()).toEqual({ orders: 0, spent: 69.9, revision: 4 });
});
