import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Erasure } from '../../shared/table/erasures.ts';
import { openShop } from '../checkout/shop.ts';
import { approveCard, type Counter, openCounter, pendingCard, successUrl } from '../checkout-page/page.ts';
import { failWritesAfter, rejectWith, runBefore } from '../support/faults.ts';
import { details, person } from '../support/person.ts';
import { shared } from '../support/shared.ts';
import type { WireCall } from '../support/wire.ts';
import { startBakeries } from './bakery.ts';
import { keysOf, openCarts, openShopFor, readsSessions, tombstoneOf, tracesOf } from './erasing.ts';

const service = shared(startBakeries);
const { at, call, act, register, erase: eraseCustomer } = openShopFor(beforeEach, service);
const eraseAccount = () => act('account.erase');
const other = { first_name: 'Ada', last_name: 'Other', email: 'ada@example.com' };
const openPending = async (fields: object = {}) => {
  const counter = await openCounter(service.world, { shop: at.shop, fields: { ...fields } });
  await counter.pay(pendingCard);
  return counter;
};
const sweepLater = async () => {
  service.world.clock.advance(15 * 60_000 + 1);
  await service.pipeline.sweep();
  await service.pipeline.drain();
};

describe('account.erase while shoppers pay', () => {
  const orderless = () =>
    service.world.log
      .filter((line) => line['without_order'] === true && line['account'] === at.account)
      .map(({ transaction, why }) => ({ transaction, why }));

  test('account.erase while shoppers pay waits for a pending payment, settles it, and is ended by the sweep', async () => {
    const counter = await openPending();
    const { payment } = await counter.session();
    expect(await eraseAccount()).toMatchObject({ erased: false, running_payments: 1 });
    expect((await counter.visit('GET', counter.path)).status).toBe(200);
    expect((await at.shop.open()).status).toBe(401);
    expect((await counter.decide('approve')).headers['Location']).toBe(successUrl);
    expect((await counter.visit('GET', `${counter.path}/return`)).headers['Location']).toBe(successUrl);
    await sweepLater();
    expect(orderless()).toEqual([{ transaction: payment?.transaction_id, why: 'account_erased' }]);
    expect(await keysOf(service, at.account)).toEqual(tombstoneOf(at.account));
    expect(await eraseAccount()).toMatchObject({ erased: true });
  });

  test('account.erase while shoppers pay ends once no page can take money any more', async () => {
    await openPending();
    expect(await eraseAccount()).toMatchObject({ erased: false });
    // A transfer may arrive for as long as the session is kept.
    service.world.clock.advance(91 * 86_400_000);
    expect(await eraseAccount()).toMatchObject({ erased: true });
    expect(await keysOf(service, at.account)).toEqual(tombstoneOf(at.account));
    expect(orderless()).toEqual([]);
  });
});

