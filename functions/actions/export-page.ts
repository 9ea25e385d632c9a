import * as v from 'valibot';
import { ApiError } from '../../shared/core/errors.ts';
import { requiredText } from '../../shared/core/fields.ts';
import { type Cursor, decodeCursor, encodeCursor } from '../../shared/core/paging.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import type { Item } from '../../shared/table/client.ts';
import { isExpired } from '../../shared/table/keys.ts';
import type { Kind } from '../../shared/table/schema.ts';
import type { AccountPart } from '../../shared/table/store.ts';
import { type ActionServices, budgetMs } from './action.ts';

/** Input field that selects a page of an export. */
export const pageCursor = { cursor: v.exactOptional(v.nullable(requiredText(10_000))) };

/**
 * Maximum size of a page in bytes. Only a record that is alone on its page may be larger; it has less
 * than 5 MB (decisions §3).
 */
const maxPageBytes = 4_000_000;
const recordsAtOnce = 100;

export type Entry = readonly [list: string, view: object];

/** A document of records that is read in pages. */
interface ExportedDocument<K extends Kind> {
  /** Binds cursors to the document. */
  readonly of: string;
  /** The kinds that are read, in the document's order. */
  readonly kinds: readonly K[];
  /** Names of the document's lists. Each page has all of them. */
  readonly lists: readonly string[];
  /** Returns the fields that only the first page has. */
  head(): Promise<object>;
  /** Returns what the document shows of an item; none if it shows nothing. */
  entriesOf(kind: K, item: Item): Promise<readonly Entry[]>;
}

const startOf = (of: string, cursor: string | null | undefined): Cursor | undefined => {
  if (cursor == null) return undefined;
  const start = decodeCursor(cursor);
  if (start?.fingerprint !== of) throw new ApiError('invalid_cursor', 'Invalid cursor', { field: 'cursor' });
  return start;
};

/**
 * Returns the text that names a part in a cursor. It sorts in the order of the document, and it
 * stays valid if endpoints are added or removed.
 */
const positionOf = (kinds: readonly Kind[], { kind, of = '' }: AccountPart): string =>
  `${String(kinds.indexOf(kind)).padStart(2, '0')}:${kind === 'deliveryRecord' ? of : ''}`;

interface Page {
  readonly lists: Readonly<Record<string, object[]>>;
  /** The last record of the page. Undefined if no records follow. */
  readonly end: { readonly position: string; readonly id: string } | undefined;
}

const readPage = async <K extends Kind>(
  { store, clock }: ActionServices,
  account: string,
  { kinds, lists: names, entriesOf }: ExportedDocument<K>,
  start: Cursor | undefined,
  room: number,
): Promise<Page> => {
  const lists = Object.fromEntries(names.map((name): [string, object[]] => [name, []]));
  const deadlineMs = clock.now() + budgetMs;
  let bytes = 0;
  /** Adds the entries of a record, unless the page would become too large. The first page also has the head. */
  const put = (entries: readonly Entry[]): boolean => {
    const size = Buffer.byteLength(JSON.stringify(entries.map(([, view]) => view)));
    const isEmpty = bytes === 0 && start !== undefined;
    if (bytes + size > room && !isEmpty) return false;
    for (const [list, view] of entries) lists[list]?.push(view);
    bytes += size;
    return true;
  };
  const readPart = async (part: AccountPart, kind: K): Promise<Page['end']> => {
    const position = positionOf(kinds, part);
    let last = start?.position === position ? start.id : '';
    for (;;) {
      const { items, next } = await store.accountData.page(account, part, last || undefined, recordsAtOnce);
      const kept = items.filter((item) => !isExpired(item, clock.now()));
      const shown = await Promise.all(kept.map((item) => entriesOf(kind, item)));
      for (const [i, entries] of shown.entries()) {
        if (!put(entries)) return { position, id: last };
        last = String(kept[i]?.['sk']);
        if (clock.now() > deadlineMs) return { position, id: last };
      }
      if (next === undefined) return undefined;
      last = next;
    }
  };
  const parts = await Promise.all(kinds.map((kind) => store.accountData.parts(account, kind)));
  for (const [i, kind] of kinds.entries())
    for (const part of parts[i] ?? []) {
      if (start && positionOf(kinds, part) < start.position) continue;
      const end = await readPart(part, kind);
      if (end) return { lists, end };
    }
  return { lists, end: undefined };
};

/** Returns a page of the document, with `has_more` and `next_cursor`. */
export const exportPage = async <K extends Kind>(
  services: ActionServices,
  account: string,
  cursor: string | null | undefined,
  document: ExportedDocument<K>,
) => {
  const start = startOf(document.of, cursor);
  const once = start ? {} : await document.head();
  const room = maxPageBytes - Buffer.byteLength(JSON.stringify(once));
  const { lists, end } = await readPage(services, account, document, start, room);
  return {
    exported_at: isoFromMs(services.clock.now()),
    ...once,
    ...lists,
    has_more: end !== undefined,
    next_cursor: end ? encodeCursor({ fingerprint: document.of, ...end }) : null,
  };
};
