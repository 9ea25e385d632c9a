import { createHash } from 'node:crypto';
import { type Cursor, decodeCursor, encodeCursor } from '../core/paging.ts';
import { invalidCursor, type Page, type PageRequest } from '../table/page.ts';
import { operation } from './operation.ts';

/** A request or a dashboard action that asks for a page. */
export interface PagedCall<Filters extends object = object> {
  readonly account: string;
  /** The operation's id, or the action's name. */
  readonly operation: string;
  /** Id of the record that owns the list; '' if the account owns it. */
  readonly id: string;
  readonly query: Filters & { readonly limit: number; readonly cursor?: string | undefined };
}

/**
 * Returns the fingerprint that binds a cursor to its account, route, filters and sort. It leaves
 * out the limit, so a caller may change the limit between pages.
 */
const fingerprint = ({ account, operation, id, query: { limit: _, cursor: __, ...filters } }: PagedCall): string =>
  createHash('sha256')
    .update(JSON.stringify([account, operation, id, filters]))
    .digest('base64url')
    .slice(0, 12);

/**
 * Returns the place that a cursor names; undefined without a cursor. Throws `invalid_cursor` if it
 * does not decode or belongs to another list.
 */
export const parseCursor = (cursor: string | null | undefined, fingerprintOfList: string): Cursor | undefined => {
  if (cursor == null) return undefined;
  const decoded = decodeCursor(cursor);
  if (decoded?.fingerprint !== fingerprintOfList) throw invalidCursor();
  return decoded;
};

/** Returns the start of the page. Throws `invalid_cursor`. */
export const pageRequest = (call: PagedCall): PageRequest => {
  const { limit, cursor } = call.query;
  const after = parseCursor(cursor, fingerprint(call));
  return { limit, ...(after && { after }) };
};

/** Returns the list envelope. */
export const pageBody = <Record, View>(call: PagedCall, page: Page<Record>, view: (record: Record) => View) => ({
  data: page.records.map(view),
  pagination: {
    limit: call.query.limit,
    has_more: page.next !== undefined,
    next_cursor: page.next ? encodeCursor({ fingerprint: fingerprint(call), ...page.next }) : null,
    prev_cursor: null,
  },
});

/** Makes the operation that lists records. */
export const listOperation = <Call extends PagedCall, Record, View>(
  list: (call: Call, page: PageRequest) => Promise<Page<Record>>,
  view: (record: Record) => View,
) =>
  operation({
    read: async (call: Call) => list(call, pageRequest(call)),
    decide: (call, page) => ({ result: pageBody(call, page, view) }),
  });
