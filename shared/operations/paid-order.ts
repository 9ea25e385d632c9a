import { ApiError, invalidValue } from '../core/errors.ts';
import { hasText } from '../domain/erased-fields.ts';
import type { Order } from '../domain/order/fields.ts';
import { afterPayments } from '../domain/order/payment-status.ts';
import { isReadable } from '../domain/order/response-size.ts';
import type { Payment } from '../domain/payment/fields.ts';
import { noOrder } from '../table/payments.ts';
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
  const siblings = order?.payments ?? (await payments.ofOrder(account, noOrder));
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

/** The error of a write that would put text on an order or payment of an erased customer (decisions §7). */
export const erasedCustomer = (): ApiError =>
  new ApiError('conflict', 'The customer is erased. Leave out every text, or send it as it is stored.');

/** Returns writes that reject a new payment with text if its customer or its order's was erased. */
export const textWrites = (store: Pick<PageStore, 'customers'>, account: string, order: PaidOrder | undefined, payment: Payment) =>
  hasText(payment) ? unlessErasedWrites(store, account, [payment.customer_id, order?.stored.record.customer_id], erasedCustomer) : [];

/** Rejects a payment that would make the response of its order too large (decisions §3). */
export const assertReadable = (order: PaidOrder | undefined, payment: Payment): void => {
  if (!order || isReadable(order.stored.record, [...order.payments, payment])) return;
  if (payment.description !== null)
    throw invalidValue('description', 'description is too long: the order and its payments would not fit into a response. Shorten it.');
  throw invalidValue('order_id', 'order_id names an order with so many payments that another one would not fit into its response.');
};
