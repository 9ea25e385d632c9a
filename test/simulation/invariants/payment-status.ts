import type { Order } from '../../../shared/domain/order/fields.ts';
import type { Payment } from '../../../shared/domain/payment/fields.ts';
import { isByHand } from '../reading/expected-events.ts';
import { kindOf, recordIn } from '../reading/records.ts';
import type { Evidence, Invariant } from './invariant.ts';

/**
 * The payment status of each order, calculated again from the history of the order and its payments
 * (decisions §7, "Refunds and disputes show on the order", "Payments show on the order too").
 */

/** Returns an amount in thousandths, so that sums do not use the product's arithmetic. */
const thousandths = (amount: number): number => Math.round(amount * 1_000);
const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + thousandths(amount), 0);

const isCounted = ({ status }: Payment): boolean => status === 'completed' || status === 'approved';
const isMade = (payment: Payment): boolean => isCounted(payment) || payment.status === 'refunded';

/** What a status is calculated from, at one moment. */
interface Facts {
  /** Sum of the amounts of the payments that count. */
  readonly paid: number;
  readonly total: number;
  /** The status by refunds and disputes; undefined if there are none. */
  readonly decided: string | undefined;
}

const decidedBy = ({ disputes = [] }: Order, payments: readonly Payment[]): string | undefined => {
  const statuses = disputes.map(({ status }) => status);
  if (statuses.includes('lost')) return 'chargebacked';
  if (statuses.includes('open')) return 'disputed';
  const refunded = sumOf(payments.map(({ refunded_amount }) => refunded_amount));
  if (refunded === 0) return undefined;
  return refunded >= sumOf(payments.filter(isMade).map(({ total_amount }) => total_amount)) ? 'refunded' : 'partial_refund';
};

const factsOf = (order: Order, all: readonly Payment[]): Facts => {
  const payments = all.filter(({ type }) => type === 'payment');
  return {
    paid: sumOf(payments.filter(isCounted).map(({ amount }) => amount)),
    total: thousandths(order.total),
    decided: decidedBy(order, payments),
  };
};

const byPayments = ({ paid, total }: Facts): string => {
  if (paid >= total) return 'paid';
  return paid > 0 ? 'partial_payment' : 'pending';
};

/** Returns the status after a write, from the facts before and after it. */
const statusAfter = (stored: string, before: Facts, after: Facts): string => {
  if (after.decided !== undefined) return after.decided;
  // Money that was given back had been paid, also by a payment that no longer counts.
  const decides = before.decided !== undefined || after.paid !== before.paid || (after.total !== before.total && after.paid > 0);
  return decides ? byPayments(after) : stored;
};

/** An order with its payments, at one moment. */
interface Moment {
  readonly order: Order;
  readonly payments: ReadonlyMap<string, Payment>;
  /** Whether the order itself was written, and not only its payments. */
  readonly isSaved: boolean;
}

/** Fields of a payment that a person's erasure empties. It saves the order on its own. */
const personal = ['description', 'method_details', 'gateway', 'updated_at', 'refund_intents'] as const;

/** A payment as its order's retrieve shows it, without the fields above. */
const shownOf = (payment: Payment | undefined): string | undefined =>
  payment && JSON.stringify({ ...payment, ...Object.fromEntries(personal.map((name) => [name, null])), refund_calls: null });

/** Returns every moment of each order at which it or one of its payments was written. */
const momentsOf = ({ region }: Evidence, account: string): ReadonlyMap<string, ReadonlyMap<number, Moment>> => {
  const moments = new Map<string, Map<number, Moment>>();
  const last = new Map<string, { order: Order | undefined; payments: Map<string, Payment> }>();
  for (const { key, after, atMs } of region.engine.table('simulated').changes) {
    const [, owner] = String(key['pk']).split('#');
    const kind = kindOf(key);
    if (owner !== account || isByHand(key) || (kind !== 'order' && kind !== 'payment')) continue;
    // The erasure of an account deletes its orders before its payments, which Stripe may still change.
    if (!after?.['view']) {
      last.delete(String(key['sk']));
      continue;
    }
    const record = recordIn<Order | Payment>(after);
    const id = kind === 'order' ? record.id : (record as Payment).order_id;
    if (id === null) continue;
    const now = last.get(id) ?? { order: undefined, payments: new Map<string, Payment>() };
    if (kind === 'order') now.order = record as Order;
    else now.payments.set(record.id, record as Payment);
    last.set(id, now);
    if (!now.order) continue;
    // Writes of one moment are one transaction; the last of them shows all of it.
    const own = moments.get(id) ?? new Map<number, Moment>();
    moments.set(
      id,
      own.set(atMs, { order: now.order, payments: new Map(now.payments), isSaved: kind === 'order' || own.get(atMs)?.isSaved === true }),
    );
  }
  return moments;
};

/** Statuses that callers may have sent for an order while a write was made. */
const sentAt = ({ journal }: Evidence, order: string, atMs: number): readonly unknown[] =>
  journal.sentStatuses.filter((sent) => sent.order === order && sent.begunMs <= atMs && atMs <= sent.endedMs).map(({ status }) => status);

const findingsOf = (evidence: Evidence, moments: ReadonlyMap<number, Moment>): readonly string[] => {
  const findings: string[] = [];
  let before: Moment | undefined;
  for (const [atMs, moment] of moments) {
    const { order, payments, isSaved } = moment;
    if (before && before.order.deleted_at === null && order.deleted_at === null) {
      const [was, is] = [factsOf(before.order, [...before.payments.values()]), factsOf(order, [...payments.values()])];
      const expected = statusAfter(before.order.payment_status, was, is);
      const isRight =
        order.payment_status === expected || (is.decided === undefined && sentAt(evidence, order.id, atMs).includes(order.payment_status));
      const facts = `paid ${is.paid / 1_000} (before: ${was.paid / 1_000}) of ${is.total / 1_000} (before: ${was.total / 1_000})`;
      if (!isRight)
        findings.push(`${order.id} says ${order.payment_status} and was ${before.order.payment_status}: ${facts}, so it is ${expected}.`);
      const earlier = before.payments;
      const written = [...payments.values()].filter((payment) => shownOf(earlier.get(payment.id)) !== shownOf(payment));
      if (written.length > 0 && !isSaved)
        findings.push(`${order.id} was not saved with a change of ${written.map(({ id }) => id).join(', ')}.`);
    }
    before = moment;
  }
  return findings;
};

export const paymentStatus: Invariant = {
  number: 29,
  name: "an order's payment_status follows from what was sent and its payments, refunds and disputes, and their changes save it",
  breaches: (evidence) =>
    evidence.accounts.flatMap((account) => [...momentsOf(evidence, account).values()].flatMap((moments) => findingsOf(evidence, moments))),
};
