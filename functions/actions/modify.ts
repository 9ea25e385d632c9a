import { notFound } from '../../shared/core/errors.ts';
import { notBefore } from '../../shared/core/time.ts';
import type { Records } from '../../shared/table/records.ts';
import type { Write } from '../../shared/table/write.ts';

interface Kept {
  readonly id: string;
  readonly updated_at: string;
  /** Set by a soft delete. */
  readonly deleted_at?: string | null;
}

interface Target<Record extends Kept> {
  readonly records: Pick<Records<Record>, 'get' | 'replaceWrite'>;
  readonly account: string;
  readonly id: string;
  /** What a caller reads of it: `Quick sale`. */
  readonly name: string;
}

/** A record as it shall be, and the writes that make it so. */
export interface Modified<Record> {
  readonly record: Record;
  readonly writes: readonly Write[];
}

/** The record that `change` makes of the stored one; one given back as it came is not written. Refuses with 404 where there is none. */
export const modifyRecord = async <Record extends Kept>(
  { records, account, id, name }: Target<Record>,
  change: (record: Record) => Record,
): Promise<Modified<Record>> => {
  const stored = await records.get(account, id);
  if (!stored || stored.record.deleted_at) throw notFound(name);
  const record = notBefore(stored.record, change(stored.record));
  return { record, writes: record === stored.record ? [] : [records.replaceWrite(account, record, stored)] };
};

/** What a soft delete sets: the record stays and is not found any more. */
export const deletedAt = (now: string) => ({ deleted_at: now, updated_at: now });
