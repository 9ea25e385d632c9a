import { ofKind } from './rules.ts';
import type { Snapshot, View } from './snapshot.ts';

/** Rules about money, from decisions §6 and §7. They are independent of the code. */

/** The id of the order to change, without one a new order, and the payment status that was sent. */
interface Sent {
  readonly id?: string;
  readonly payment_status?: string;
}

const cents = (amount: number): number => Math.round(amount * 100);
const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + cents(amount), 0);
const counts = ({ type, status }: View): boolean => type === 'payment' && (status === 'completed' || status === 'approved');
const originals = ({ payments }: View): readonly View[] => payments.filter(({ type }: View) => type === 'payment');
const paidOf = (order: View): number => sum(order.payments.filter(counts).map(({ amount }: View) => amount));

const refundsOf = (order: View, original?: string): number =>
  sum(
    order.payments
      .filter(({ type, status }: View) => type === 'refund' && status === 'completed')
      .filter(({ original_payment_id }: View) => original === undefined || original_payment_id === original)
      .map(({ amount }: View) => amount),
  );

/** The status that disputes and refunds decide; undefined if they decide none. */
const decided = (order: View, disputes: readonly string[] = []): string | undefined => {
  if (disputes.includes('lost')) return 'chargebacked';
  if (disputes.includes('open')) return 'disputed';
  const refunds = refundsOf(order);
  if (refunds === 0) return undefined;
  const paid = originals(order).filter((payment) => counts(payment) || payment.status === 'refunded');
  return refunds >= sum(paid.map(({ total_amount }) => total_amount)) ? 'refunded' : 'partial_refund';
};

/** The status of what was paid. */
const settled = (order: View): string => {
  const paid = paidOf(order);
  if (paid === 0) return 'pending';
  return paid >= cents(order.total) ? 'paid' : 'partial_payment';
};

/** Returns the payment status that an order must have after a write. `sent` is the status that the write sent. */
const expectedStatus = (before: Snapshot, after: Snapshot, order: View, sent: unknown): unknown => {
  const was = before.records.get(`order ${order.id}`);
  const by = decided(order, after.disputes.get(order.id));
  if (by !== undefined) return by;
  if (was === undefined) return order.source === 'checkout' ? settled(order) : (sent ?? 'pending');
  if (sent !== undefined) return sent;
  const isFree = decided(was, before.disputes.get(order.id)) !== undefined;
  const isPaid = paidOf(was) !== paidOf(order) || (was.total !== order.total && paidOf(order) > 0);
  return isFree || isPaid ? settled(order) : was.payment_status;
};

const orderFaults = (before: Snapshot, after: Snapshot, sent: Sent): readonly string[] =>
  ofKind(after, 'order').flatMap((order) => {
    const { items, subtotal, tax, delivery_fee, discount, total, payment_status } = order;
    const isSent = sent.id === undefined ? !before.records.has(`order ${order.id}`) : sent.id === order.id;
    const expected = expectedStatus(before, after, order, isSent ? sent.payment_status : undefined);
    return [
      ...(sum(items.map((item: View) => item.total)) === cents(subtotal) ? [] : ['subtotal is not the sum of the lines']),
      ...(sum([subtotal, tax, delivery_fee, -discount]) === cents(total) ? [] : ['total does not add up']),
      ...(payment_status === expected ? [] : [`payment_status is ${payment_status}, not ${expected}`]),
      ...(refundsOf(order) <= sum(originals(order).map(({ total_amount }) => total_amount)) ? [] : ['more was given back than paid']),
      ...originals(order).flatMap((payment) => paymentFaults(order, payment)),
    ];
  });

const paymentFaults = (order: View, { id, amount, tip_amount, total_amount, fee_amount, net_amount, refunded_amount }: View) => [
  ...(sum([amount, tip_amount]) === cents(total_amount) ? [] : ['total_amount of a payment does not add up']),
  ...(sum([total_amount, -fee_amount]) === cents(net_amount) ? [] : ['net_amount of a payment does not add up']),
  ...(refundsOf(order, id) === cents(refunded_amount) ? [] : ['refunded_amount is not the sum of the refunds']),
];

/** A day's expense is the sum of its lines, and the fee of a checkout payment equals its line. */
const feeFaults = (after: Snapshot): readonly string[] => {
  const days = ofKind(after, 'expense').filter(({ source }) => source === 'gateway_fee');
  const lines: readonly View[] = days.flatMap(({ line_items }) => line_items);
  const byDay = days.flatMap(({ amount, line_items, metadata }) => [
    ...(sum(line_items.map((line: View) => line.amount)) === cents(amount) ? [] : ["the day's expense is not the sum of its lines"]),
    ...(metadata.transaction_count === line_items.length ? [] : ['transaction_count is not the number of lines']),
  ]);
  const unbooked = ofKind(after, 'unbooked_fee');
  const byPayment = ofKind(after, 'order')
    .flatMap(({ payments }) => payments)
    .filter(({ source, type, fee_amount }: View) => source === 'checkout' && type === 'payment' && fee_amount > 0)
    .filter(({ order_id, fee_amount }: View) => {
      const own = [...lines, ...unbooked].filter((line) => line.order_id === order_id);
      return sum(own.map(({ amount }) => amount)) !== cents(fee_amount);
    });
  return [...byDay, ...byPayment.map(() => 'the fee of a checkout payment is not its line')];
};

/** Totals count orders that are not cancelled or deleted. */
const totalsFaults = (before: Snapshot, after: Snapshot): readonly string[] =>
  ofKind(after, 'customer').flatMap((customer) => {
    const orders = ofKind(after, 'order').filter(({ customer_id }) => customer_id === customer.id);
    const counted = orders.filter(({ status }) => status !== 'cancelled');
    const made = counted.filter(({ id }) => !before.records.has(`order ${id}`)).map(({ created_at }) => created_at);
    const last = [before.records.get(`customer ${customer.id}`)?.last_order_date ?? '', ...made].sort().at(-1) || null;
    return [
      ...(counted.length === customer.total_orders ? [] : ['total_orders is not the number of orders']),
      ...(sum(counted.map(({ total }) => total)) === cents(customer.total_spent) ? [] : ['total_spent is not the sum of the orders']),
      ...(last === customer.last_order_date ? [] : ['last_order_date is not that of the newest order']),
    ];
  });

/** Returns where the books do not add up. */
export const bookFaults = (before: Snapshot, after: Snapshot, sent: Sent): readonly string[] => [
  ...orderFaults(before, after, sent),
  ...(after.lists === undefined ? [] : [...feeFaults(after), ...totalsFaults(before, after)]),
];
