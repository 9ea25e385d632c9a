import type { Order } from '../../../shared/domain/order/fields.ts';
import type { Payment } from '../../../shared/domain/payment/fields.ts';
import { type HostedSession, paymentOf } from '../../stripe/books.ts';
import { minorOf } from '../world/currencies.ts';
import { recordsOf } from './history.ts';
import type { Evidence, Invariant } from './invariant.ts';

/** A payment at Stripe, and everything that the service recorded about it. */
interface Paid {
  readonly hosted: HostedSession;
  readonly payment: Payment;
  readonly refunds: readonly Payment[];
  readonly order: Order | undefined;
}

const paidOf = (evidence: Evidence, account: string): readonly Paid[] => {
  const payments = recordsOf<Payment>(evidence, 'payment', account);
  const orders = new Map(recordsOf<Order>(evidence, 'order', account).map((order) => [order.id, order]));
  return evidence.region.page.stripe.paidTo(account).flatMap((hosted) => {
    const payment = payments.find(({ type, gateway }) => type === 'payment' && gateway?.transaction_id === paymentOf(hosted));
    if (!payment) return [];
    const refunds = payments.filter(({ original_payment_id }) => original_payment_id === payment.id);
    return [{ hosted, payment, refunds, order: orders.get(payment.order_id ?? '') }];
  });
};

/** Compares the refunds on record with those of Stripe. */
const refundFindings = ({ region, journal }: Evidence, { hosted, payment, refunds }: Paid): readonly string[] => {
  const made = region.page.stripe.books.refunds.filter(({ payment_intent }) => payment_intent === paymentOf(hosted));
  const succeeded = made.filter(({ status }) => status === 'succeeded');
  const recorded = refunds.filter(({ status }) => status === 'completed');
  const known = (id: string) => recorded.filter(({ gateway }) => gateway?.transaction_id === id);
  const remainingIntents = payment.refund_intents ?? [];
  const byHand = recorded.filter(({ gateway }) => !gateway?.transaction_id).length;
  const handCalls = journal.refundsByHand.get(payment.id) ?? 0;
  const requestedCount = made.filter(({ metadata, status }) => metadata.bakery_refund !== undefined && status !== 'failed').length;
  const calls = journal.refundCalls.get(payment.id) ?? 0;
  return [
    ...(byHand > handCalls ? [`${handCalls} calls may have recorded a refund of ${payment.id} by hand, and ${byHand} are on record.`] : []),
    ...(requestedCount > calls ? [`${calls} calls gave money back ${requestedCount} times of ${payment.id}.`] : []),
    ...succeeded.flatMap(({ id, amount }) => {
      const amounts = known(id).map((one) => minorOf(one.amount, hosted.currency));
      return amounts.length === 1 && amounts[0] === amount
        ? []
        : [`Stripe gave ${amount} of ${payment.id} back as ${id}, on record: ${amounts.join(', ') || 'nothing'}.`];
    }),
    ...recorded
      .filter(({ gateway }) => gateway?.transaction_id && !succeeded.some(({ id }) => id === gateway.transaction_id))
      .map(({ id }) => `${id} is a refund of ${payment.id} that Stripe did not make.`),
    ...remainingIntents
      .filter(({ id }) => made.some(({ metadata, status }) => metadata.bakery_refund === id && status !== 'pending'))
      .map(({ id }) => `${id} still reserves its amount of ${payment.id}, and Stripe has decided.`),
  ];
};

/**
 * Returns the payment status that Stripe's books ask for; undefined if they have neither refund nor
 * dispute.
 */
const statusOf = ({ region }: Evidence, { hosted, payment }: Paid): string | undefined => {
  const { refunds, disputes } = region.page.stripe.books;
  const own = [...disputes.values()].filter(({ payment_intent }) => payment_intent === paymentOf(hosted)).map(({ status }) => status);
  if (own.includes('lost')) return 'chargebacked';
  if (own.includes('needs_response') || own.includes('under_review')) return 'disputed';
  const succeeded = refunds.filter(({ payment_intent, status }) => payment_intent === paymentOf(hosted) && status === 'succeeded');
  const sum = succeeded.reduce((total, { amount }) => total + amount, 0);
  if (sum === 0) return undefined;
  return sum >= minorOf(payment.total_amount, hosted.currency) ? 'refunded' : 'partial_refund';
};

const orderFindings = (evidence: Evidence, paid: Paid, others: readonly Payment[]): readonly string[] => {
  const { order } = paid;
  // What was recorded by hand is not in Stripe's books; another invariant checks it by the payments.
  if (evidence.journal.refundsByHand.has(paid.payment.id)) return [];
  // Another payment of the order has refunds or amounts of its own.
  if (!order || order.deleted_at !== null || others.some(({ order_id, id }) => order_id === order.id && id !== paid.payment.id)) return [];
  const expected = statusOf(evidence, paid);
  const isRight =
    expected === undefined
      ? !['disputed', 'chargebacked', 'partial_refund', 'refunded'].includes(order.payment_status)
      : order.payment_status === expected;
  return isRight
    ? []
    : [`${order.id} says ${order.payment_status}, and by Stripe's books it is ${expected ?? 'neither refunded nor disputed'}.`];
};

const isPaid = ({ status }: Payment): boolean => ['completed', 'approved', 'refunded'].includes(status);

/** Compares the payment status of an order with refunds with all of its payments, as recorded. */
const statusFindings = (order: Order, originals: readonly Payment[]): readonly string[] => {
  const own = originals.filter(({ order_id }) => order_id === order.id);
  const sumOf = (amounts: readonly number[]): number => Math.round(amounts.reduce((sum, amount) => sum + amount, 0) * 1_000);
  const refunded = sumOf(own.map(({ refunded_amount }) => refunded_amount));
  if (refunded === 0 || order.deleted_at !== null || order.disputes?.length) return [];
  const paid = sumOf(own.filter(isPaid).map(({ total_amount }) => total_amount));
  const expected = refunded >= paid ? 'refunded' : 'partial_refund';
  return order.payment_status === expected ? [] : [`${order.id} says ${order.payment_status}, and by its payments it is ${expected}.`];
};

export const givenBack: Invariant = {
  number: 24,
  name: 'money given back at the gateway is on record once, no order is both fully refunded and paid, and a dispute shows on its order',
  only: ['shop', 'mixed'],
  breaches: (evidence) =>
    evidence.accounts.flatMap((account) => {
      const originals = recordsOf<Payment>(evidence, 'payment', account).filter(({ type }) => type === 'payment');
      return [
        ...paidOf(evidence, account).flatMap((paid) => [...refundFindings(evidence, paid), ...orderFindings(evidence, paid, originals)]),
        ...recordsOf<Order>(evidence, 'order', account).flatMap((order) => statusFindings(order, originals)),
      ];
    }),
};
