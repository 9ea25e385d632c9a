import { beforeAll, expect, test } from '@jest/globals';
import { shared } from '../support/shared.ts';
import { orderOf, paymentOf } from '../support/shop.ts';
import { startWorld } from '../support/world.ts';
import { type OrderingShop, openShop } from './shop.ts';

const world = shared(startWorld);
let shop: OrderingShop;
beforeAll(async () => {
  shop = await openShop(world);
});

test('GET /orders/{id} returns 404 for a deleted order', async () => {
  const { body: mine } = await shop.post();
  const stored = await world.store.orders.get(shop.account, mine.id);
  if (!stored) throw new Error('No order.');
  const deleted_at = new Date(world.clock.now()).toISOString();
  await world.store.commit([world.store.orders.replaceWrite(shop.account, { ...stored.record, deleted_at }, stored)]);
  expect(await shop.get(`/orders/${mine.id}`)).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
});

test('GET /orders/{id} returns all payments at once, oldest first, also later ones', async () => {
  const { store, clock } = world;
  const { body } = await shop.post({ payments: [{ amount: 1, description: 'first' }] });
  // Together larger than one page of a table query.
  const descriptions = Array.from({ length: 70 }, (_, i) => `${i} ${'x'.repeat(19_900)}`);
  for (const [i, description] of descriptions.entries()) {
    const payment = paymentOf(clock.now() + 1 + i, { order_id: body.id, description });
    await store.commit(store.payments.createWrites(shop.account, payment));
  }
  const { payments } = (await shop.get(`/orders/${body.id}`)).body;
  expect(payments.map(({ description }: { description: string }) => description)).toEqual(['first', ...descriptions]);
});

test('GET /orders/{id} returns values that only imported orders have', async () => {
  const order = orderOf(world.clock.now(), { payment_status: 'legacy_import', payment_method: 'barter', source: 'import' });
  await world.store.commit([world.store.orders.createWrite(shop.account, order)]);
  expect((await shop.get(`/orders/${order.id}`)).body).toMatchObject({ payment_status: 'legacy_import', payment_method: 'barter' });
});
