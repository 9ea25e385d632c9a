import { beforeEach, describe, expect, test } from '@jest/globals';
import { approveCard, openCounter, pendingCard, successUrl } from '../checkout-page/page.ts';
import { allItems, person, tracesIn } from '../support/person.ts';
import { shared } from '../support/shared.ts';
import { type Bakery, openBakery, startBakeries } from './bakery.ts';

const service = shared(startBakeries);
let bakery: Bakery;
beforeEach(async () => {
  service.world.wire.intercept(undefined);
  await service.pipeline.clear();
  bakery = await openBakery(service);
  // The bakery's own payment ended before the erasure.
  service.world.clock.advance(2_000);
});

const itemsOf = async (account: string) =>
  (await allItems(service.world)).filter(({ key, item }) => JSON.stringify({ key, item }).includes(account));
const keysOf = async (account: string) => (await itemsOf(account)).map(({ key }) => key).sort();
const remains = () => [`acc#${bakery.account} account`, `era#${bakery.account} *`].sort();
const eraseAccount = () => service.act('account.erase', bakery.account);
const eraseCustomer = (id = bakery.customer) => service.act('customer.erase', bakery.account, { id });

describe('account.erase while shoppers pay', () => {
  const orderless = (account: string) =>
    service.world.log
      .filter((line) => line['without_order'] === true && line['account'] === account)
      .map(({ transaction, why }) => ({ transaction, why }));

  test('account.erase while shoppers pay waits for a pending payment, settles it, and is ended by the sweep', async () => {
    const counter = await openCounter(service.world, { shop: bakery.shop });
    await counter.pay(pendingCard);
    const { payment } = await counter.session();
    expect(await eraseAccount()).toMatchObject({ erased: false, running_payments: 1 });
    expect((await counter.visit('GET', counter.path)).status).toBe(200);
    expect((await bakery.shop.open()).status).toBe(401);
    expect((await counter.decide('approve')).headers['Location']).toBe(successUrl);
    expect((await counter.visit('GET', `${counter.path}/return`)).headers['Location']).toBe(successUrl);
    service.world.clock.advance(15 * 60_000 + 1);
    await service.pipeline.sweep();
    expect(orderless(bakery.account)).toEqual([{ transaction: payment?.transaction_id, why: 'account_erased' }]);
    expect(await keysOf(bakery.account)).toEqual(remains());
    expect(await eraseAccount()).toMatchObject({ erased: true });
  });

  test('account.erase while shoppers pay ends once no page can take money any more', async () => {
    const counter = await openCounter(service.world, { shop: bakery.shop });
    await counter.pay(pendingCard);
    expect(await eraseAccount()).toMatchObject({ erased: false });
    // A transfer may arrive for as long as the session is kept.
    service.world.clock.advance(91 * 86_400_000);
    expect(await eraseAccount()).toMatchObject({ erased: true });
    expect(await keysOf(bakery.account)).toEqual(remains());
    expect(orderless(bakery.account)).toEqual([]);
  });

  test('account.erase while shoppers pay loses none of 40 payments, whenever it comes between their calls', async () => {
    const counters = await Promise.all(Array.from({ length: 40 }, () => openCounter(service.world, { shop: bakery.shop })));
    let calls = 0;
    let erasing: Promise<Record<string, any>> | undefined;
    service.world.wire.intercept(async (_call, send) => {
      calls += 1;
      if (calls === 150) erasing = eraseAccount();
      return await send();
    });
    const answers = await Promise.all(counters.map(({ pay }) => pay(approveCard)));
    service.world.wire.intercept(undefined);
    expect(erasing).toBeDefined();
    await erasing;
    const paid = answers.filter(({ headers }) => headers['Location'] === successUrl);
    expect(answers.filter(({ status }) => status !== 303 && status !== 404)).toEqual([]);
    service.world.clock.advance(15 * 60_000 + 1);
    expect(await eraseAccount()).toMatchObject({ erased: true });
    expect(orderless(bakery.account).length).toBeLessThanOrEqual(paid.length);
    expect(await keysOf(bakery.account)).toEqual(remains());
  });
});

describe('customer.erase while the person pays', () => {
  test('customer.erase while the person pays leaves the session until its payment has ended, then erases it with its order', async () => {
    const counter = await openCounter(service.world, { shop: bakery.shop, members: { customer: person } });
    await counter.pay(pendingCard);
    expect(await eraseCustomer()).toMatchObject({ erased: false, running_payments: 1 });
    expect(await counter.session()).toMatchObject({ status: 'pending', customer: { email: person.email } });
    expect((await counter.decide('approve')).headers['Location']).toBe(successUrl);
    const { order_id } = await counter.session();
    service.world.clock.advance(15 * 60_000 + 1);
    await service.pipeline.sweep();
    await service.pipeline.drain();
    expect(tracesIn(await itemsOf(bakery.account))).toEqual([]);
    expect((await bakery.call('GET', `/orders/${order_id}`)).body).toMatchObject({ payment_status: 'paid', customer_email: null });
    expect(await eraseCustomer()).toMatchObject({ erased: true });
  });

  test('customer.erase while the person pays changes nothing in a repeated call while the payment runs, and says the same', async () => {
    const counter = await openCounter(service.world, { shop: bakery.shop, members: { customer: person } });
    await counter.pay(pendingCard);
    await eraseCustomer();
    await service.pipeline.drain();
    const first = await eraseCustomer();
    expect(first).toMatchObject({ erased: false, running_payments: 1 });
    expect(await eraseCustomer()).toEqual(first);
  });

  test('customer.erase while the person pays does not hold up the erasure of another customer', async () => {
    const counter = await openCounter(service.world, { shop: bakery.shop, members: { customer: person } });
    await counter.pay(pendingCard);
    expect(await eraseCustomer()).toMatchObject({ erased: false });
    const { body: other } = await bakery.call('POST', '/customers', { last_name: 'Other' });
    expect(await eraseCustomer(other.id)).toMatchObject({ erased: true });
  });
});
