import { afterEach, describe, expect, test } from '@jest/globals';
import { timeOfId } from '../../shared/core/ids.ts';
import { leaseMs } from '../../shared/domain/checkout/rules.ts';
import { gatewayFeeId } from '../../shared/domain/expense/rules.ts';
import { loseResponse, standstillAt } from '../support/faults.ts';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';
import { approveCard, type Counter, declineCard, openCounter, pendingCard, successUrl } from './page.ts';

// Guarantee 10 (docs/guarantees.md)

const world = shared(startWorld);
afterEach(() => world.wire.intercept(undefined));

const expectOne = async (counter: Counter) => {
  const { orders, payments } = await counter.made();
  expect([orders.length, payments.length]).toEqual([1, 1]);
  const day = orders[0].created_at.slice(0, 10);
  const fees = await world.store.expenses.get(counter.shop.account.id, gatewayFeeId(day));
  expect(fees?.record).toMatchObject({ amount: payments[0].fee_amount, transaction_count: 1 });
  expect((await world.store.gatewayFees.lines(counter.shop.account.id, day)).lines).toHaveLength(1);
  expect((await world.store.customers.get(counter.shop.account.id, orders[0].customer_id))?.record.total_orders).toBe(1);
  expect(await counter.session()).toMatchObject({ status: 'paid', order_id: orders[0].id });
};

/** The shopper reopens the page and takes its next step until the session is paid. */
const persist = async (counter: Counter): Promise<void> => {
  for (let i = 0; i < 4 && (await counter.session()).status !== 'paid'; i++) {
    const response = await counter.pay(approveCard);
    expect([303, response.text]).toEqual([response.status, '']);
  }
};

describe('a process that dies in the payment step', () => {
  test("the page offers to finish the payment, and charges with the shopper's choice", async () => {
    const counter = await openCounter(world);
    const standstill = standstillAt(world.wire, 2, 'after');
    const dead = counter.pay(approveCard);
    await standstill.reached;
    expect((await counter.visit('GET', counter.path)).text).toContain('Your payment is in progress');
    world.clock.advance(leaseMs);
    expect((await counter.visit('GET', counter.path)).text).toContain('Finish the payment');
    expect((await counter.pay(declineCard)).headers['Location']).toBe(successUrl);
    await expectOne(counter);
    standstill.fail();
    await dead;
    await expectOne(counter);
  });
});

test("an order's id has the time of its creation, by which its month counts it, however long its settlement takes", async () => {
  const counter = await openCounter(world);
  world.wire.intercept(async (_call, send) => {
    world.clock.advance(1_000);
    return send();
  });
  await counter.pay(approveCard);
  const { orders } = await counter.made();
  expect(timeOfId(orders[0].id)).toBe(Date.parse(orders[0].created_at));
});

describe('simultaneous results of a payment', () => {
  test('a late decline of an earlier payment does not affect the next one', async () => {
    const counter = await openCounter(world);
    const standstill = standstillAt(world.wire, 2, 'before');
    const slow = counter.pay(declineCard);
    await standstill.reached;
    world.clock.advance(leaseMs);
    await counter.pay(declineCard);
    expect(await counter.session()).toMatchObject({ status: 'open', tries: 1 });
    await counter.pay(pendingCard);
    standstill.goOn();
    await slow;
    expect(await counter.session()).toMatchObject({ status: 'pending', tries: 2 });
    await counter.decide('approve');
    await expectOne(counter);
  });

  test('ten simultaneous approvals create one order', async () => {
    const counter = await openCounter(world);
    await counter.pay(pendingCard);
    const { payment } = await counter.session();
    const transaction_id = payment?.transaction_id ?? '';
    await Promise.all(Array.from({ length: 10 }, () => counter.decide('approve', { transaction_id })));
    await expectOne(counter);
  });

  test('a settlement happens once if its response is lost', async () => {
    const counter = await openCounter(world);
    let lost = false;
    world.wire.intercept((call, send) => {
      if (lost || call.operation !== 'TransactWriteItems' || JSON.stringify(call.input).split('"Put"').length < 4) return send();
      lost = true;
      return loseResponse(send);
    });
    expect((await counter.pay(approveCard)).headers['Location']).toBe(successUrl);
    expect(lost).toBe(true);
    await expectOne(counter);
  });

  test('a payment is completed later if the table fails after the charge', async () => {
    const counter = await openCounter(world);
    let claims = 0;
    world.wire.intercept(async (call, send) => {
      if (call.operation === 'TransactWriteItems' && claims++ > 0) throw new Error('The table is out.');
      return await send();
    });
    expect((await counter.pay(approveCard)).status).toBe(500);
    world.wire.intercept(undefined);
    world.clock.advance(leaseMs);
    await persist(counter);
    await expectOne(counter);
  });
});
