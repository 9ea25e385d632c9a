import { notFound } from '../../shared/core/errors.ts';
import type { Records } from '../../shared/table/records.ts';
import type { Store } from '../../shared/table/store.ts';
import { retryStale } from './retry-stale.ts';

interface Kept {
  readonly id: string;
  /** Set by a soft delete. */
  readonly deleted_at?: string | null;
}

export interface Target<Record extends Kept> {
  readonly records: Pick<Records<Record>, 'get' | 'replaceWrite'>;
  readonly account: string;
  readonly id: string;
  /** What a caller reads of it: `Quick sale`. */
  readonly name: string;
}

/** Saves the record that `change` makes of the stored one; one given back as it came is not written. Refuses with 404 where there is none. */
export const modifyRecord = <Record extends Kept>(
  { commit }: Pick<Store, 'commit'>,
  { records, account, id, name }: Target<Record>,
  change: (record: Record) => Record,
): Promise<Record> =>
  retryStale(async () => {
    const stored = await records.get(account, id);
    if (!stored || stored.record.deleted_at) throw notFound(name);
    const changed = change(stored.record);
    if (changed !== stored.record) await commit([records.replaceWrite(account, changed, stored.revision)]);
    return changed;
  });
