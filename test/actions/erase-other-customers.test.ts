import { beforeEach, expect, test } from '@jest/globals';
import { openShop, type Shop } from '../checkout/shop.ts';
import { approveCard, openCounter, pendingCard } from '../checkout-page/page.ts';
import { shared } from '../support/shared.ts';
import { startBakeries } from './bakery.ts';

const service = shared(startBakeries);
const ada = { first_name: 'Ada', last_name: 'Crumb', email: 'ada@crumb.example', phone: '+49 30 555 0199' };
const bob = { first_name: 'Bob', last_name: 'Baker', email: 'bob@example.com', phone: ada.phone };

let shop: Shop;
let customer: string;
const register = async (body: object): Promise<string> => {
  const made = await service.world.request('POST', '/customers', { key: shop.secretKey, body });
  expect(made.status).toBe(201);
  return made.body.id;
};
beforeEach(async () => {
  shop = await openShop(service.world);
  customer = await register(ada);
});

const erase = () => service.act('customer.erase', shop.account.id, { id: customer });
const read = async (id: string) => (await service.world.store.customers.get(shop.account.id, id))?.record;

test("customer.erase keeps another customer whom a paid checkout with the person's phone created", async () => {
  const counter = await openCounter(service.world, { shop, members: { customer: bob } });
  await counter.pay(approveCard);
  const { orders } = await counter.made();
  const before = await read(orders[0].customer_id);
  expect(before).toMatchObject(bob);
  service.world.clock.advance(1_000);
  expect(await erase()).toMatchObject({ erased: true });
  expect(await read(orders[0].customer_id)).toEqual(before);
  expect((await counter.made()).orders).toMatchObject([{ customer_name: 'Bob Baker', customer_email: bob.email, customer_phone: null }]);
});

test('customer.erase keeps a customer who registered with the email before a payment of the erased person was settled', async () => {
  const counter = await openCounter(service.world, { shop, members: { customer: ada } });
  await counter.pay(pendingCard);
  service.world.clock.advance(1_000);
  expect(await erase()).toMatchObject({ erased: false });
  const heir = await register({ last_name: 'Heir', email: ada.email });
  service.world.clock.advance(1_000);
  await counter.decide('approve');
  expect((await counter.made()).orders).toMatchObject([{ customer_id: heir }]);
  const before = await read(heir);
  expect(await erase()).toMatchObject({ erased: true });
  expect(await read(heir)).toEqual(before);
  expect(JSON.stringify(await counter.session())).not.toContain(ada.email);
});
