import { expect, test } from '@jest/globals';
import { shared } from '../support/shared.ts';
import { writeCustomer } from '../support/shop.ts';
import { startWorld } from '../support/world.ts';

const world = shared(startWorld);

test("an order that commits after a newer one keeps the newer one's last_order_date", async () => {
  const { id: account } = await world.createAccount();
  const { id } = await writeCustomer(world, account);
  const { customers } = world.store;
  const add = (lastOrderDate: string) =>
    world.store.commit([customers.totalsWrite(account, id, { orders: 1, spent: 1, lastOrderDate }, () => new Error('overtaken'))]);
  await add('2026-03-10T09:00:00.002Z');
  await expect(add('2026-03-10T09:00:00.001Z')).rejects.toThrow('overtaken');
  const key = await world.createKey(account);
  world.clock.advance(-86_400_000 * 365);
  const body = { customer: { id }, items: [{ name: 'Bun', unit_price: 1, quantity: 1 }] };
  expect((await world.request('POST', '/orders', { key, body })).status).toBe(201);
  expect((await customers.get(account, id))?.record.last_order_date).toBe('2026-03-10T09:00:00.002Z');
});
