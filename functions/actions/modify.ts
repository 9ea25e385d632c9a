import { notFound } from '../../shared/core/errors.ts';
import { isoFromMs, withLaterTime } from '../../shared/core/time.ts';
import type { Account } from '../../shared/domain/account/record.ts';
import { canonicalJson } from '../../shared/http/request.ts';
import type { Decision } from '../../shared/operations/operation.ts';
import type { Records, Stored } from '../../shared/table/records.ts';
import type { Store } from '../../shared/table/store.ts';
import type { Write } from '../../shared/table/write.ts';
import type { ActionServices } from './action.ts';

/**
 * Decides a change of a stored record. The result shows the record after `change`. If the change
 * leaves every value, there is nothing to write, and no event.
 */
export const decideChange = async <Record extends { readonly updated_at: string }, View>(
  { clock }: Pick<ActionServices, 'clock'>,
  { record: before }: Stored<Record>,
  change: (record: Record, now: string) => Record | Promise<Record>,
  view: (record: Record) => View,
  writesOf: (after: Record) => readonly Write[],
): Promise<Decision<View>> => {
  const after = keepIfSame(before, await change(before, isoFromMs(clock.now())));
  return { result: view(after), writes: after === before ? [] : writesOf(after) };
};

/** Returns the record to save; `before` itself if the change leaves every value (decisions §7). */
export const keepIfSame = <Record extends { readonly updated_at: string }>(before: Record, after: Record): Record =>
  canonicalJson({ ...after, updated_at: before.updated_at }) === canonicalJson(before) ? before : withLaterTime(before, after);

interface StoredRecord {
  readonly id: string;
  readonly updated_at: string;
  /** Time of the soft delete; null or absent if the record is not deleted. */
  readonly deleted_at?: string | null;
}

/** Returns the function that changes a record of a kind by its id. Throws 404 if it does not exist. */
export const modifierOf =
  <Record extends StoredRecord>(
    /** Name in error messages, for example `Quick sale`. */
    name: string,
    recordsIn: (store: Store) => Pick<Records<Record>, 'get' | 'replaceWrite'>,
  ) =>
  async <View>(
    services: ActionServices,
    { id: account }: Account,
    id: string,
    change: (record: Record, now: string) => Record,
    view: (record: Record) => View,
  ): Promise<Decision<View>> => {
    const records = recordsIn(services.store);
    const stored = await records.get(account, id);
    if (!stored || stored.record.deleted_at) throw notFound(name);
    return decideChange(services, stored, change, view, (after) => [records.replaceWrite(account, after, stored)]);
  };

/** Returns the record after a soft delete. It stays stored, but reads no longer return it. */
export const softDelete = <Record extends StoredRecord>(record: Record, now: string): Record => ({
  ...record,
  deleted_at: now,
  updated_at: now,
});
