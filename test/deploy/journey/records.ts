import assert from 'node:assert/strict';
import { until } from '../until.ts';
import type { Shop } from './shop.ts';

const deadlineMs = 30_000;

/** Lists may lag a write. */
const untilListed = ({ call }: Shop, path: string, id: string): Promise<unknown> =>
  until(`${path} lists ${id}`, deadlineMs, async () => {
    const { body } = await call('GET', path);
    return body.data?.some((item: { id: string }) => item.id === id);
  });

export const checkExpenses = async (shop: Shop): Promise<void> => {
  const { check, call } = shop;
  const input = { amount: 12.505, date: '2026-03-01', category: 'Ingredients', description: 'Yeast' };
  await check('an expense is created, read and listed; its repetition under the same key is the same expense', async () => {
    const headers = { 'idempotency-key': 'first-expense' };
    const created = await call('POST', '/expenses', input, { headers });
    assert.deepEqual([created.status, created.body.amount, created.body.category], [201, 12.51, 'ingredients']);
    const replayed = await call('POST', '/expenses', input, { headers });
    assert.deepEqual([replayed.status, replayed.headers['idempotent-replayed'], replayed.text], [201, 'true', created.text]);
    const other = await call('POST', '/expenses', { ...input, amount: 1 }, { headers });
    assert.deepEqual([other.status, other.body.error.code], [422, 'idempotency_key_reused']);
    assert.deepEqual((await call('GET', `/expenses/${created.body.id}`)).body, created.body);
    await untilListed(shop, '/expenses?category=ingredients', created.body.id);
  });
  await check('what is wrong with a body is said by name', async () => {
    const { status, body } = await call('POST', '/expenses', { ...input, amount: 0 });
    assert.deepEqual([status, body.error.field], [400, 'amount']);
  });
};

/** Resolves with the product that the checkout sells. */
export const checkCatalog = async (shop: Shop): Promise<string> => {
  const { check, call, act, publishableKey } = shop;
  let product = '';
  await check('a product of the dashboard is on the storefront', async () => {
    ({ id: product } = await act('product.create', { name: 'Rye', price: 7.25, storefront_visible: true }));
    await until('the product is listed', deadlineMs, async () => {
      const { body } = await call('GET', '/products', undefined, { key: publishableKey });
      return body.data?.some(({ id }: { id: string }) => id === product);
    });
    assert.equal((await call('POST', '/products/search-token', {}, { key: publishableKey })).body.error.code, 'search_not_configured');
  });
  return product;
};

export const checkOrders = async (shop: Shop): Promise<void> => {
  const { check, call } = shop;
  await check('a customer orders; email addresses are unique', async () => {
    const created = await call('POST', '/customers', { first_name: 'Ada', last_name: 'Baker', email: 'ada@example.com' });
    assert.equal(created.status, 201);
    const again = await call('POST', '/customers', { last_name: 'Baker', email: 'ADA@example.com' });
    assert.deepEqual([again.status, again.body.error.code], [409, 'conflict']);
    const items = [{ name: 'Sourdough', quantity: 2, unit_price: 6.4 }];
    const payments = [{ amount: 12.8, method: 'card', status: 'completed' }];
    const order = await call('POST', '/orders', { customer: { id: created.body.id }, items, payments, emit_webhooks: true });
    assert.deepEqual([order.status, order.body.total, order.body.customer_name], [201, 12.8, 'Ada Baker']);
    assert.equal((await call('GET', `/orders/${order.body.id}`)).body.payments.length, 1);
    assert.equal((await call('GET', `/customers/${created.body.id}`)).body.total_orders, 1);
    await untilListed(shop, `/orders?customer_id=${created.body.id}`, order.body.id);
  });
};
