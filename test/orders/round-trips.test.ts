import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startWorld, type World } from '../support/world.ts';
import { type OrderingShop, openShop } from './shop.ts';

let world: World;
let shop: OrderingShop;
beforeAll(async () => {
  world = await startWorld();
  shop = await openShop(world);
});
afterAll(() => world.stop());

const tripsOf = async (run: () => Promise<{ status: number }>): Promise<number> => {
  world.wire.reset();
  expect((await run()).status).toBeLessThan(300);
  return world.wire.sequentialTrips();
};

const everything = {
  items: [
    { product_id: 'prd_bread', quantity: 1 },
    { name: 'Cake', quantity: 1, unit_price: 1 },
  ],
  payments: [{ amount: 1 }],
  custom_fields: { theme: 'Lilac' },
};

test('POST /orders takes three trips: checks and reads, number and customer, commit', async () => {
  const headers = { 'Idempotency-Key': 'k' };
  const known = { email: 'ada@example.com' };
  await shop.get('/orders');
  expect(await tripsOf(() => shop.post({ ...everything, customer: known }, { headers }))).toBe(3);
  expect(await tripsOf(() => shop.post({ ...everything, customer: known }))).toBe(3);
  const [{ customer_id }] = (await shop.get('/orders')).body.data;
  expect(await tripsOf(() => shop.post({ ...everything, customer: { id: customer_id } }))).toBe(3);
  expect(await tripsOf(() => shop.post())).toBe(3);
});

test('a replay, GET /orders/{id}, a page of the list and the next page take one trip each', async () => {
  const headers = { 'Idempotency-Key': 'again' };
  const { body } = await shop.post(everything, { headers });
  expect(await tripsOf(() => shop.post(everything, { headers }))).toBe(1);
  expect(await tripsOf(() => shop.get(`/orders/${body.id}`))).toBe(1);
  expect(await tripsOf(() => shop.get('/orders?limit=1&status=pending,confirmed,ready'))).toBe(1);
  const page = (await shop.get('/orders?limit=1&status=pending,confirmed,ready')).body;
  expect(await tripsOf(() => shop.get(`/orders?limit=1&status=pending,confirmed,ready&cursor=${page.pagination.next_cursor}`))).toBe(1);
});
