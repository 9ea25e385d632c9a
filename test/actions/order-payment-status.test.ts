import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { standstillAt } from '../support/faults.ts';
import { shared } from '../support/shared.ts';
import { writeOrder } from '../support/shop.ts';
import { startDashboard } from './dashboard.ts';

const dashboard = shared(startDashboard);
let account: string;
beforeAll(async () => {
  account = await dashboard.openAccount();
});
afterEach(() => dashboard.wire.intercept(undefined));

const act = (action: string, input: object) => dashboard.act(action, account, input);
const pay = async (order: string, amount: number, members: object = {}): Promise<string> =>
  (await act('payment.create', { order_id: order, amount, method: 'card', status: 'completed', ...members }))['id'];
const orderOf = async (id: string) => {
  const stored = await dashboard.services.store.orders.get(account, id);
  if (!stored) throw new Error(`No order ${id}.`);
  return stored;
};
const statusOf = async (id: string) => (await orderOf(id)).record.payment_status;

/** A paid order with payments of these amounts. */
const paidOrder = async (...amounts: number[]) => {
  const { id } = await writeOrder(dashboard.services, account, { payment_status: 'paid' });
  const payments: string[] = [];
  for (const amount of amounts) payments.push(await pay(id, amount));
  return { id, payments };
};
type Paid = Awaited<ReturnType<typeof paidOrder>>;

describe("an order's payment status", () => {
  test('an order is partial_refund after a part, and refunded once all its payments were given back', async () => {
    const { id, payments } = await paidOrder(30, 10);
    await act('payment.refund', { id: payments[0], amount: 30 });
    expect(await statusOf(id)).toBe('partial_refund');
    await act('payment.refund', { id: payments[1], amount: 4 });
    expect(await statusOf(id)).toBe('partial_refund');
    await act('payment.refund', { id: payments[1], amount: 6 });
    expect(await statusOf(id)).toBe('refunded');
  });

  test("an order's payment status is saved with every refund, so that each emits order.updated", async () => {
    const { id, payments } = await paidOrder(40);
    const before = await orderOf(id);
    dashboard.clock.advance(1_000);
    await act('payment.refund', { id: payments[0], amount: 1 });
    const partial = await orderOf(id);
    expect([partial.revision, partial.record.updated_at > before.record.updated_at]).toEqual([before.revision + 1, true]);
    await act('payment.refund', { id: payments[0], amount: 1 });
    expect((await orderOf(id)).revision).toBe(partial.revision + 1);
  });

  test("an order's payment status counts payments that were made, not those that failed or wait", async () => {
    const { id, payments } = await paidOrder(40);
    await pay(id, 99, { status: 'failed' });
    await pay(id, 99, { status: 'pending' });
    await act('payment.refund', { id: payments[0], amount: 40 });
    expect(await statusOf(id)).toBe('refunded');
  });

  test("an order's payment status is partial_refund again if the order is paid again after all was given back", async () => {
    const { id, payments } = await paidOrder(40);
    await act('payment.refund', { id: payments[0], amount: 40 });
    await pay(id, 15);
    expect(await statusOf(id)).toBe('partial_refund');
  });

  test("an order's payment status follows a corrected amount", async () => {
    const { id, payments } = await paidOrder(40);
    await act('payment.refund', { id: payments[0], amount: 30 });
    await act('payment.correct_amount', { id: payments[0], amount: 30 });
    expect(await statusOf(id)).toBe('refunded');
  });

  test("an order's payment status does not change without a refund", async () => {
    const { id, payments } = await paidOrder(40);
    await act('payment.void', { id: payments[0] });
    expect(await orderOf(id)).toMatchObject({ revision: 1, record: { payment_status: 'paid' } });
  });

  test("an order's payment status cannot be changed by order.update while the order has refunds, except to its value", async () => {
    const { id, payments } = await paidOrder(40);
    await act('payment.refund', { id: payments[0], amount: 1 });
    expect(await dashboard.refused('order.update', account, { id, payment_status: 'paid' })).toMatchObject({
      status: 409,
      field: 'payment_status',
    });
    expect(await act('order.update', { id, payment_status: 'partial_refund', notes: 'n' })).toMatchObject({ notes: 'n' });
  });

  test("an order's payment status is exact after simultaneous refunds of several payments", async () => {
    const { id, payments } = await paidOrder(10, 10, 10, 10);
    await Promise.all(payments.map((payment) => act('payment.refund', { id: payment, amount: 10 })));
    expect(await statusOf(id)).toBe('refunded');
  });

  const refund = (at: number) => (order: Paid) => act('payment.refund', { id: order.payments[at], amount: 10 });
  const voidPayment = (at: number) => (order: Paid) => act('payment.void', { id: order.payments[at] });
  const record = ({ id }: Paid) => pay(id, 10);
  const ten = () => paidOrder(10);
  const twice = () => paidOrder(10, 10);
  const refundedOfThree = async () => {
    const order = await paidOrder(10, 10, 10);
    await refund(0)(order);
    return order;
  };

  test.each([
    { first: 'a refund', act: refund(0), second: 'another refund', during: refund(1), open: twice, expected: 'refunded' },
    { first: 'a refund', act: refund(0), second: 'a recorded payment', during: record, open: ten, expected: 'partial_refund' },
    { first: 'a recorded payment', act: record, second: 'a refund', during: refund(0), open: ten, expected: 'partial_refund' },
    { first: 'a refund', act: refund(0), second: 'a void', during: voidPayment(1), open: twice, expected: 'refunded' },
    { first: 'a void', act: voidPayment(1), second: 'a refund', during: refund(0), open: twice, expected: 'refunded' },
    { first: 'a void', act: voidPayment(1), second: 'another void', during: voidPayment(2), open: refundedOfThree, expected: 'refunded' },
  ])("an order's payment status is exact after $second during any call of $first", async ({ act: start, during, open, expected }) => {
    const alone = await open();
    dashboard.wire.reset();
    await start(alone);
    const calls = dashboard.wire.calls.length;
    for (let index = 0; index < calls; index++)
      for (const moment of ['before', 'after'] as const) {
        const order = await open();
        const standstill = standstillAt(dashboard.wire, index, moment);
        const stopped = start(order);
        await standstill.reached;
        await during(order);
        standstill.goOn();
        await stopped;
        expect({ index, moment, status: await statusOf(order.id) }).toEqual({ index, moment, status: expected });
      }
  });
});

describe('a payment with refunds', () => {
  test.each(['pending', 'submitted', 'failed', 'voided'])('a payment with refunds cannot become %s', async (status) => {
    const { payments } = await paidOrder(40);
    await act('payment.refund', { id: payments[0], amount: 1 });
    expect(await dashboard.refused('payment.set_status', account, { id: payments[0], status })).toMatchObject({
      status: 409,
      code: 'conflict',
    });
  });

  test.each(['completed', 'approved', 'refunded'])('a payment with refunds can become %s', async (status) => {
    const { payments } = await paidOrder(40);
    await act('payment.refund', { id: payments[0], amount: 1 });
    expect(await act('payment.set_status', { id: payments[0], status })).toMatchObject({ status, refunded_amount: 1 });
  });

  test('a payment with refunds cannot be voided', async () => {
    const { payments } = await paidOrder(40);
    await act('payment.refund', { id: payments[0], amount: 40 });
    expect(await dashboard.refused('payment.void', account, { id: payments[0] })).toMatchObject({ status: 409, code: 'conflict' });
  });
});
