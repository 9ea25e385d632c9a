import type { ApiError } from '../core/errors.ts';
import type { Order } from '../domain/order/fields.ts';
import { afterPayments } from '../domain/order/payment-status.ts';
import type { Payment } from '../domain/payment/fields.ts';
import { withoutOrder } from '../table/payments.ts';
import type { Stored } from '../table/records.ts';
import type { PageStore } from '../table/store.ts';
import type { Write } from '../table/write.ts';

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
  { orders, payments }: Pick<PageStore, 'orders' | 'payments'>,
  account: string,
  id: string | null,
): Promise<PaidOrder | undefined> => {
  if (id === null) return undefined;
  const stored = await orders.get(account, id);
  return stored && { stored, payments: await payments.ofOrder(account, id) };
};

/** Returns the refunds of a payment, which its order also has. */
export const refundsOf = async (
  { payments }: Pick<PageStore, 'payments'>,
  account: string,
  { id }: Payment,
  order: PaidOrder | undefined,
): Promise<readonly Payment[]> => {
  const siblings = order?.payments ?? (await payments.ofOrder(account, withoutOrder));
  return siblings.filter(({ original_payment_id }) => original_payment_id === id);
};

/**
 * Returns the write of the order after its payments have changed to `changed`, or were created: it
 * saves the payment status that follows from them (decisions §7). An order that shows what it
 * showed before, and a deleted order, is not written.
 */
export const orderWrites = (
  { orders }: Pick<PageStore, 'orders'>,
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
 * Returns writes that change nothing, and fail with the error of `rejectWith` if a customer was
 * erased. A write that puts text on their records commits with them.
 */
export const unlessErasedWrites = (
  { customers }: Pick<PageStore, 'customers'>,
  account: string,
  ids: readonly (string | null | undefined)[],
  rejectWith: () => ApiError,
): readonly Write[] =>
  [...new Set(ids)].flatMap((id) =>
    id ? [customers.totalsWrite(account, id, { orders: 0, spent: 0, unlessErased: true }, rejectWith)] : [],
  );
