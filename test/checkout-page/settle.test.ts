import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { applyCharge, settlePayment } from '../../functions/checkout-page/settle.ts';
import type { CheckoutPageServices } from '../../functions/checkout-page/visit.ts';
import type { CheckoutSession } from '../../shared/domain/checkout/record.ts';
import { type Approval, leaseMs } from '../../shared/domain/checkout/rules.ts';
import { gatewayFeeId } from '../../shared/domain/expense/rules.ts';
import { expenseOf } from '../support/records.ts';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';
import { ada, approveCard, type Counter, openCounter, pendingCard } from './page.ts';

// Guarantee 10 (docs/guarantees.md)

const world = shared(startWorld);
let counter: Counter;
beforeEach(async () => {
  counter = await openCounter(world);
  world.log.length = 0;
});
afterEach(() => world.wire.intercept(undefined));

const stripe = (transaction_id: string, fields: Partial<Approval> = {}): Approval => ({
  gateway: 'stripe',
  transaction_id,
  fee: 0.5,
  method: 'card',
  method_details: null,
  ...fields,
});
const services = () => world.services as CheckoutPageServices;
const settleWith = (approval: Approval, { shop, id }: Pick<Counter, 'shop' | 'id'> = counter, by = services()) =>
  settlePayment(by, shop.account, id, approval);
const apply = (charge: Parameters<typeof applyCharge>[3], { id = counter.id, tries = 1 } = {}, by = services()) =>
  applyCharge(by, counter.shop.account, { id, tries }, charge);
const logged = () => world.log.filter(({ op }) => op === 'settle');
const change = async (next: (session: CheckoutSession) => CheckoutSession) => {
  const stored = await world.store.checkoutSessions.get(counter.shop.account.id, counter.id);
  if (!stored) throw new Error('The session is gone.');
  await world.store.commit([world.store.checkoutSessions.replaceWrite(counter.shop.account.id, next(stored.record), stored)]);
};
const today = () => new Date(world.clock.now()).toISOString().slice(0, 10);

/** Services that do this work before each of their first commits. */
const beforeCommits = (most: number, work: (commit: number) => Promise<unknown>): CheckoutPageServices => {
  const { store, ...others } = services();
  let commits = 0;
  const commit: typeof store.commit = async (writes) => {
    if (++commits <= most) await work(commits);
    return store.commit(writes);
  };
  return { ...others, store: { ...store, commit } };
};
/** Services whose first commits find that the session has changed. */
const conflicting = (most: number) => beforeCommits(most, (commit) => change((session) => ({ ...session, notes: `change ${commit}` })));

