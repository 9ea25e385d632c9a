import { afterEach, beforeAll, expect, test } from '@jest/globals';
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
const pay = async (order: string, amount: number, fields: object = {}): Promise<string> =>
  (await act('payment.create', { order_id: order, amount, method: 'card', status: 'completed', ...fields }))['id'];
const orderOf = async (id: string) => {
  const stored = await dashboard.services.store.orders.get(account, id);
  if (!stored) throw new Error(`No order ${id}.`);
  return stored;
};

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

const refund = (at: number) => (order: Paid) => act('payment.refund', { id: order.payments[at], amount: 10 });
const voidPayment = (at: number) => (order: Paid) => act('payment.void', { id: order.payments[at] });
const record = ({ id }: Paid) => pay(id, 30);
const total = (amount: number) => (order: Paid) => updateOrder(order, priced(amount));
const correct = (order: Paid) => act('payment.correct_amount', { ...first(order), amount: 40 });
const settle = (order: Paid) => act('payment.set_status', { ...first(order), status: 'completed' });
const remove = ({ id }: Paid) => act('order.delete', { id });
const none = () => paidOrder();
const ten = () => paidOrder(10);
const twice = () => paidOrder(10, 10);
const refundedOfThree = async () => {
  const order = await paidOrder(10, 10, 10);
  await refund(0)(order);
  return order;
};
const waiting = async () => {
  const order = await paidOrder();
  return { ...order, payments: [await pay(order.id, 40, { status: 'pending' })] };
};
/** The work and the status, or 409 if it comes too late. */
const orTooLate = (work: (order: Paid) => Promise<unknown>) => (order: Paid) =>
  work(order).catch((error) => expect(String(error)).toMatch(/conflict/));

test.each<{
  first: string;
  act: (order: Paid) => Promise<unknown>;
  second: string;
  during: (order: Paid) => Promise<unknown>;
  open: () => Promise<Paid>;
  expected: string | readonly string[];
}>([
  { first: 'a refund', act: refund(0), second: 'another refund', during: refund(1), open: twice, expected: 'refunded' },
  { first: 'a refund', act: refund(0), second: 'a recorded payment', during: record, open: ten, expected: 'partial_refund' },
  { first: 'a recorded payment', act: record, second: 'a refund', during: refund(0), open: ten, expected: 'partial_refund' },
  { first: 'a refund', act: refund(0), second: 'a void', during: voidPayment(1), open: twice, expected: 'refunded' },
  { first: 'a void', act: voidPayment(1), second: 'a refund', during: refund(0), open: twice, expected: 'refunded' },
  { first: 'a void', act: voidPayment(1), second: 'another void', during: voidPayment(2), open: refundedOfThree, expected: 'refunded' },
  { first: 'a void', act: voidPayment(0), second: 'another void', during: voidPayment(1), open: twice, expected: 'pending' },
  { first: 'a recorded payment', act: record, second: 'another one', during: record, open: none, expected: 'paid' },
  { first: 'a recorded payment', act: record, second: 'a new total', during: total(60), open: ten, expected: 'partial_payment' },
  { first: 'a new total', act: total(60), second: 'a recorded payment', during: record, open: ten, expected: 'partial_payment' },
  { first: 'a correction', act: correct, second: 'a new total', during: total(60), open: ten, expected: 'partial_payment' },
  { first: 'a new total', act: total(10), second: 'a void', during: voidPayment(1), open: twice, expected: 'paid' },
  {
    first: 'a deletion',
    act: orTooLate(remove),
    second: 'a completion',
    during: orTooLate(settle),
    open: waiting,
    expected: ['pending deleted', 'paid'],
  },
  {
    first: 'a completion',
    act: orTooLate(settle),
    second: 'a deletion',
    during: orTooLate(remove),
    open: waiting,
    expected: ['pending deleted', 'paid'],
  },
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
      const { payment_status, deleted_at } = (await orderOf(order.id)).record;
      const status = deleted_at === null ? payment_status : `${payment_status} deleted`;
      expect({ index, moment, status: [expected].flat().includes(status) ? 'expected' : status }).toEqual({
        index,
        moment,
        status: 'expected',
      });
    }
});
