import { addMoney } from '../../core/money.ts';
import { withLaterTime } from '../../core/time.ts';
import type { orderPaymentStatuses } from '../enumerations.ts';
import { type Payment, paymentPayload } from '../payment/fields.ts';
import { hasMoney, isSettled } from '../payment/rules.ts';
import type { Order } from './fields.ts';

type PaymentStatusOfOrder = (typeof orderPaymentStatuses)[number];

/** The facts from which the payment status of an order follows. */
interface OrderFacts {
  readonly order: Pick<Order, 'total' | 'disputes'>;
  readonly payments: readonly Payment[];
}

const originalsOf = (payments: readonly Payment[]) => payments.filter(({ type }) => type === 'payment');

/** Returns the status that disputes and refunds decide; undefined if neither decides. */
const statusOfMoneyBack = ({ order: { disputes = [] }, payments }: OrderFacts): PaymentStatusOfOrder | undefined => {
  if (disputes.some(({ status }) => status === 'lost')) return 'chargebacked';
  if (disputes.some(({ status }) => status === 'open')) return 'disputed';
  if (originalsOf(payments).every(({ refunded_amount }) => refunded_amount === 0)) return undefined;
  return payments.some(hasMoney) ? 'partial_refund' : 'refunded';
};

/** Whether disputes or refunds decide the payment status, so that nobody may send another. */
export const isDecidedByMoneyBack = (facts: OrderFacts): boolean => statusOfMoneyBack(facts) !== undefined;

/** Returns the sum of the amounts, without tips, of the payments that count. */
const paidOf = ({ payments }: OrderFacts): number =>
  addMoney(
    ...originalsOf(payments)
      .filter(({ status }) => isSettled(status))
      .map(({ amount }) => amount),
  );

/**
 * Returns the payment status after a change of facts (decisions §7); undefined if the change leaves
 * the stored one. Without a dispute or refund, a status that was sent stays until the paid amount
 * changes, or the total of an order that is paid in part.
 */
export const paymentStatusAfter = (before: OrderFacts, after: OrderFacts): PaymentStatusOfOrder | undefined => {
  const decided = statusOfMoneyBack(after);
  if (decided) return decided;
  const paid = paidOf(after);
  const changesTotal = after.order.total !== before.order.total && paid > 0;
  if (!isDecidedByMoneyBack(before) && paid === paidOf(before) && !changesTotal) return undefined;
  if (paid >= after.order.total) return 'paid';
  return paid > 0 ? 'partial_payment' : 'pending';
};

/** Returns the payments of an order after some of them were changed or added. */
const withChanged = (payments: readonly Payment[], changed: readonly Payment[]): readonly Payment[] => [
  ...payments.filter(({ id }) => !changed.some((payment) => payment.id === id)),
  ...changed,
];

/**
 * Returns the order after changes of its payments; the same order if its retrieve shows what it
 * showed before.
 */
export const afterPayments = (order: Order, payments: readonly Payment[], changed: readonly Payment[], now: string): Order => {
  const status = paymentStatusAfter({ order, payments }, { order, payments: withChanged(payments, changed) });
  const isShownAlike = (payment: Payment): boolean => {
    const before = payments.find(({ id }) => id === payment.id);
    return before !== undefined && JSON.stringify(paymentPayload(before)) === JSON.stringify(paymentPayload(payment));
  };
  if ((status === undefined || status === order.payment_status) && changed.every(isShownAlike)) return order;
  return withLaterTime(order, { ...order, payment_status: status ?? order.payment_status, updated_at: now });
};
