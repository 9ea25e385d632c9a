import type { Clock } from '../core/clock.ts';
import { type ApiError, changedMeanwhile } from '../core/errors.ts';
import type { Random } from '../core/random.ts';
import { isoFromMs } from '../core/time.ts';
import { erasePayment, hasText } from '../domain/erased-fields.ts';
import type { Dispute, Order } from '../domain/order/fields.ts';
import { afterPayments, paymentStatusAfter } from '../domain/order/payment-status.ts';
import { cutToFit } from '../domain/order/response-size.ts';
import { withDispute } from '../domain/order/rules.ts';
import type { Payment, RefundIntent } from '../domain/payment/fields.ts';
import { afterReport, type GatewayRefund, isRecordOf, recordedByHand, refundId, withoutIntent } from '../domain/payment/refunds.ts';
import { withoutOrder } from '../table/payments.ts';
import type { Stored } from '../table/records.ts';
import type { PageStore } from '../table/store.ts';
import type { Write } from '../table/write.ts';
import { retryStale } from './operation.ts';

interface Services {
  readonly store: Pick<PageStore, 'customers' | 'orders' | 'payments' | 'commit'>;
  readonly clock: Clock;
  readonly random: Random;
}

/** An order and its payments. */
export interface PaidOrder {
  readonly stored: Stored<Order>;
  readonly payments: readonly Payment[];
}

/**
 * Returns the order of a payment, also a deleted one; undefined without an order. Reads the order
 * before its payments: a commit that finds the order unchanged then knows of every change of its
 * payments, because each change that the order shows saves it.
 */
export const findOrder = async (
  { orders, payments }: Services['store'],
  account: string,
  id: string | null,
): Promise<PaidOrder | undefined> => {
  if (id === null) return undefined;
  const stored = await orders.get(account, id);
  return stored && { stored, payments: await payments.ofOrder(account, id) };
};

/**
 * Returns the write of the order after its payments have changed to `changed`, or were created: it
 * saves the payment status that follows from them (decisions §7). An order that shows what it showed
 * before, and a deleted order, is not written.
 */
export const orderWrites = (
  { orders }: Pick<Services['store'], 'orders'>,
  account: string,
  order: PaidOrder | undefined,
  changed: readonly Payment[],
  now: string,
): readonly Write[] => {
  if (!order || order.stored.record.deleted_at !== null) return [];
  const after = afterPayments(order.stored.record, order.payments, changed, now);
  return after === order.stored.record ? [] : [orders.replaceWrite(account, after, order.stored)];
};

/**
 * Returns writes that change nothing, and fail with the error of `rejectWith` if a customer was erased. A
 * write that puts text on their records commits with them.
 */
export const unlessErasedWrites = (
  { customers }: Pick<Services['store'], 'customers'>,
  account: string,
  ids: readonly (string | null | undefined)[],
  rejectWith: () => ApiError,
): readonly Write[] =>
  [...new Set(ids)].flatMap((id) =>
    id ? [customers.totalsWrite(account, id, { orders: 0, spent: 0, unlessErased: true }, rejectWith)] : [],
  );

/** Parallel refunds and notices of one order succeed one after another. */
const rounds = { rounds: 30, maxPauseMs: 200 };

/** Finds the refunded payment: by its id, if the service asked for the refund, or by the gateway's id. */
const findRefunded = async ({ payments }: Services['store'], account: string, { of, payments: ids }: GatewayRefund) => {
  const named = of === null ? undefined : await payments.get(account, of);
  const isNamed = named?.record.type === 'payment' && ids.includes(named.record.gateway?.transaction_id ?? '');
  return isNamed ? named : payments.byTransaction(account, ids);
};

/** Returns the refunds of a payment. */
const refundsOf = async (
  { payments }: Services['store'],
  account: string,
  { id, refunded_amount }: Payment,
  order: PaidOrder | undefined,
) => {
  if (refunded_amount === 0) return [];
  const siblings = order?.payments ?? (await payments.ofOrder(account, withoutOrder));
  return siblings.filter(({ original_payment_id }) => original_payment_id === id);
};

/**
 * Finds the refund's record. If the record with its id is not a refund of the payment, another
 * system wrote this service's mark, and the refund was made at the gateway itself. A refund that was
 * recorded by hand may have taken the gateway's refund over (`byHand`: it must now).
 */
const findRefund = async (
  store: Services['store'],
  account: string,
  original: Payment,
  report: GatewayRefund,
  order: PaidOrder | undefined,
): Promise<{ reported: GatewayRefund; known?: Stored<Payment> | undefined; byHand?: Stored<Payment> | undefined }> => {
  const { payments } = store;
  const named = await payments.get(account, refundId(report));
  if (named?.record.original_payment_id === original.id) return { reported: report, known: named };
  const reported = named ? { ...report, intent: null } : report;
  const known = named && (await payments.get(account, refundId(reported)));
  if (known) return { reported, known };
  const refunds = await refundsOf(store, account, original, order);
  const taken = refunds.find((refund) => isRecordOf(refund, reported));
  if (taken) return { reported, known: await payments.get(account, taken.id) };
  const byHand = recordedByHand(original, refunds, reported);
  return { reported, byHand: byHand && (await payments.get(account, byHand.id)) };
};

