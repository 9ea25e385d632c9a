import { ApiError, notFound } from '../../shared/core/errors.ts';
import { notBefore } from '../../shared/core/time.ts';
import { canonicalJson } from '../../shared/http/request.ts';
import type { Records } from '../../shared/table/records.ts';
import type { Store } from '../../shared/table/store.ts';
import type { Write } from '../../shared/table/write.ts';

interface Kept {
  readonly id: string;
  readonly updated_at: string;
  /** Time of the soft delete; null or absent if the record is not deleted. */
  readonly deleted_at?: string | null;
}

interface Target<Record extends Kept> {
  readonly records: Pick<Records<Record>, 'get' | 'replaceWrite'>;
  readonly account: string;
  readonly id: string;
  /** Name in error messages, for example `Quick sale`. */
  readonly name: string;
}

/** A changed record and the writes that store it. */
export interface Modified<Record> {
  readonly record: Record;
  readonly writes: readonly Write[];
}

/**
 * Returns the record to save; `before` itself if the change leaves every value (decisions §7). Then
 * there is nothing to write, and no event.
 */
export const keepIfSame = <Record extends { readonly updated_at: string }>(before: Record, after: Record): Record =>
  canonicalJson({ ...after, updated_at: before.updated_at }) === canonicalJson(before) ? before : notBefore(before, after);

/** The error of a write that would put text on an order or payment of an erased customer (decisions §7). */
export const erasedCustomer = (): ApiError =>
  new ApiError('conflict', 'The customer was erased. Leave out every text, or send it as it is stored.');

/**
 * Returns writes that change nothing and fail with 409 if a customer was erased. A write that puts
 * text on their records commits with them.
 */
export const unlessErasedWrites = ({ customers }: Store, account: string, ids: readonly (string | null | undefined)[]): readonly Write[] =>
  [...new Set(ids)].flatMap((id) =>
    id ? [customers.totalsWrite(account, id, { orders: 0, spent: 0, unlessErased: true }, erasedCustomer)] : [],
  );

/**
 * Returns the stored record after `change`. Skips the write if the record is unchanged. Throws 404
 * if it does not exist.
 */
export const modifyRecord = async <Record extends Kept>(
  { records, account, id, name }: Target<Record>,
  change: (record: Record) => Record,
): Promise<Modified<Record>> => {
  const stored = await records.get(account, id);
  if (!stored || stored.record.deleted_at) throw notFound(name);
  const record = keepIfSame(stored.record, change(stored.record));
  return { record, writes: record === stored.record ? [] : [records.replaceWrite(account, record, stored)] };
};

/**
 * Returns the fields that a soft delete sets. The record stays stored, but reads no longer return
 * it.
 */
export const deletedAt = (now: string) => ({ deleted_at: now, updated_at: now });
