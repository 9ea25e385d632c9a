import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { writeCustomer, writeOrder } from '../support/shop.ts';
import { type Dashboard, startDashboard } from './dashboard.ts';

let dashboard: Dashboard;
let account: string;
beforeAll(async () => {
  dashboard = await startDashboard();
  account = await dashboard.openAccount();
});
afterEach(() => dashboard.wire.intercept(undefined));
afterAll(() => dashboard.stop());

/**
 * Lets the next write of that kind succeed and loses its response, as a broken connection would.
 * The client library repeats the write after `meanwhile`.
 */
const loseNextAnswer = (operation = 'TransactWriteItems', meanwhile: () => Promise<unknown> = async () => {}): void => {
  let lost = false;
  dashboard.wire.intercept(async (call, send) => {
    const answer = await send();
    if (lost || call.operation !== operation) return answer;
    lost = true;
    await meanwhile();
    throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET', name: 'TimeoutError' });
  });
};

test('a move of an order is made once, and its customer’s totals go back once', async () => {
  const customer = await writeCustomer(dashboard.services, account, { total_orders: 2, total_spent: 80 });
  const { id } = await writeOrder(dashboard.services, account, {}, customer);
  loseNextAnswer();
  expect(await dashboard.act('order.set_status', account, { id, status: 'cancelled' })).toMatchObject({ previous_status: 'pending' });
  const { store } = dashboard.services;
  expect((await store.orders.get(account, id))?.revision).toBe(2);
  expect((await store.customers.get(account, customer.id))?.record).toMatchObject({ total_orders: 1, total_spent: 40 });
});

test('a refund is given once', async () => {
  const order = await writeOrder(dashboard.services, account);
  const { id } = await dashboard.act('payment.create', account, { order_id: order.id, amount: 40 });
  dashboard.clock.advance(1);
  loseNextAnswer();
  await dashboard.act('payment.refund', account, { id, amount: 30 });
  const payments = await dashboard.services.store.payments.ofOrder(account, order.id);
  expect(payments.map(({ type, amount, refunded_amount }) => [type, amount, refunded_amount])).toEqual([
    ['payment', 40, 30],
    ['refund', 30, 0],
  ]);
});

test('stock is adjusted once', async () => {
  const flour = { type: 'ingredient', name: 'Flour', current_stock: 10, reorder_point: 2, unit: 'kg' };
  const { id } = await dashboard.act('inventory.put', account, flour);
  loseNextAnswer();
  expect(await dashboard.act('inventory.adjust', account, { id, delta: -3 })).toMatchObject({ current_stock: 7 });
  expect(await dashboard.services.store.inventory.get(account, id)).toMatchObject({ revision: 2, record: { current_stock: 7 } });
});

test('an email moves once, without a rejection for the one that has just been claimed', async () => {
  const { id } = await writeCustomer(dashboard.services, account);
  loseNextAnswer();
  expect(await dashboard.act('customer.update', account, { id, email: 'new@example.com' })).toMatchObject({ email: 'new@example.com' });
  expect((await dashboard.services.store.customers.get(account, id))?.revision).toBe(2);
});

test('a move that is one put is made once', async () => {
  const { id } = await writeOrder(dashboard.services, account);
  loseNextAnswer('PutItem');
  expect(await dashboard.act('order.set_status', account, { id, status: 'ready' })).toMatchObject({ previous_status: 'pending' });
  expect((await dashboard.services.store.orders.get(account, id))?.revision).toBe(2);
});

test('a move that is one put is made again on top of another move that came before its repetition', async () => {
  const { id } = await writeOrder(dashboard.services, account);
  loseNextAnswer('PutItem', () => dashboard.act('order.set_status', account, { id, status: 'in_production' }));
  expect(await dashboard.act('order.set_status', account, { id, status: 'ready' })).toMatchObject({ previous_status: 'in_production' });
  expect((await dashboard.services.store.orders.get(account, id))?.revision).toBe(4);
});

test('of two equal moves at the same moment one is made, and the other fails', async () => {
  const { id } = await writeOrder(dashboard.services, account);
  const moves = ['ready', 'ready'].map((status) => dashboard.call({ action: 'order.set_status', account, input: { id, status } }));
  expect((await Promise.all(moves)).map(({ ok }) => ok).toSorted()).toEqual([false, true]);
  expect((await dashboard.services.store.orders.get(account, id))?.revision).toBe(2);
});
