import type { Clock } from '../core/clock.ts';
import { changedMeanwhile } from '../core/errors.ts';
import type { Random } from '../core/random.ts';
import { isoFromMs } from '../core/time.ts';
import { hasText, paymentWithoutTexts } from '../domain/erased-fields.ts';
import type { Dispute } from '../domain/order/fields.ts';
import { paymentStatusAfter } from '../domain/order/payment-status.ts';
import { cutToFit } from '../domain/order/response-size.ts';
import { withDispute } from '../domain/order/rules.ts';
import type { Payment, RefundIntent } from '../domain/payment/fields.ts';
import { releaseIntent } from '../domain/payment/refund-intents.ts';
import { afterReport, findManualRefund, type GatewayRefund, isRecordOf, refundId } from '../domain/payment/refunds.ts';
import type { Stored } from '../table/records.ts';
import type { PageStore } from '../table/store.ts';
import { retryStale } from './operation.ts';
import { findOrder, orderWrites, type PaidOrder, refundsOf, unlessErasedWrites } from './paid-order.ts';

interface Services {
  readonly store: Pick<PageStore, 'customers' | 'orders' | 'payments' | 'commit'>;
  readonly clock: Clock;
  readonly random: Random;
}

/** Parallel refunds and notices of one order succeed one after another. */
const retries = { rounds: 30, maxPauseMs: 200 };

/**
 * Records what a gateway reports about a refund (decisions §7), however often and in whatever
 * order: finds the payment, its order and the refund's record, and writes what the report changes
 * of them in one transaction. Returns the refund's record; null without one, and undefined if no
 * payment of the account is the refunded one.
 */
export const applyRefund = (services: Services, account: string, report: GatewayRefund): Promise<Payment | null | undefined> =>
  retryStale(services, retries, async () => {
    const { store, clock } = services;
    const stored = await findRefunded(store, account, report);
    if (!stored) return undefined;
    const { record: before } = stored;
    const order = await findOrder(store, account, before.order_id);
    const { reported, known, byHand } = await findRecord(store, account, before, report, order);
    const now = isoFromMs(clock.now());
    if (byHand) return giveGatewayId(store, account, { byHand, order, now }, reported);
    const { original, refund } = afterReport(before, known?.record, reported, now);
    const amountWrites = original === before ? [] : [store.payments.refundsWrite(account, stored, original)];
    if (refund === undefined || refund === known?.record) {
      if (amountWrites.length > 0) await store.commit(amountWrites);
      return refund ?? null;
    }
    const { refund: recorded, writes } = await withoutErasedTexts(store, account, known ? refund : cutToOrder(order, refund), order);
    await store.commit([
      ...amountWrites,
      ...(known ? [store.payments.replaceWrite(account, recorded, known)] : store.payments.createWrites(account, recorded, 'once')),
      ...writes,
      ...orderWrites(store, account, order, [original, recorded], now),
    ]);
    return recorded;
  });

/**
 * Finds the refunded payment: by its id, if the service asked for the refund, or by the gateway's
 * id.
 */
const findRefunded = async ({ payments }: Services['store'], account: string, { paymentId, transactionIds: ids }: GatewayRefund) => {
  const named = paymentId === null ? undefined : await payments.get(account, paymentId);
  const isNamed = named?.record.type === 'payment' && ids.includes(named.record.gateway?.transaction_id ?? '');
  return isNamed ? named : payments.byTransaction(account, ids);
};

/** The record of a reported refund, and the report as it counts. */
interface Recorded {
  readonly reported: GatewayRefund;
  /** The refund's record. */
  readonly known?: Stored<Payment> | undefined;
  /** Without `known`: a refund that was recorded by hand, which is the reported one. */
  readonly byHand?: Stored<Payment> | undefined;
}

/**
 * Finds the refund's record: by its id, by the gateway's id of it, or as one that was recorded by
 * hand.
 */
const findRecord = async (
  store: Services['store'],
  account: string,
  original: Payment,
  reported: GatewayRefund,
  order: PaidOrder | undefined,
): Promise<Recorded> => {
  const { payments } = store;
  const known = await payments.get(account, refundId(reported));
  // Another system wrote this service's mark, so the refund was made at the gateway itself.
  const isForeign = known !== undefined && reported.intentId !== null && known.record.original_payment_id !== original.id;
  if (isForeign) return findRecord(store, account, original, { ...reported, intentId: null }, order);
  if (known) return { reported, known };
  const refunds = original.refunded_amount === 0 ? [] : await refundsOf(store, account, original, order);
  const taken = refunds.find((refund) => isRecordOf(refund, reported));
  if (taken) return { reported, known: await payments.get(account, taken.id) };
  const byHand = findManualRefund(original, refunds, reported);
  return { reported, byHand: byHand && (await payments.get(account, byHand.id)) };
};

/**
 * Gives a refund that was recorded by hand the gateway's id, because it is the refund that the
 * gateway reports.
 */
const giveGatewayId = async (
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

/**
 * Returns a new refund that the response of its order can show. Its money has moved, so it is never
 * rejected.
 */
const cutToOrder = (order: PaidOrder | undefined, refund: Payment): Payment =>
  order ? cutToFit(order.stored.record, order.payments, refund) : refund;

/**
 * Returns the refund's record, without texts if its customer was erased, and writes that fail as
 * stale if an erasure begins meanwhile.
 */
const withoutErasedTexts = async (store: Services['store'], account: string, refund: Payment, order: PaidOrder | undefined) => {
  if (!hasText(refund)) return { refund, writes: [] };
  const ids = [...new Set([refund.customer_id, order?.stored.record.customer_id])].filter((id) => typeof id === 'string');
  const found = await Promise.all(ids.map((id) => store.customers.get(account, id)));
  if (found.some((customer) => customer === undefined || customer.record.erased_at !== undefined))
    return { refund: paymentWithoutTexts(refund), writes: [] };
  const erased = () => changedMeanwhile('The customer');
  return { refund, writes: unlessErasedWrites(store, account, ids, erased) };
};

/**
 * Releases the amount of an intent that the gateway does not carry out, unless it has changed since
 * it was read.
 */
export const releaseStoredIntent = (services: Services, account: string, payment: string, intent: RefundIntent): Promise<void> =>
  retryStale(services, retries, async () => {
    const { store } = services;
    const stored = await store.payments.get(account, payment);
    const after = stored && releaseIntent(stored.record, intent);
    if (!stored || !after || after === stored.record) return;
    await store.commit([store.payments.refundsWrite(account, stored, after)]);
  });

/**
 * Records what a gateway reports about a dispute: on the order and its payment status
 * (decisions §7). Returns false if no payment of the account is the disputed one.
 */
export const applyDispute = (
  services: Services,
  account: string,
  { transactionIds, ...dispute }: Dispute & { readonly transactionIds: readonly string[] },
): Promise<boolean> =>
  retryStale(services, retries, async () => {
    const { store, clock } = services;
    const payment = (await store.payments.byTransaction(account, transactionIds))?.record;
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
