import { beforeAll, describe, expect, test } from '@jest/globals';
import { shared } from '../support/shared.ts';
import { writeOrder } from '../support/shop.ts';
import { startDashboard } from './dashboard.ts';

// Guarantee 29 (docs/guarantees.md)

const dashboard = shared(startDashboard);
let account: string;
beforeAll(async () => {
  account = await dashboard.openAccount();
});

const act = (action: string, input: object) => dashboard.act(action, account, input);
const pay = async (order: string, amount: number, fields: object = {}): Promise<string> =>
  (await act('payment.create', { order_id: order, amount, method: 'card', status: 'completed', ...fields }))['id'];
const orderOf = async (id: string) => {
  const stored = await dashboard.services.store.orders.get(account, id);
  if (!stored) throw new Error(`No order ${id}.`);
  return stored;
};
const statusOf = async (id: string) => (await orderOf(id)).record.payment_status;

/** An order of 40 with payments of these amounts. */
const paidOrder = async (...amounts: number[]) => {
  const { id } = await writeOrder(dashboard.services, account);
  const payments: string[] = [];
  for (const amount of amounts) payments.push(await pay(id, amount));
  return { id, payments };
};
type Paid = Awaited<ReturnType<typeof paidOrder>>;

/** One line of this price, so that the order's total is the price. */
const priced = (unit_price: number) => ({ items: [{ name: 'Cake', quantity: 1, unit_price }] });
const updateOrder = ({ id }: Paid, changes: object) => act('order.update', { id, ...changes });
const first = ({ payments: [id] }: Paid) => ({ id });

describe("an order's payment status follows its payments", () => {
  test.each<[what: string, amounts: number[], change: (order: Paid) => Promise<unknown>, expected: string]>([
    ['a tip makes a part as large as the total', [], ({ id }) => pay(id, 30, { tip_amount: 10 }), 'partial_payment'],
    [
      'only the tip is corrected',
      [12],
      (order) => act('payment.correct_amount', { ...first(order), amount: 12, tip_amount: 28 }),
      'partial_payment',
    ],
    ['a payment is recorded that failed', [40], ({ id }) => pay(id, 40, { status: 'failed' }), 'paid'],
    [
      'the stored status is sent beside a new total',
      [40],
      (order) => updateOrder(order, { ...priced(50), payment_status: 'paid' }),
      'paid',
    ],
  ])("an order's payment status is right after %s", async (_what, amounts, change, expected) => {
    const order = await paidOrder(...amounts);
    await change(order);
    expect(await statusOf(order.id)).toBe(expected);
  });

  test("an order's payment status that was sent stays until the paid amount or the total changes", async () => {
    const order = await paidOrder(40);
    await updateOrder(order, { payment_status: 'overdue' });
    await updateOrder(order, { notes: 'n' });
    await act('payment.set_status', { ...first(order), status: 'approved' });
    await pay(order.id, 10, { status: 'pending' });
    expect(await statusOf(order.id)).toBe('overdue');
    await updateOrder(order, priced(50));
    expect(await statusOf(order.id)).toBe('partial_payment');
  });

  test("an order's payment status that was sent stays if no payment counts or counted", async () => {
    const order = await paidOrder();
    await updateOrder(order, { payment_status: 'overdue', ...priced(50) });
    const waiting = await pay(order.id, 10, { status: 'pending' });
    await act('payment.set_status', { id: waiting, status: 'failed' });
    await updateOrder(order, priced(60));
    expect(await statusOf(order.id)).toBe('overdue');
  });
});

describe('an order with money', () => {
  test.each<[what: string, amounts: number[], prepare: (order: Paid) => Promise<unknown>]>([
    ['its payment counts', [40], async () => undefined],
    ['its payment was given back in part', [40], (order) => act('payment.refund', { ...first(order), amount: 39 })],
    ['one of two payments was given back', [30, 10], (order) => act('payment.refund', { ...first(order), amount: 30 })],
  ])('order.delete is 409 while %s', async (_what, amounts, prepare) => {
    const order = await paidOrder(...amounts);
    await prepare(order);
    expect(await dashboard.errorOf('order.delete', account, { id: order.id })).toMatchObject({ status: 409, code: 'conflict' });
  });

  test.each([
    { amount: 50, tip_amount: 0 },
    { amount: 40, tip_amount: 0.01 },
  ])(
    'a payment of a deleted order that was given back whole cannot be corrected to $amount with a tip of $tip_amount',
    async (correction) => {
      const { id, payments } = await paidOrder(40);
      const [payment] = payments;
      await act('payment.refund', { id: payment, amount: 40 });
      await act('order.delete', { id });
      expect(await dashboard.errorOf('payment.correct_amount', account, { id: payment, ...correction })).toMatchObject({
        status: 409,
        field: 'amount',
      });
      expect(await act('payment.correct_amount', { id: payment, amount: 40 })).toMatchObject({ total_amount: 40 });
    },
  );
});

describe("an order's payment status after refunds", () => {
  test("an order's payment status counts payments that were made, not those that failed or wait", async () => {
    const { id, payments } = await paidOrder(40);
    await pay(id, 99, { status: 'failed' });
    await pay(id, 99, { status: 'pending' });
    await act('payment.refund', { id: payments[0], amount: 40 });
    expect(await statusOf(id)).toBe('refunded');
  });

  test("an order's payment status is refunded if one payment was set to refunded by hand and the other was given back whole", async () => {
    const { id, payments } = await paidOrder(30, 10);
    await act('payment.set_status', { id: payments[1], status: 'refunded' });
    await act('payment.refund', { id: payments[0], amount: 30 });
    expect(await statusOf(id)).toBe('refunded');
  });

  test("an order's payment status cannot be changed by order.update while the order has refunds, except to its value", async () => {
    const { id, payments } = await paidOrder(40);
    await act('payment.refund', { id: payments[0], amount: 1 });
    expect(await dashboard.errorOf('order.update', account, { id, payment_status: 'paid' })).toMatchObject({
      status: 409,
      field: 'payment_status',
    });
    expect(await act('order.update', { id, payment_status: 'partial_refund', notes: 'n' })).toMatchObject({ notes: 'n' });
  });
});
