import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { allItems } from '../support/person.ts';
import { openBakery, type Service, startBakeries } from './bakery.ts';

/** Returns an item as text, with bodies that are stored compressed. */
const textOf = (item: object): string =>
  JSON.stringify(item, (_name, value) => (value instanceof Uint8Array ? inflateRawSync(value).toString() : value));

let service: Service;
beforeAll(async () => {
  service = await startBakeries();
});
afterAll(() => service.stop());

test("customer.erase empties the payments of another customer's order with the email, also in events and stored responses", async () => {
  const { account, call } = await openBakery(service);
  const email = 'moved@example.com';
  const texts = ['from the first account', 'from the second account'];
  const items = [{ name: 'Cake', quantity: 1, unit_price: 9 }];
  const payments = [{ amount: 5, method: 'card', status: 'completed', description: texts[0] }];
  const { body: order } = await call('POST', '/orders', { customer: { last_name: 'Former', email }, items, payments, emit_webhooks: true });
  const second = { order_id: order.id, amount: 4, method: 'card', status: 'completed', description: texts[1] };
  await service.act('payment.create', account, second, 'second-payment');
  await service.act('customer.update', account, { id: order.customer_id, email: null });
  const { body: heir } = await call('POST', '/customers', { last_name: 'Heir', email });
  await service.pipeline.drain();
  const kinds = async () => {
    const found = (await allItems(service.world)).filter(
      ({ key, item }) => key.includes(account) && texts.some((text) => textOf(item).includes(text)),
    );
    return [...new Set(found.map(({ key }) => key.split('#')[0]))].sort();
  };
  expect(await kinds()).toEqual(['dlv', 'idm', 'pay']);
  expect(await service.act('customer.erase', account, { id: heir.id })).toMatchObject({ erased: true, orders: 1, payments: 2 });
  await service.pipeline.drain();
  expect(await kinds()).toEqual([]);
});
