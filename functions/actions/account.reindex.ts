import * as v from 'valibot';
import { ApiError } from '../../shared/core/errors.ts';
import { record, recordId } from '../../shared/core/fields.ts';
import { decodeCursor, encodeCursor } from '../../shared/core/paging.ts';
import type { Item } from '../../shared/table/client.ts';
import type { ListedKind } from '../../shared/table/lists.ts';
import type { Store } from '../../shared/table/store.ts';
import { type AccountAction, budgetMs, inParallel } from './action.ts';
import { pageCursor } from './export-page.ts';

const input = record({ id: v.exactOptional(recordId()), ...pageCursor });

/**
 * The kinds whose records are in lists by an index, in the order of the work. Deliveries and what is due
 * are kept for days, so new keys come by themselves.
 */
const listed = {
  order: ({ reindex, orders }, account, item) => reindex(account, item, orders.entries),
  customer: ({ reindex, customers }, account, item) => reindex(account, item, customers.entries),
  product: ({ reindex, products }, account, item) => reindex(account, item, products.entries),
  expense: ({ reindex, expenses }, account, item) => reindex(account, item, expenses.entries),
} as const satisfies Readonly<
  Record<Exclude<ListedKind, 'deliveryRecord' | 'due'>, (store: Store, account: string, item: Item) => Promise<boolean>>
>;
const kinds = Object.keys(listed) as readonly (keyof typeof listed)[];

const recordsAtOnce = 100;

export const reindexAccount: AccountAction<typeof input> = {
  summary: 'Gives stored records the index keys of the present lists, without an event; ops repeats it to the end.',
  account: 'self',
  input,
  async resume({ store, clock }, { cursor }, { id: account }) {
    const start = cursor == null ? undefined : decodeCursor(cursor);
    if (cursor != null && start?.fingerprint !== account) throw new ApiError('invalid_cursor', 'Invalid cursor', { field: 'cursor' });
    const deadlineMs = clock.now() + budgetMs;
    let [read, written] = [0, 0];
    const first = Math.max(0, kinds.indexOf(start?.position as (typeof kinds)[number]));
    for (const kind of kinds.slice(first)) {
      let last = kind === start?.position ? start.id : undefined;
      do {
        if (clock.now() > deadlineMs) {
          const next_cursor = encodeCursor({ fingerprint: account, position: kind, id: last ?? '' });
          return { read, written, has_more: true, next_cursor };
        }
        const { items, next } = await store.accountData.page(account, { kind }, last || undefined, recordsAtOnce);
        const changed = await inParallel(items, (item) => listed[kind](store, account, item));
        read += items.length;
        written += changed.filter(Boolean).length;
        last = next;
      } while (last !== undefined);
    }
    return { read, written, has_more: false, next_cursor: null };
  },
};
