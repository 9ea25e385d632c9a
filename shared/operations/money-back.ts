import type { Clock } from '../core/clock.ts';
import type { Random } from '../core/random.ts';
import { isoFromMs, notBefore } from '../core/time.ts';
import type { Dispute, Order } from '../domain/order/fields.ts';
import { withDispute, withPaymentStatus } from '../domain/order/rules.ts';
import type { Payment } from '../domain/payment/fields.ts';
import { afterReport, type GatewayRefund, refundId } from '../domain/payment/refunds.ts';
import type { Stored } from '../table/records.ts';
import type { PageStore } from '../table/store.ts';
import { retryStale } from './operation.ts';

interface Services {
  readonly store: Pick<PageStore, 'orders' | 'payments' | 'commit'>;
  readonly clock: Clock;
  readonly random: Random;
}

/** An order and its payments. */
export interface PaidOrder {
  readonly stored: Stored<Order>;
  readonly payments: readonly Payment[];
}

/** Returns the order of a payment, also a deleted one; undefined without an order. */
export const findOrder = async (
  { orders, payments }: Services['store'],
  account: string,
  id: string | null,
): Promise<PaidOrder | undefined> => {
  if (id === null) return undefined;
  const [stored, paid] = await Promise.all([orders.get(account, id), payments.ofOrder(account, id)]);
  return stored && { stored, payments: paid };
};

/** Returns the order with the payment status that follows after its payments have changed to `changed`. */
export const orderAfter = ({ stored, payments }: PaidOrder, changed: readonly Payment[], now: string): Order => {
  const others = payments.filter(({ id }) => !changed.some((payment) => payment.id === id));
  return withPaymentStatus(stored.record, [...others, ...changed], now);
};

/** Parallel refunds and notices of one order succeed one after another. */
const rounds = { rounds: 30, maxPauseMs: 200 };

/**
 * Records what a gateway reports about a refund (decisions §7), however often and in whatever order.
 * One transaction writes the payment's amounts, the refund's record and the order. `of` is the
 * payment's id, if the caller knows it. Returns the refund's record; null without one, and undefined
 * if no payment of the account is the refunded one.
 */
export const applyRefund = (
  services: Services,
  account: string,
  reported: GatewayRefund,
  of?: string,
): Promise<Payment | null | undefined> =>
  retryStale(services, rounds, async () => {
    const { store, clock } = services;
    const stored =
      of === undefined ? await store.payments.byTransaction(account, reported.payments) : await store.payments.get(account, of);
    if (!stored) return undefined;
    const { record: before } = stored;
    const [order, known] = await Promise.all([findOrder(store, account, before.order_id), store.payments.get(account, refundId(reported))]);
    const now = isoFromMs(clock.now());
    const { original, refund } = afterReport(before, known?.record, reported, now);
    if (original === before && refund === known?.record) return refund ?? null;
    const isGiven = refund !== undefined && refund !== known?.record;
    const saved = isGiven && order?.stored.record.deleted_at === null && orderAfter(order, [original, refund], now);
    await store.commit([
      ...(original === before ? [] : [store.payments.refundedWrite(account, stored, original)]),
      ...(isGiven ? refundWrites(store, account, refund, known) : []),
      ...(saved ? [store.orders.replaceWrite(account, notBefore(order.stored.record, saved), order.stored)] : []),
    ]);
    return refund ?? null;
  });

const refundWrites = ({ payments }: Services['store'], account: string, refund: Payment, known: Stored<Payment> | undefined) =>
  known ? [payments.replaceWrite(account, notBefore(known.record, refund), known)] : payments.createWrites(account, refund, 'once');

/**
 * Records what a gateway reports about a dispute: on the order, whose payment status follows
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
    const after = withPaymentStatus(disputed, order.payments, isoFromMs(clock.now()));
    await store.commit([store.orders.replaceWrite(account, notBefore(before, after), order.stored)]);
    return true;
  });