/**
 * Releases the amount of an intent that the gateway does not carry out, unless it has changed since
 * it was read.
 */
export const releaseIntent = (services: Services, account: string, payment: string, intent: RefundIntent): Promise<void> =>
  retryStale(services, rounds, async () => {
    const { store } = services;
    const stored = await store.payments.get(account, payment);
    const after = stored && withoutIntent(stored.record, intent);
    if (!stored || !after || after === stored.record) return;
    await store.commit([store.payments.refundedWrite(account, stored, after)]);
  });

/**
 * Records what a gateway reports about a refund (decisions §7), however often and in whatever order.
 * One transaction writes the payment's amounts, the refund's record and the order. Returns the
 * refund's record; null without one, and undefined if no payment of the account is the refunded one.
 */
export const applyRefund = (services: Services, account: string, report: GatewayRefund): Promise<Payment | null | undefined> =>
  retryStale(services, rounds, async () => {
    const { store, clock } = services;
    const stored = await findRefunded(store, account, report);
    if (!stored) return undefined;
    const { record: before } = stored;
    const order = await findOrder(store, account, before.order_id);
    const { reported, known, byHand } = await findRefund(store, account, before, report, order);
    const now = isoFromMs(clock.now());
    if (byHand) return takeOver(store, account, { byHand, order, now }, reported);
    const { original, refund } = afterReport(before, known?.record, reported, now);
    if (original === before && refund === known?.record) return refund ?? null;
    const amounts = original === before ? [] : [store.payments.refundedWrite(account, stored, original)];
    if (refund === undefined || refund === known?.record) {
      await store.commit(amounts);
      return refund ?? null;
    }
    const changed = await withoutTexts(store, account, known ? refund : fitting(order, refund), order);
    await store.commit([
      ...amounts,
      ...refundWrites(store, account, changed.refund, known),
      ...changed.writes,
      ...orderWrites(store, account, order, [original, changed.refund], now),
    ]);
    return changed.refund;
  });

/** Gives a refund that was recorded by hand the gateway's id, because it is the refund that the gateway reports. */
const takeOver = async (
  store: Services['store'],
  account: string,
  { byHand, order, now }: { readonly byHand: Stored<Payment>; readonly order: PaidOrder | undefined; readonly now: string },
  { id: transaction_id }: GatewayRefund,
): Promise<Payment> => {
  const { record } = byHand;
  const gateway = { provider: record.gateway?.provider ?? null, transaction_id };
  const refund = { ...record, gateway };
  await store.commit([store.payments.transactionWrite(account, byHand, gateway), ...orderWrites(store, account, order, [refund], now)]);
  return refund;
};

/** Returns a new refund that the response of its order can show. Its money has moved, so it is never rejected. */
const fitting = (order: PaidOrder | undefined, refund: Payment): Payment =>
  order ? cutToFit(order.stored.record, order.payments, refund) : refund;

/**
 * Returns the refund's record, without texts if its customer was erased, and writes that fail as
 * stale if an erasure begins meanwhile.
 */
const withoutTexts = async (store: Services['store'], account: string, refund: Payment, order: PaidOrder | undefined) => {
  if (!hasText(refund)) return { refund, writes: [] };
  const ids = [...new Set([refund.customer_id, order?.stored.record.customer_id])].filter((id) => typeof id === 'string');
  const found = await Promise.all(ids.map((id) => store.customers.get(account, id)));
  if (found.some((customer) => customer === undefined || customer.record.erased_at !== undefined))
    return { refund: erasePayment(refund), writes: [] };
  const erased = () => changedMeanwhile('The customer');
  return { refund, writes: unlessErasedWrites(store, account, ids, erased) };
};

const refundWrites = ({ payments }: Services['store'], account: string, refund: Payment, known: Stored<Payment> | undefined) =>
  known ? [payments.replaceWrite(account, refund, known)] : payments.createWrites(account, refund, 'once');

/**
 * Records what a gateway reports about a dispute: on the order and its payment status
 * (decisions §7). Returns false if no payment of the account is the disputed one.
 */
export const applyDispute = (
  services: Services,
  account: string,
  { payments, ...dispute }: Dispute & { readonly payments: readonly string[] },
): Promise<boolean> =>
  retryStale(services, rounds, async () => {
    const { store, clock } = services;
    const payment = (await store.payments.byTransaction(account, payments))?.record;
    if (!payment) return false;
    const order = await findOrder(store, account, payment.order_id);
    if (!order || order.stored.record.deleted_at !== null) return true;
    const { record: before } = order.stored;
    const disputed = withDispute(before, dispute);
    if (disputed === before) return true;
    const { payments: all } = order;
    const status = paymentStatusAfter({ order: before, payments: all }, { order: disputed, payments: all });
    const after = { ...disputed, payment_status: status ?? before.payment_status, updated_at: isoFromMs(clock.now()) };
    await store.commit([store.orders.replaceWrite(account, after, order.stored)]);
    return true;
  });
