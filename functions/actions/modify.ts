import { ApiError, invalidValue, notFound } from '../../shared/core/errors.ts';
import { isoFromMs, notBefore } from '../../shared/core/time.ts';
import type { Account } from '../../shared/domain/account/record.ts';
import { hasText } from '../../shared/domain/erased-fields.ts';
import { isReadable } from '../../shared/domain/order/response-size.ts';
import type { Payment } from '../../shared/domain/payment/fields.ts';
import { canonicalJson } from '../../shared/http/request.ts';
import type { Decision } from '../../shared/operations/operation.ts';
import { type PaidOrder, unlessErasedWrites } from '../../shared/operations/paid-order.ts';
import type { Records } from '../../shared/table/records.ts';
import type { Store } from '../../shared/table/store.ts';
import type { ActionServices } from './action.ts';

interface StoredRecord {
  readonly id: string;
  readonly updated_at: string;
  /** Time of the soft delete; null or absent if the record is not deleted. */
  readonly deleted_at?: string | null;
}

/**
 * Returns the record to save; `before` itself if the change leaves every value (decisions §7). Then
 * there is nothing to write, and no event.
 */
export const keepIfSame = <Record extends { readonly updated_at: string }>(before: Record, after: Record): Record =>
  canonicalJson({ ...after, updated_at: before.updated_at }) === canonicalJson(before) ? before : notBefore(before, after);

/**
 * Returns the function that changes a stored record of a kind: its decision shows the record after
 * `change`. Skips the write if the record is unchanged. Throws 404 if it does not exist.
 */
export const modifierOf =
  <Record extends StoredRecord>(
    /** Name in error messages, for example `Quick sale`. */
    name: string,
    recordsIn: (store: Store) => Pick<Records<Record>, 'get' | 'replaceWrite'>,
  ) =>
  async <View>(
    { store, clock }: ActionServices,
    { id: account }: Account,
    id: string,
    change: (record: Record, now: string) => Record,
    view: (record: Record) => View,
  ): Promise<Decision<View>> => {
    const records = recordsIn(store);
    const stored = await records.get(account, id);
    if (!stored || stored.record.deleted_at) throw notFound(name);
    const record = keepIfSame(stored.record, change(stored.record, isoFromMs(clock.now())));
    return { result: view(record), writes: record === stored.record ? [] : [records.replaceWrite(account, record, stored)] };
  };

/** Returns the record after a soft delete. It stays stored, but reads no longer return it. */
export const softDelete = <Record extends StoredRecord>(record: Record, now: string): Record => ({
  ...record,
  deleted_at: now,
  updated_at: now,
});

/** Returns the result of a deletion. */
export const deletedView = ({ id }: { readonly id: string }) => ({ deleted: true, id });

/** The error of a write that would put text on an order or payment of an erased customer (decisions §7). */
export const erasedCustomer = (): ApiError =>
  new ApiError('conflict', 'The customer is erased. Leave out every text, or send it as it is stored.');

/** Returns writes that reject a new payment with text if its customer or its order's was erased. */
export const textWrites = (store: Store, account: string, order: PaidOrder | undefined, payment: Payment) =>
  hasText(payment) ? unlessErasedWrites(store, account, [payment.customer_id, order?.stored.record.customer_id], erasedCustomer) : [];

/** Rejects a payment that would make the response of its order too large (decisions §3). */
export const assertReadable = (order: PaidOrder | undefined, payment: Payment): void => {
  if (!order || isReadable(order.stored.record, [...order.payments, payment])) return;
  if (payment.description !== null)
    throw invalidValue('description', 'description is too long: the order and its payments would not fit into a response. Shorten it.');
  throw invalidValue('order_id', 'order_id names an order with so many payments that another one would not fit into its response.');
};