describe('settle', () => {
  test('a payment makes the order of its session, even if the session knows of no payment, and is logged once', async () => {
    const session = await settleWith(stripe('pi_1'));
    const { orders, payments } = await counter.made();
    expect(session).toEqual(await counter.session());
    expect(session).toMatchObject({ status: 'paid', order_id: orders[0].id, payment: { gateway: 'stripe', transaction_id: 'pi_1' } });
    expect(payments).toMatchObject([{ order_id: orders[0].id, gateway: { provider: 'stripe', transaction_id: 'pi_1' }, fee_amount: 0.5 }]);
    expect([orders[0].customer_id, payments[0].id]).toEqual([expect.stringMatching(/^cus_/), expect.stringMatching(/^pay_/)]);
    const account = counter.shop.account.id;
    expect(logged()).toEqual([expect.objectContaining({ op: 'settle', account, order: orders[0].id, gateway: 'stripe', settled: true })]);
  });

  test('a payment that is reported twice makes one order, and is not logged as paid twice', async () => {
    const first = await settleWith(stripe('pi_1'));
    world.log.length = 0;
    expect(await settleWith(stripe('pi_1'))).toEqual(first);
    expect((await counter.made()).orders).toHaveLength(1);
    expect(logged()).toEqual([]);
  });

  test('a payment of a session that another payment has paid makes no order, and is logged for a refund', async () => {
    const first = await settleWith(stripe('pi_1'));
    world.log.length = 0;
    expect(await settleWith(stripe('pi_2'))).toEqual(first);
    expect((await counter.made()).payments).toHaveLength(1);
    const [account, session] = [counter.shop.account.id, counter.id];
    expect(logged()).toEqual([expect.objectContaining({ account, session, transaction: 'pi_2', why: 'paid_twice', without_order: true })]);
  });

  test('a payment of a session that is gone fails, and is logged for a refund', async () => {
    await expect(settleWith(stripe('pi_1'), { shop: counter.shop, id: 'cs_gone' })).rejects.toThrow();
    const account = counter.shop.account.id;
    expect(logged()).toEqual([
      expect.objectContaining({ account, session: 'cs_gone', transaction: 'pi_1', why: 'session_gone', without_order: true }),
    ]);
  });

  test('a payment without a fee books none', async () => {
    await settleWith(stripe('pi_1', { fee: 0 }));
    expect(await world.store.expenses.get(counter.shop.account.id, gatewayFeeId(today()))).toBeUndefined();
    expect((await counter.made()).payments).toMatchObject([{ fee_amount: 0 }]);
  });

  test('an order has no customer if its session has none', async () => {
    await change((session) => ({ ...session, customer: null }));
    await settleWith(stripe('pi_1'));
    expect((await counter.made()).orders).toMatchObject([{ customer_id: null, customer_name: null }]);
  });

  test('each session without an email creates a customer', async () => {
    await change((session) => ({ ...session, customer: { ...ada, email: null, phone: '1', company: null } }));
    await settleWith(stripe('pi_1'));
    const other = await openCounter(world, {
      shop: counter.shop,
      fields: { customer: { first_name: 'Ada', last_name: 'Baker', phone: '1' } },
    });
    await settleWith(stripe('pi_2'), other);
    const { orders } = await counter.made();
    expect(new Set(orders.map(({ customer_id }) => customer_id)).size).toBe(2);
    const customers = await Promise.all(orders.map(({ customer_id }) => world.store.customers.get(counter.shop.account.id, customer_id)));
    expect(customers.map((stored) => stored?.record)).toEqual(
      orders.map(({ created_at }) => expect.objectContaining({ last_name: 'Baker', email: null, phone: '1', total_orders: 1, created_at })),
    );
  });
});

describe('settle at the sandbox, which takes no money', () => {
  const sandbox = stripe('sbx_1', { gateway: 'sandbox' });

  test('an approval of the sandbox makes no order without a payment of the session', async () => {
    expect(await settleWith(sandbox)).toMatchObject({ status: 'open' });
    expect((await counter.made()).orders).toEqual([]);
  });

  test('an approval of the sandbox makes no order while the session is paid at Stripe', async () => {
    await counter.pay(pendingCard);
    await change((session) => ({ ...session, payment: session.payment && { ...session.payment, gateway: 'stripe' } }) as CheckoutSession);
    expect(await settleWith(sandbox)).toMatchObject({ status: 'pending' });
    expect((await counter.made()).orders).toEqual([]);
  });

  test.each([
    ['until the lease of its payment ends', -1, 'paid'],
    ['no longer when the lease of its payment has ended', 0, 'processing'],
  ])('an approval of the sandbox makes an order %s', async (_when, afterMs, status) => {
    await counter.pay(pendingCard);
    const lease_until_ms = world.clock.now() + leaseMs;
    await change((session) => ({ ...session, status: 'processing', payment: { ...session.payment, lease_until_ms } }) as CheckoutSession);
    world.clock.advance(leaseMs + afterMs);
    expect(await settleWith(sandbox)).toMatchObject({ status });
    expect((await counter.made()).orders).toHaveLength(status === 'paid' ? 1 : 0);
  });
});

