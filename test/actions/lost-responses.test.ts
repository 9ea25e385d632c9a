import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { shared } from '../support/shared.ts';
import { writeCustomer, writeOrder } from '../support/shop.ts';
import { startDashboard } from './dashboard.ts';

const dashboard = shared(startDashboard);
let account: string;
beforeAll(async () => {
  account = await dashboard.openAccount();
});
afterEach(() => dashboard.wire.intercept(undefined));

/**
 * Lets the next write with this operation succeed and loses its response, as a broken connection
 * would. The SDK repeats the write after `meanwhile`.
 */
const loseNextResponse = (operation = 'TransactWriteItems', meanwhile: () => Promise<unknown> = async () => {}): void => {
  let lost = false;
  dashboard.wire.intercept(async (call, send) => {
    const response = await send();
    if (lost || call.operation !== operation) return response;
    lost = true;
    await meanwhile();
    throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET', name: 'TimeoutError' });
  });
};

test("a cancellation with a lost response writes the change and the customer's totals once", async () => {
  const customer = await writeCustomer(dashboard.services, account, { total_orders: 2, total_spent: 80 });
  const { id } = await writeOrder(dashboard.services, account, {}, customer);
  loseNextResponse();
  expect(await dashboard.act('order.set_status', account, { id, status: 'cancelled' })).toMatchObject({ previous_status: 'pending' });
  const { store } = dashboard.services;
  expect((await store.orders.get(account, id))?.revision).toBe(2);
  expect((await store.customers.get(account, customer.id))?.record).toMatchObject({ total_orders: 1, total_spent: 40 });
});

test('a refund with a lost response is made once', async () => {
  const order = await writeOrder(dashboard.services, account);
  const { id } = await dashboard.act('payment.create', account, { order_id: order.id, amount: 40 });
  dashboard.clock.advance(1);
  loseNextResponse();
  await dashboard.act('payment.refund', account, { id, amount: 30 });
  const payments = await dashboard.services.store.payments.ofOrder(account, order.id);
  expect(payments.map(({ type, amount, refunded_amount }) => [type, amount, refunded_amount])).toEqual([
    ['payment', 40, 30],
    ['refund', 30, 0],
  ]);
});

test('an adjustment with a lost response changes the stock once', async () => {
  const flour = { type: 'ingredient', name: 'Flour', current_stock: 10, reorder_point: 2, unit: 'kg' };
  const { id } = await dashboard.act('inventory.put', account, flour);
  loseNextResponse();
  expect(await dashboard.act('inventory.adjust', account, { id, delta: -3 })).toMatchObject({ current_stock: 7 });
  expect(await dashboard.services.store.inventory.get(account, id)).toMatchObject({ revision: 2, record: { current_stock: 7 } });
});

test('a change of email with a lost response does not fail for the email that it has just reserved', async () => {
  const { id } = await writeCustomer(dashboard.services, account);
  loseNextResponse();
  expect(await dashboard.act('customer.update', account, { id, email: 'new@example.com' })).toMatchObject({ email: 'new@example.com' });
  expect((await dashboard.services.store.customers.get(account, id))?.revision).toBe(2);
});

test('a status change by one put with a lost response is made once', async () => {
  const { id } = await writeOrder(dashboard.services, account);
  loseNextResponse('PutItem');
  expect(await dashboard.act('order.set_status', account, { id, status: 'ready' })).toMatchObject({ previous_status: 'pending' });
  expect((await dashboard.services.store.orders.get(account, id))?.revision).toBe(2);
});

test('a status change by a lost put is repeated after another change that came first', async () => {
  const { id } = await writeOrder(dashboard.services, account);
  loseNextResponse('PutItem', () => dashboard.act('order.set_status', account, { id, status: 'in_production' }));
  expect(await dashboard.act('order.set_status', account, { id, status: 'ready' })).toMatchObject({ previous_status: 'in_production' });
  expect((await dashboard.services.store.orders.get(account, id))?.revision).toBe(4);
});
