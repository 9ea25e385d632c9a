import { record } from '../../shared/core/fields.ts';
import { encodeCursor } from '../../shared/core/paging.ts';
import { parseCursor } from '../../shared/operations/pages.ts';
import type { Item } from '../../shared/table/client.ts';
import type { ListedKind } from '../../shared/table/lists.ts';
import type { Store } from '../../shared/table/store.ts';
import { cursorField, readRecords, recordsPerRead } from './account-pages.ts';
import { inParallel, onItself, ownIdField, startBudget } from './action.ts';

/**
 * The kinds with lists by an index, in the order of the work. Deliveries and due entries
 * are kept for days, so new keys come by themselves.
 */
const reindexers = {
  order: ({ reindex, orders }, account, item) => reindex(account, item, orders.entries),
  customer: ({ reindex, customers }, account, item) => reindex(account, item, customers.entries),
  product: ({ reindex, products }, account, item) => reindex(account, item, products.entries),
  expense: ({ reindex, expenses }, account, item) => reindex(account, item, expenses.entries),
} as const satisfies Readonly<
  Record<Exclude<ListedKind, 'deliveryRecord' | 'due'>, (store: Store, account: string, item: Item) => Promise<boolean>>
>;
const kinds = Object.keys(reindexers) as readonly (keyof typeof reindexers)[];

export const reindexAccount = onItself({
  summary: 'Updates the index keys of stored records, for new lists. Emits no event. Without a cursor, ops reads every page.',
  input: record({ ...ownIdField, ...cursorField }),
  async resume({ store, clock }, { cursor }, { id: account }) {
    const fingerprint = `reindex/${account}`;
    const start = parseCursor(cursor, fingerprint);
    const isInTime = startBudget(clock);
    let [read, written] = [0, 0];
    for await (const { kind, position, after, items } of readRecords(store, account, kinds, { start, limit: recordsPerRead })) {
      if (!isInTime()) {
        return { read, written, has_more: true, next_cursor: encodeCursor({ fingerprint, position, id: after }) };
      }
      const changed = await inParallel(items, (item) => reindexers[kind](store, account, item));
      read += items.length;
      written += changed.filter(Boolean).length;
    }
    return { read, written, has_more: false, next_cursor: null };
  },
});
