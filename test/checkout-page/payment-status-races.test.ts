import { afterEach, expect, test } from '@jest/globals';
import { standstillAt } from '../support/faults.ts';
import { useRefunds } from './refunding.ts';

const own = useRefunds();
const { t, ask, notify, order, buy, callsOf } = own;
afterEach(() => t.world.wire.intercept(undefined));

type Work = () => Promise<unknown>;
const act = (action: string, input: object) => t.service.act(action, own.account, input);
const transaction = () => own.paid.gateway.transaction_id;

const total: Work = () => act('order.update', { id: own.paid.order_id, items: [{ name: 'Cake', quantity: 1, unit_price: 20 }] });
const cash: Work = () => act('payment.create', { order_id: own.paid.order_id, amount: 7, method: 'cash' });
const refund: Work = () => ask({ amount: 5 });
const dispute =
  (status: string): Work =>
  () =>
    notify('charge.dispute.updated', t.stripe.dispute(transaction(), 'dp_1', status));
const opened = dispute('needs_response');
const won = dispute('won');

/** Makes a refund of the whole at Stripe. Returns the work that reports its failure. */
const refundThatFails = async (): Promise<Work> => {
  const refunded = t.stripe.refundAt(transaction(), 1300, {});
  await notify('refund.created', refunded);
  return () => {
    refunded.status = 'failed';
    return notify('refund.failed', refunded);
  };
};
const paid = async (): Promise<Work> => async () => undefined;
const disputed = async (): Promise<Work> => {
  await opened();
  return won;
};

// The order was paid with 13, and a new total is 20. `open` returns the work of the notice.
test.each<{
  first: string;
  second: string;
  open: () => Promise<Work>;
  act: (notice: Work) => Work;
  during: (notice: Work) => Work;
  expected: string;
}>([
  {
    first: 'a failing refund',
    second: 'a new total',
    open: refundThatFails,
    act: (failed) => failed,
    during: () => total,
    expected: 'partial_payment',
  },
  {
    first: 'a new total',
    second: 'a failing refund',
    open: refundThatFails,
    act: () => total,
    during: (failed) => failed,
    expected: 'partial_payment',
  },
  {
    first: 'a recorded payment',
    second: 'a failing refund',
    open: refundThatFails,
    act: () => cash,
    during: (failed) => failed,
    expected: 'paid',
  },
  { first: 'a won dispute', second: 'a new total', open: disputed, act: (end) => end, during: () => total, expected: 'partial_payment' },
  { first: 'a new total', second: 'a won dispute', open: disputed, act: () => total, during: (end) => end, expected: 'partial_payment' },
  { first: 'a new dispute', second: 'a refund at Stripe', open: paid, act: () => opened, during: () => refund, expected: 'disputed' },
  { first: 'a refund at Stripe', second: 'a new total', open: paid, act: () => refund, during: () => total, expected: 'partial_refund' },
  {
    first: 'a recorded payment',
    second: 'a refund at Stripe',
    open: paid,
    act: () => cash,
    during: () => refund,
    expected: 'partial_refund',
  },
])("an order's payment status is exact after $second during any call of $first", async ({ open, act: start, during, expected }) => {
  const calls = await callsOf(start(await open()));
  for (let index = 0; index < calls; index++)
    for (const moment of ['before', 'after'] as const) {
      t.world.wire.intercept(undefined);
      await buy();
      const notice = await open();
      const standstill = standstillAt(t.world.wire, index, moment);
      const stopped = start(notice)();
      await standstill.reached;
      await during(notice)();
      standstill.goOn();
      await stopped;
      expect({ index, moment, status: (await order()).payment_status }).toEqual({ index, moment, status: expected });
    }
});
