import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { isWrite, standstillAt } from '../support/faults.ts';
import { allItems } from '../support/person.ts';
import type { WireCall } from '../support/wire.ts';
import { openBakery, type Service, startBakeries } from './bakery.ts';

/** Returns an item as text, with bodies that are stored compressed. */
const textOf = (item: object): string =>
  JSON.stringify(item, (_name, value) => (value instanceof Uint8Array ? inflateRawSync(value).toString() : value));

let service: Service;
beforeAll(async () => {
  service = await startBakeries();
});
afterAll(() => service.stop());

const email = 'moved@example.com';
const texts = ['from the first account', 'from the second account'];

/** A bakery with an order of a former customer, who gave its email to another: the heir. */
const openWithHeir = async () => {
  const { account, call } = await openBakery(service);
  const items = [{ name: 'Cake', quantity: 1, unit_price: 9 }];
  const payments = [{ amount: 5, method: 'card', status: 'completed', description: texts[0] }];
  const { body: order } = await call('POST', '/orders', { customer: { last_name: 'Former', email }, items, payments, emit_webhooks: true });
  const second = { order_id: order.id, amount: 4, method: 'card', status: 'completed', description: texts[1] };
  await service.act('payment.create', account, second, `second-payment-${account}`);
  await service.act('customer.update', account, { id: order.customer_id, email: null });
  const { body: heir } = await call('POST', '/customers', { last_name: 'Heir', email });
  await service.pipeline.drain();
  const kinds = async () => {
    const found = (await allItems(service.world)).filter(
      ({ key, item }) => key.includes(account) && texts.some((text) => textOf(item).includes(text)),
    );
    return [...new Set(found.map(({ key }) => key.split('#')[0]))].sort();
  };
  return { kinds, erase: () => service.act('customer.erase', account, { id: heir.id }) };
};

test("customer.erase empties the payments of another customer's order with the email, also in events and stored responses", async () => {
  const { kinds, erase } = await openWithHeir();
  expect(await kinds()).toEqual(['dlv', 'idm', 'pay']);
  expect(await erase()).toMatchObject({ erased: true, orders: 1, payments: 2 });
  await service.pipeline.drain();
  expect(await kinds()).toEqual([]);
});

test('a second customer.erase empties them if the first died before any of its writes of orders and payments', async () => {
  const { wire } = service.world;
  const undisturbed = await openWithHeir();
  wire.reset();
  await undisturbed.erase();
  const isOfOrder = (call: WireCall) => isWrite(call) && /"(ord|pay)#/.test(JSON.stringify(call.input));
  const writes = wire.calls.filter(isOfOrder).length;
  expect(writes).toBeGreaterThan(1);
  for (let index = 0; index < writes; index++) {
    const { kinds, erase } = await openWithHeir();
    const standstill = standstillAt(wire, index, 'before', isOfOrder);
    const dying = erase().catch(() => undefined);
    await standstill.reached;
    wire.intercept(undefined);
    await erase();
    await service.pipeline.drain();
    const remaining = await kinds();
    standstill.fail();
    await dying;
    expect({ index, remaining }).toEqual({ index, remaining: [] });
  }
});
