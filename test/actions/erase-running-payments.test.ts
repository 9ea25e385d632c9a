import { beforeEach, describe, expect, test } from '@jest/globals';
import { openShop, type Shop } from '../checkout/shop.ts';
import { approveCard, openCounter, pendingCard, successUrl } from '../checkout-page/page.ts';
import { allItems, details, person, tracesIn } from '../support/person.ts';
import { shared } from '../support/shared.ts';
import { startBakeries } from './bakery.ts';

const service = shared(startBakeries);
let shop: Shop;
let account: string;
let customer: string;
const call = (method: string, path: string, body?: unknown) =>
  service.world.request(method, path, { key: shop.secretKey, ...(body === undefined ? {} : { body }) });
beforeEach(async () => {
  service.world.wire.intercept(undefined);
  await service.pipeline.clear();
  shop = await openShop(service.world);
  account = shop.account.id;
  customer = (await call('POST', '/customers', { ...person, ...details })).body.id;
});

const itemsOf = async () => (await allItems(service.world)).filter(({ key, item }) => JSON.stringify({ key, item }).includes(account));
const keysOf = async () => (await itemsOf()).map(({ key }) => key).sort();
const remains = () => [`acc#${account} account`, `era#${account} *`].sort();
const eraseAccount = () => service.act('account.erase', account);
const eraseCustomer = (id = customer) => service.act('customer.erase', account, { id });

describe('account.erase while shoppers pay', () => {
  const orderless = () =>
    service.world.log
      .filter((line) => line['without_order'] === true && line['account'] === account)
      .map(({ transaction, why }) => ({ transaction, why }));

  test('account.erase while shoppers pay waits for a pending payment, settles it, and is ended by the sweep', async () => {
    const counter = await openCounter(service.world, { shop });
    await counter.pay(pendingCard);
    const { payment } = await counter.session();
    expect(await eraseAccount()).toMatchObject({ erased: false, running_payments: 1 });
    expect((await counter.visit('GET', counter.path)).status).toBe(200);
    expect((await shop.open()).status).toBe(401);
    expect((await counter.decide('approve')).headers['Location']).toBe(successUrl);
    expect((await counter.visit('GET', `${counter.path}/return`)).headers['Location']).toBe(successUrl);
    service.world.clock.advance(15 * 60_000 + 1);
    await service.pipeline.sweep();
    expect(orderless()).toEqual([{ transaction: payment?.transaction_id, why: 'account_erased' }]);
    expect(await keysOf()).toEqual(remains());
    expect(await eraseAccount()).toMatchObject({ erased: true });
  });

  test('account.erase while shoppers pay ends once no page can take money any more', async () => {
    const counter = await openCounter(service.world, { shop });
    await counter.pay(pendingCard);
    expect(await eraseAccount()).toMatchObject({ erased: false });
    // A transfer may arrive for as long as the session is kept.
    service.world.clock.advance(91 * 86_400_000);
    expect(await eraseAccount()).toMatchObject({ erased: true });
    expect(await keysOf()).toEqual(remains());
    expect(orderless()).toEqual([]);
  });

  test('an erasure loses none of 16 payments, whenever it comes between their calls', async () => {
    const counters = await Promise.all(Array.from({ length: 16 }, () => openCounter(service.world, { shop })));
    let calls = 0;
    let erasing: Promise<Record<string, any>> | undefined;
    service.world.wire.intercept(async (_call, send) => {
      calls += 1;
      if (calls === 60) erasing = eraseAccount();
      return await send();
    });
    const responses = await Promise.all(counters.map(({ pay }) => pay(approveCard)));
    service.world.wire.intercept(undefined);
    expect(erasing).toBeDefined();
    await erasing;
    const paid = responses.filter(({ headers }) => headers['Location'] === successUrl);
    expect(responses.filter(({ status }) => status !== 303 && status !== 404)).toEqual([]);
    service.world.clock.advance(15 * 60_000 + 1);
    expect(await eraseAccount()).toMatchObject({ erased: true });
    expect(orderless().length).toBeLessThanOrEqual(paid.length);
    expect(await keysOf()).toEqual(remains());
  });
});

describe('customer.erase while the person pays', () => {
  test('customer.erase while the person pays leaves the session until its payment has ended, then erases it with its order', async () => {
    const counter = await openCounter(service.world, { shop, fields: { customer: person } });
    await counter.pay(pendingCard);
    expect(await eraseCustomer()).toMatchObject({ erased: false, running_payments: 1 });
    expect(await counter.session()).toMatchObject({ status: 'pending', customer: { email: person.email } });
    expect((await counter.decide('approve')).headers['Location']).toBe(successUrl);
    const { order_id } = await counter.session();
    service.world.clock.advance(15 * 60_000 + 1);
    await service.pipeline.sweep();
    await service.pipeline.drain();
    expect(tracesIn(await itemsOf())).toEqual([]);
    expect((await call('GET', `/orders/${order_id}`)).body).toMatchObject({ payment_status: 'paid', customer_email: null });
    expect(await eraseCustomer()).toMatchObject({ erased: true });
  });

  test('customer.erase while the person pays changes nothing in a repeated call while the payment runs, and says the same', async () => {
    const counter = await openCounter(service.world, { shop, fields: { customer: person } });
    await counter.pay(pendingCard);
    await eraseCustomer();
    await service.pipeline.drain();
    const first = await eraseCustomer();
    expect(first).toMatchObject({ erased: false, running_payments: 1 });
    expect(await eraseCustomer()).toEqual(first);
  });

  test('customer.erase while the person pays does not hold up the erasure of another customer', async () => {
    const counter = await openCounter(service.world, { shop, fields: { customer: person } });
    await counter.pay(pendingCard);
    expect(await eraseCustomer()).toMatchObject({ erased: false });
    const { body: other } = await call('POST', '/customers', { last_name: 'Other' });
    expect(await eraseCustomer(other.id)).toMatchObject({ erased: true });
  });
});
