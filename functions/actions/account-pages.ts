import * as v from 'valibot';
import { requiredText } from '../../shared/core/fields.ts';
import { type Cursor, encodeCursor } from '../../shared/core/paging.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import type { DeliveryRecord } from '../../shared/domain/webhook/record.ts';
import { parseCursor } from '../../shared/operations/pages.ts';
import type { Item } from '../../shared/table/client.ts';
import { isExpired } from '../../shared/table/keys.ts';
import type { ListPosition } from '../../shared/table/page.ts';
import type { Kind } from '../../shared/table/schema.ts';
import type { AccountPart, Store } from '../../shared/table/store.ts';
import { type ActionServices, startBudget } from './action.ts';

/** Input field that selects a page of an account's records. */
export const cursorField = { cursor: v.exactOptional(v.nullable(requiredText(10_000))) };

/**
 * Returns the text that names a part in a cursor. It sorts in the order of the kinds, and it stays
 * valid if endpoints are added or removed.
 */
const positionOf = (kinds: readonly Kind[], { kind, owner = '' }: AccountPart): string =>
  `${String(kinds.indexOf(kind)).padStart(2, '0')}:${kind === 'deliveryRecord' ? owner : ''}`;

/** Number of records that an export or a reindexing reads at once. */
export const recordsPerRead = 100;

/**
 * Reads the account's records of the kinds, in this order and from `start` on, `limit` or 1 MB at a time.
 * A cursor to the records has their `position`, and the id of the last one that needs no more work;
 * `after` is that of the records before.
 */
export const readRecords = async function* <K extends Kind>(
  { accountData }: Pick<Store, 'accountData'>,
  account: string,
  kinds: readonly K[],
  { start, limit }: { readonly start?: ListPosition | undefined; readonly limit?: number } = {},
) {
  const parts = await Promise.all(
    kinds.map(async (kind) => (await accountData.parts(account, kind)).map((part) => ({ part, kind, position: positionOf(kinds, part) }))),
  );
  for (const { part, kind, position } of parts.flat()) {
    if (start && position < start.position) continue;
    let after: string | undefined = start?.position === position ? start.id : '';
    while (after !== undefined) {
      const { items, next } = await accountData.page(account, part, after || undefined, limit);
      yield { kind, position, after, items };
      after = next;
    }
  }
};

/**
 * Returns the place at which an export shows the event of a delivery record that keeps its body: in
 * the record of a later endpoint, or in its own item, which comes after all records. Fan-out stores
 * an event again if it reads the change again and other endpoints subscribe by then. Only a later
 * place is certain to be shown, because the event may be stored there during the export. `logs` are
 * the endpoints with a log.
 */
export const findLaterCopy = async (
  { events, deliveries }: Pick<Store, 'events' | 'deliveries'>,
  account: string,
  { endpoint, id }: Pick<DeliveryRecord, 'endpoint' | 'id'>,
  logs: readonly string[],
): Promise<'item' | 'record' | undefined> => {
  // With one log, only one endpoint can ever have received an event.
  if (logs.length < 2) return undefined;
  const later = logs.filter((log) => log > endpoint);
  const [item, ...records] = await Promise.all([events.get(account, id), ...later.map((log) => deliveries.inspect(account, log, id))]);
  if (item) return 'item';
  return records.some((record) => record && 'body' in record && record.body !== undefined) ? 'record' : undefined;
};

/**
 * Maximum size of a page in bytes. Only a record that is alone on its page may be larger; it has less
 * than 5 MB (decisions §3).
 */
const maxPageBytes = 4_000_000;

export type ExportedEntry = readonly [list: string, view: object];

/** A document of records that is read in pages. */
interface ExportedDocument<K extends Kind> {
  /** Binds cursors to the document. */
  readonly fingerprint: string;
  /** The kinds that are read, in the document's order. */
  readonly kinds: readonly K[];
  /** Names of the document's lists. Each page has all of them. */
  readonly lists: readonly string[];
  /** Returns the fields that only the first page has. */
  head(): Promise<object>;
  /** Returns what the document shows of an item; none if it shows nothing. */
  entriesOf(kind: K, item: Item): Promise<readonly ExportedEntry[]>;
}

interface Page {
  readonly lists: Readonly<Record<string, object[]>>;
  /** The last record of the page. Undefined if no records follow. */
  readonly end: ListPosition | undefined;
}

const readPage = async <K extends Kind>(
  { store, clock }: ActionServices,
  account: string,
  { kinds, lists: names, entriesOf }: ExportedDocument<K>,
  start: Cursor | undefined,
  maxBytes: number,
): Promise<Page> => {
  const lists = Object.fromEntries(names.map((name): [string, object[]] => [name, []]));
  const isInTime = startBudget(clock);
  let bytes = 0;
  /** Adds the entries of a record, unless the page would become too large. The first page also has the head. */
  const addEntries = (entries: readonly ExportedEntry[]): boolean => {
    const size = Buffer.byteLength(JSON.stringify(entries.map(([, view]) => view)));
    const isEmpty = bytes === 0 && start !== undefined;
    if (bytes + size > maxBytes && !isEmpty) return false;
    for (const [list, view] of entries) lists[list]?.push(view);
    bytes += size;
    return true;
  };
  for await (const { kind, position, after, items } of readRecords(store, account, kinds, { start, limit: recordsPerRead })) {
    let last = after;
    const unexpired = items.filter((item) => !isExpired(item, clock.now()));
    const shown = await Promise.all(unexpired.map((item) => entriesOf(kind, item)));
    for (const [i, entries] of shown.entries()) {
      if (!addEntries(entries)) return { lists, end: { position, id: last } };
      last = String(unexpired[i]?.['sk']);
      if (!isInTime()) return { lists, end: { position, id: last } };
    }
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
  const start = parseCursor(cursor, document.fingerprint);
  const firstPageFields = start ? {} : await document.head();
  const maxBytes = maxPageBytes - Buffer.byteLength(JSON.stringify(firstPageFields));
  const { lists, end } = await readPage(services, account, document, start, maxBytes);
  return {
    exported_at: isoFromMs(services.clock.now()),
    ...firstPageFields,
    ...lists,
    has_more: end !== undefined,
    next_cursor: end ? encodeCursor({ fingerprint: document.fingerprint, ...end }) : null,
  };
};