describe('applyCharge', () => {
  const declined = (transaction_id: string) => ({ kind: 'declined', transaction_id, message: 'No.' }) as const;
  const currentId = async () => (await counter.session()).payment?.transaction_id ?? '';

  test('a decline opens the session of its payment', async () => {
    await counter.pay(pendingCard);
    expect(await apply(declined(await currentId()))).toMatchObject({ status: 'open', declined: 'No.', payment: null });
    expect(await counter.session()).toMatchObject({ status: 'open', declined: 'No.' });
  });

  test('a decline of another attempt is dropped, even if it names the payment', async () => {
    await counter.pay(pendingCard);
    const before = await counter.session();
    for (const tries of [0, 2]) expect(await apply(declined(await currentId()), { tries })).toEqual(before);
    expect(await counter.session()).toEqual(before);
  });

  test('a decline of a paid session is dropped', async () => {
    await counter.pay(approveCard);
    const before = await counter.session();
    expect(await apply(declined(await currentId()))).toEqual(before);
    expect(await counter.session()).toEqual(before);
  });

  test('a decline of a session that is gone fails', async () => {
    await expect(apply(declined('pi_1'), { id: 'cs_gone' })).rejects.toThrow();
  });

  test('a decline is stored although the session is changed at the same time', async () => {
    await counter.pay(pendingCard);
    const charge = declined(await currentId());
    expect(await apply(charge, {}, conflicting(1))).toMatchObject({ status: 'open', notes: 'change 1' });
    expect(await counter.session()).toMatchObject({ status: 'open', notes: 'change 1' });
  });

  test('a decline fails, so that the gateway reports it again, if its session does not stop changing', async () => {
    await counter.pay(pendingCard);
    await expect(apply(declined(await currentId()), {}, conflicting(100))).rejects.toMatchObject({ code: 'conflict' });
    expect(await counter.session()).toMatchObject({ status: 'pending' });
  });
});

describe('settle with conflicts', () => {
  test('a settlement makes one order although its session changes twelve times', async () => {
    await settleWith(stripe('pi_1'), counter, conflicting(12));
    expect((await counter.made()).orders).toHaveLength(1);
    expect(await counter.session()).toMatchObject({ status: 'paid', notes: 'change 12' });
  });

  test('a settlement fails, so that the gateway reports the payment again, if its session does not stop changing', async () => {
    await expect(settleWith(stripe('pi_1'), counter, conflicting(100))).rejects.toMatchObject({ code: 'conflict' });
    expect((await counter.made()).orders).toEqual([]);
  });

  test('a fee that cannot be booked is logged once, however many conflicts follow', async () => {
    const obstacle = expenseOf(world.clock.now(), { id: gatewayFeeId(today()), source: 'dashboard' });
    await world.store.commit([world.store.expenses.createWrite(counter.shop.account.id, obstacle)]);
    await settleWith(stripe('pi_1'), counter, conflicting(3));
    const { orders } = await counter.made();
    expect(logged().filter((line) => line['fee_unbooked'])).toEqual([
      expect.objectContaining({ account: counter.shop.account.id, order: orders[0].id, transaction: 'pi_1' }),
    ]);
  });

  test('a settlement uses the customer who was created with the email meanwhile', async () => {
    let made = '';
    const create = async () => {
      made = (await world.request('POST', '/customers', { key: counter.shop.secretKey, body: ada })).body.id;
    };
    await settleWith(stripe('pi_1'), counter, beforeCommits(1, create));
    expect((await counter.made()).orders).toMatchObject([{ customer_id: made }]);
  });

  test.each([
    ['write its order', 'TransactWriteItems', '"chk#', 'server', 0.5],
    ['read its customer', 'BatchGetItem', '"cue#', 'client', 0.5],
    ['write an order without a fee', 'TransactWriteItems', '"chk#', 'client', 0],
  ])(
    'a settlement that cannot %s fails with the error of the table, and logs nothing of its fee',
    async (_, operation, key, $fault, fee) => {
      world.wire.intercept(async (call, send) => {
        if (call.operation === operation && JSON.stringify(call.input).includes(key))
          throw Object.assign(new Error('out of order'), { name: 'ValidationException', $fault });
        return await send();
      });
      await expect(settleWith(stripe('pi_1', { fee }))).rejects.toThrow('out of order');
      expect(logged()).toEqual([]);
      expect((await counter.made()).orders).toEqual([]);
    },
  );
});
