import { expect, test } from '@jest/globals';
import { openShop } from '../checkout/shop.ts';
import { approveCard, openCounter, successUrl } from '../checkout-page/page.ts';
import { failWritesAfter } from '../support/faults.ts';
import { allItems, details, person, tracesIn } from '../support/person.ts';
import { shared } from '../support/shared.ts';
import type { WireCall } from '../support/wire.ts';
import { startBakeries } from './bakery.ts';

const service = shared(startBakeries);

/** A customer with two open carts, opened before the erasure. */
const openCarts = async () => {
  const { world } = service;
  const shop = await openShop(world);
  const { body } = await world.request('POST', '/customers', { key: shop.secretKey, body: { ...person, ...details } });
  const { company: _, ...customer } = person;
  const fields = { customer, notes: details.notes, metadata: details.metadata };
  const carts = [await openCounter(world, { shop, fields }), await openCounter(world, { shop, fields })];
  world.clock.advance(1_000);
  return { account: shop.account.id, customer: body.id as string, carts };
};

/** Matches an erasure's first call after it has anonymized the customer. */
const reads = ({ operation, input }: WireCall): boolean => operation === 'Query' && JSON.stringify(input).includes('"chk#');
/** Matches an erasure's first call that changes a session which it has read. */
const rewrites = ({ operation, input }: WireCall): boolean => operation === 'BatchGetItem' && JSON.stringify(input).includes('"chk#');

test.each([
  ['that read no session yet', reads],
  ['that rewrites the first session', rewrites],
])('customer.erase removes all data of a person whose carts are paid during an erasure %s', async (_, isMoment) => {
  const { account, customer, carts } = await openCarts();
  let paid = 0;
  service.world.wire.intercept(async (call, send) => {
    if (isMoment(call)) {
      service.world.wire.intercept(undefined);
      service.world.clock.advance(1_000);
      for (const cart of carts) if ((await cart.pay(approveCard)).headers['Location'] === successUrl) paid++;
    }
    return await send();
  });
  expect(await service.act('customer.erase', account, { id: customer })).toMatchObject({ erased: true });
  expect(paid).toBe(carts.length);
  await service.pipeline.drain();
  const items = (await allItems(service.world)).filter(({ key }) => key.includes(account));
  expect(tracesIn(items)).toEqual([]);
  const { orders } = await (carts[0] as (typeof carts)[number]).made();
  expect(orders.map(({ total, payment_status }) => ({ total, payment_status }))).toEqual(
    carts.map(() => expect.objectContaining({ payment_status: 'paid' })),
  );
});

test('customer.erase is completed by the next call, whichever write it died at after the carts were paid', async () => {
  const { account, customer, carts } = await openCarts();
  const erase = () => service.act('customer.erase', account, { id: customer });
  const cutOff = (): never => {
    throw Object.assign(new Error('cut off'), { name: 'AccessDeniedException' });
  };
  service.world.wire.intercept(async (call, send) => (reads(call) ? cutOff() : await send()));
  await expect(erase()).rejects.toThrow();
  service.world.wire.intercept(undefined);
  for (const cart of carts) await cart.pay(approveCard);
  let cuts = 0;
  for (let erased = false; !erased; cuts++) {
    service.world.wire.intercept(failWritesAfter(cuts));
    erased = await erase().then(
      (result) => result['erased'],
      () => false,
    );
    service.world.wire.intercept(undefined);
  }
  expect(cuts).toBeGreaterThan(5);
  const items = (await allItems(service.world)).filter(({ key }) => key.includes(account));
  expect(tracesIn(items)).toEqual([]);
});

test('customer.erase keeps a new customer who registered with the same email after the erasure', async () => {
  const { account, customer, carts } = await openCarts();
  await service.act('customer.erase', account, { id: customer });
  const back = await openCounter(service.world, { shop: (carts[0] as (typeof carts)[number]).shop, fields: { customer: person } });
  await back.pay(approveCard);
  expect(await service.act('customer.erase', account, { id: customer })).toMatchObject({ erased: true });
  expect((await back.made()).orders).toMatchObject([{ customer_email: person.email }]);
});