describe('customer.erase while the person pays', () => {
  let customer: string;
  let counter: Counter;
  let first: Record<string, any>;
  beforeEach(async () => {
    customer = await register({ ...person, ...details });
    counter = await openPending({ customer: person });
    first = await eraseCustomer(customer);
  });

  test('customer.erase while the person pays leaves the session until its payment has ended, then erases it with its order', async () => {
    expect(first).toMatchObject({ erased: false, running_payments: 1 });
    expect(await counter.session()).toMatchObject({ status: 'pending', customer: { email: person.email } });
    expect((await counter.decide('approve')).headers['Location']).toBe(successUrl);
    const { order_id } = await counter.session();
    await sweepLater();
    expect(await tracesOf(service, at.account)).toEqual([]);
    expect(await call('GET', `/orders/${order_id}`)).toMatchObject({ payment_status: 'paid', customer_email: null });
    expect(await eraseCustomer(customer)).toMatchObject({ erased: true });
  });

  test('customer.erase while the person pays changes nothing in a repeated call while the payment runs, and says the same', async () => {
    await service.pipeline.drain();
    const second = await eraseCustomer(customer);
    expect(second).toMatchObject({ erased: false, running_payments: 1 });
    expect(await eraseCustomer(customer)).toEqual(second);
  });

  test('customer.erase while the person pays costs three calls each time that a sweep finds it due', async () => {
    await service.pipeline.drain();
    service.world.clock.advance(15 * 60_000 + 1);
    service.world.wire.reset();
    await service.pipeline.sweep();
    const calls = service.world.wire.calls.filter(({ input }) => JSON.stringify(input).includes(at.account));
    expect(calls.map(({ operation }) => operation)).toEqual(['BatchGetItem', 'BatchGetItem', 'UpdateItem']);
  });

  test('customer.erase while the person pays ends after a payment of 40 days, although erasures are kept for 31', async () => {
    for (const days of [20, 20]) {
      service.world.clock.advance(days * 86_400_000);
      await sweepLater();
    }
    expect(await counter.session()).toMatchObject({ status: 'pending', customer: { email: person.email } });
    await counter.decide('approve');
    await sweepLater();
    expect(await tracesOf(service, at.account)).toEqual([]);
    expect(await eraseCustomer(customer)).toMatchObject({ erased: true });
  });

  test('customer.erase of a person with two payments erases the session of the first that ends, while the second runs', async () => {
    const second = await openPending({ customer: other });
    const id = await register(other);
    const third = await openPending({ customer: other });
    expect(await eraseCustomer(id)).toMatchObject({ erased: false, running_payments: 2 });
    await second.decide('decline');
    await sweepLater();
    expect(await second.session()).toMatchObject({ status: 'open', customer: null });
    expect(await third.session()).toMatchObject({ status: 'pending', customer: { email: other.email } });
    expect(await eraseCustomer(id)).toMatchObject({ erased: false, running_payments: 1 });
  });

  test('customer.erase while the person pays ends, although an earlier version stored it without the sessions that it waits for', async () => {
    const { erasures } = service.world.store;
    const { awaited: _, ...stored } = { ...(await erasures.get(at.account, customer)) } as Erasure;
    await erasures.proceed(at.account, customer, stored as Erasure);
    await counter.decide('decline');
    await sweepLater();
    expect(await eraseCustomer(customer)).toMatchObject({ erased: true });
  });

  test('customer.erase while the person pays holds up no erasure of another account, although the sweep cannot read it', async () => {
    const shop = await openShop(service.world);
    const { id } = shop.account;
    const second = await openCounter(service.world, { shop });
    await second.pay(pendingCard);
    expect(await service.act('account.erase', id)).toMatchObject({ erased: false });
    await second.decide('decline');
    const isRead = ({ operation, input }: WireCall) =>
      operation === 'BatchGetItem' && JSON.stringify(input).includes(`"era#${at.account}"`);
    service.world.wire.intercept((call, next) => (isRead(call) ? rejectWith('InternalServerError') : next()));
    await expect(sweepLater()).rejects.toThrow('internals of InternalServerError');
    expect(await keysOf(service, id)).toEqual(tombstoneOf(id));
  });

  test('customer.erase while the person pays does not hold up the erasure of another customer, although a search takes all of its time', async () => {
    service.world.clock.advance(1);
    const id = await register(other);
    service.world.wire.intercept(failWritesAfter(1));
    await expect(eraseCustomer(id)).rejects.toThrow();
    service.world.wire.intercept(async (wireCall, send) => {
      if (readsSessions(wireCall)) service.world.clock.advance(40_000);
      return await send();
    });
    expect(await eraseCustomer(id)).toMatchObject({ erased: false });
    expect(await eraseCustomer(id)).toMatchObject({ erased: true });
  });
});

/** Whether an erasure changes a session that it has read. */
const rewritesSession = ({ operation, input }: WireCall): boolean =>
  operation === 'BatchGetItem' && JSON.stringify(input).includes('"chk#');

describe('customer.erase of a person with carts', () => {
  test.each([
    ['that read no session yet', readsSessions],
    ['that rewrites the first session', rewritesSession],
  ])('customer.erase removes all data of a person whose carts are paid during an erasure %s', async (_, isMoment) => {
    const { account, carts, first, erase } = await openCarts(service);
    let paid = 0;
    const payAll = async () => {
      service.world.clock.advance(1_000);
      for (const cart of carts) if ((await cart.pay(approveCard)).headers['Location'] === successUrl) paid++;
    };
    service.world.wire.intercept(runBefore(isMoment, payAll));
    expect(await erase()).toMatchObject({ erased: true });
    expect(paid).toBe(carts.length);
    await service.pipeline.drain();
    expect(await tracesOf(service, account)).toEqual([]);
    expect((await first.made()).orders).toMatchObject(carts.map(() => ({ payment_status: 'paid' })));
  });

  test('customer.erase keeps a new customer who registered with the same email after the erasure', async () => {
    const { shop, erase } = await openCarts(service);
    await erase();
    const back = await openCounter(service.world, { shop, fields: { customer: person } });
    await back.pay(approveCard);
    expect(await erase()).toMatchObject({ erased: true });
    expect((await back.made()).orders).toMatchObject([{ customer_email: person.email }]);
  });
});
