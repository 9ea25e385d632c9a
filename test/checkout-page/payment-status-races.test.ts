import { afterEach, expect, test } from '@jest/globals';
import { standstillAt } from '../support/faults.ts';
import { useRefunds } from './refunding.ts';

// Guarantee 29 (docs/guarantees.md)

const own = useRefunds();
const { t, ask, notify, buy, callsOf, atStripe } = own;
afterEach(() => t.world.wire.intercept(undefined));

type Work = () => Promise<unknown>;
const act = (action: string, input: object) => t.service.act(action, own.account, input);
const transaction = () => own.paid.gateway.transaction_id;
const ofOrder = () => ({ id: own.paid.order_id });

let cash: string;
const recordCash = async (status: string): Promise<void> => {
  const input = { order_id: own.paid.order_id, amount: 7, method: 'cash', status };
  cash = (await act('payment.create', input))['id'];
};
const payCash: Work = () => recordCash('completed');
const total: Work = () => act('order.update', { ...ofOrder(), items: [{ name: 'Cake', quantity: 1, unit_price: 20 }] });
const refund: Work = () => ask({ amount: 5 });
const refundAll: Work = () => ask({ amount: 13 });
const refundCash: Work = () => act('payment.refund', { id: cash, amount: 7 });
const voidCash: Work = () => act('payment.void', { id: cash });
const dispute =
  (status: string): Work =>
  () =>
    notify('charge.dispute.updated', t.stripe.dispute(transaction(), 'dp_1', status));
const failing: Work = () => notify('refund.failed', Object.assign(atStripe()[0], { status: 'failed' }));
/** Does the work, unless it comes too late. */
const ifInTime =
  (work: Work): Work =>
  () =>
    work().catch((error) => expect(String(error)).toMatch(/conflict/));
const complete = ifInTime(() => act('payment.set_status', { id: cash, status: 'completed' }));
const remove = ifInTime(() => act('order.delete', ofOrder()));

const refunded = refundAll;
const disputed = dispute('needs_response');
const paidInCash: Work = async () => {
  await total();
  await payCash();
};
const refundedAndWaiting: Work = async () => {
  await refundAll();
  await recordCash('pending');
};

/** Each way to save an order's payment status, with a change in between that it must not overlook. The order was paid with 13. */
test.each<{ first: string; second: string; open?: Work; act: Work; during: Work; expected: readonly string[] }>([
  { first: 'a failing refund', second: 'a new total', open: refunded, act: failing, during: total, expected: ['partial_payment'] },
  { first: 'a new total', second: 'a failing refund', open: refunded, act: total, during: failing, expected: ['partial_payment'] },
  { first: 'a won dispute', second: 'a new total', open: disputed, act: dispute('won'), during: total, expected: ['partial_payment'] },
  { first: 'a new dispute', second: 'a refund at Stripe', act: disputed, during: refund, expected: ['disputed'] },
  { first: 'a refund at Stripe', second: 'a new total', act: refund, during: total, expected: ['partial_refund'] },
  { first: 'a recorded payment', second: 'a refund at Stripe', act: payCash, during: refund, expected: ['partial_refund'] },
  { first: 'a void', second: 'a refund at Stripe', open: paidInCash, act: voidCash, during: refundAll, expected: ['refunded'] },
  { first: 'a refund of cash', second: 'a refund at Stripe', open: paidInCash, act: refundCash, during: refundAll, expected: ['refunded'] },
  {
    first: 'a deletion',
    second: 'a completed payment',
    open: refundedAndWaiting,
    act: remove,
    during: complete,
    expected: ['refunded deleted', 'partial_refund'],
  },
  {
    first: 'a completed payment',
    second: 'a deletion',
    open: refundedAndWaiting,
    act: complete,
    during: remove,
    expected: ['refunded deleted', 'partial_refund'],
  },
])("an order's payment status is exact after $second during any call of $first", async ({ open, act: start, during, expected }) => {
  await open?.();
  const calls = await callsOf(start);
  for (let index = 0; index < calls; index++)
    for (const moment of ['before', 'after'] as const) {
      t.world.wire.intercept(undefined);
      await buy();
      await open?.();
      const standstill = standstillAt(t.world.wire, index, moment);
      const stopped = start();
      await standstill.reached;
      await during();
      standstill.goOn();
      await stopped;
      const { payment_status, deleted_at } = (await t.world.store.orders.get(own.account, own.paid.order_id))?.record ?? {};
      const status = deleted_at === null ? payment_status : `${payment_status} deleted`;
      expect({ index, moment, status: expected.includes(String(status)) ? 'expected' : status }).toEqual({
        index,
        moment,
        status: 'expected',
      });
    }
});
