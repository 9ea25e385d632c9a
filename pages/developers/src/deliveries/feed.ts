import type { Delivery, Endpoint, Read } from '../contract.ts';
import { orNull } from '../ui/work.ts';
import { type DeliveryFilters, type DeliveryPage, deliveryPages, matcherOf, positionOf, top } from './pages.ts';

/** A delivery with its endpoint. */
export interface LogRow extends Delivery {
  readonly endpoint: Endpoint;
}

export interface LogPage {
  readonly rows: readonly LogRow[];
  /** True if there may be more. */
  readonly more: boolean;
}

/** Maximum pages of one endpoint read for one page of the log. */
const pagesAtOnce = 10;

/** Returns the id of the record that an event describes; undefined without a body. */
export const recordOf = (body: string | null): string | undefined => {
  const { data } = JSON.parse(body ?? '{}') as { readonly data?: { readonly object?: { readonly id?: string } } };
  return data?.object?.id;
};

/** Returns the delivery of an event, in a list that is empty if the endpoint has none. */
const readEvent = async (read: Read, endpoint_id: string, event_id: string): Promise<Delivery[]> => {
  const found = await orNull(read('delivery.get', { endpoint_id, event_id }));
  if (!found) return [];
  const { attempt_log, last_response, body, ...delivery } = found;
  return [{ ...delivery, record_id: recordOf(body) ?? null, last_response_code: attempt_log.at(-1)?.status_code ?? null }];
};

/** Puts what was read between two positions of an endpoint's log in place of the listed rows there. */
const withPage = (listed: readonly LogRow[], { after, to }: DeliveryPage, found: readonly LogRow[], isWanted: (row: LogRow) => boolean) => {
  const ids = new Set(listed.map(({ id }) => id));
  const others = listed.filter((row) => positionOf(row) >= after || positionOf(row) < to);
  return [...others, ...found.filter((row) => ids.has(row.id) || isWanted(row))];
};

/** Changes the rows of one endpoint in a list. */
type Update = (listed: readonly LogRow[], isWithin: (row: LogRow) => boolean) => readonly LogRow[];

/** The log of one endpoint, newest first. */
const lane = (read: Read, endpoint: Endpoint, filters: DeliveryFilters) => {
  const { isRecent, isShown } = matcherOf(filters);
  const isEvent = /^evt_\w+$/.test(filters.id);
  const log = deliveryPages(read, endpoint, filters.status);
  const shownOf = (data: readonly Delivery[]): LogRow[] => data.filter(isShown).map((row) => ({ ...row, endpoint }));
  let rows: LogRow[] = [];
  let ended = false;
  let readTo = top;
  let pages = 0;
  let newest = '';
  /** Rows below the first page that no refresh has read since it last came to the oldest. */
  let unread = new Set<string>();
  return {
    endpoint,
    ended: () => ended && rows.length === 0,
    newest: () => rows[0],
    take: () => rows.shift(),
    /** Whether nothing that is still to be read can be newer than the row. */
    isPast: (row: LogRow): boolean => rows.length > 0 || ended || readTo < row.created_at,
    begin: () => {
      pages = 0;
    },
    /** Reads until it finds a row, the end or the page limit. */
    async fill() {
      if (isEvent) {
        if (!ended) rows = shownOf(await readEvent(read, endpoint.id, filters.id));
        ended = true;
      }
      for (; rows.length === 0 && !ended && pages < pagesAtOnce; pages++) {
        const page = await log.read(readTo);
        if (readTo === top && page.data[0]) newest = positionOf(page.data[0]);
        rows = shownOf(page.data);
        readTo = page.to;
        // Newest first: all later rows are older still.
        ended = page.next === null || !page.data.every(isRecent);
      }
    },
    /**
     * Reads the first page, and one of the others that hold listed rows, each in its turn. Returns
     * undefined if deliveries between the first page and the known ones may be missing.
     */
    async refresh(listed: readonly LogRow[]): Promise<Update | undefined> {
      if (isEvent) {
        const found = shownOf(await readEvent(read, endpoint.id, filters.id));
        return () => found;
      }
      const first = await log.read();
      if (first.to > newest) return undefined;
      const known = newest;
      if (first.data[0]) newest = positionOf(first.data[0]);
      const others = listed.filter((row) => positionOf(row) < first.to);
      if (!others.some(({ id }) => unread.has(id))) unread = new Set(others.map(({ id }) => id));
      const target = others.find(({ id }) => unread.has(id));
      const second = target && (await log.read(log.startBefore(positionOf(target))));
      for (const row of others) if (second && positionOf(row) >= second.to) unread.delete(row.id);
      return (now, isWithin) => {
        const updated = withPage(now, first, shownOf(first.data), (row) => positionOf(row) > known || isWithin(row));
        return second ? withPage(updated, second, shownOf(second.data), isWithin) : updated;
      };
    },
  };
};

const newestFirst = (one: LogRow, other: LogRow): number => other.created_at.localeCompare(one.created_at);

/** Merges the logs of several endpoints, newest first. */
export const deliveryFeed = (read: Read, endpoints: readonly Endpoint[], filters: DeliveryFilters) => {
  const lanes = endpoints
    .filter(({ id }) => filters.endpoint === '' || id === filters.endpoint)
    .map((endpoint) => lane(read, endpoint, filters));
  // Not of a call: what one that failed had found belongs to the next.
  let rows: LogRow[] = [];
  return {
    /** Reads the next page. */
    async next(count: number): Promise<LogPage> {
      for (const one of lanes) one.begin();
      while (rows.length < count) {
        // Wait for all reads, so that none is running at the next call.
        const failed = (await Promise.allSettled(lanes.map((one) => one.fill()))).find(({ status }) => status === 'rejected');
        if (failed?.status === 'rejected') throw failed.reason;
        const [first] = lanes
          .flatMap((one) => {
            const row = one.newest();
            return row ? [{ one, row }] : [];
          })
          .sort((a, b) => newestFirst(a.row, b.row));
        // An endpoint whose next delivery is unknown may have a newer one.
        if (!first || !lanes.every((one) => one.isPast(first.row))) break;
        first.one.take();
        rows.push(first.row);
      }
      const page = rows;
      rows = [];
      return { rows: page, more: lanes.some((one) => !one.ended()) };
    },
    /**
     * Reads what may have changed in a list that the pages make: new deliveries, and the status of the
     * listed ones. It takes at most two calls for each endpoint, so a long list is read in several
     * turns. Returns what changes the list; undefined if it must be read from its beginning.
     */
    async refresh({ rows: listed }: LogPage): Promise<((page: LogPage) => LogPage) | undefined> {
      const ofLane = (all: readonly LogRow[], { id }: Endpoint) => all.filter(({ endpoint }) => endpoint.id === id);
      const updates = await Promise.all(
        lanes.map(async ({ endpoint, refresh }) => ({ endpoint, update: await refresh(ofLane(listed, endpoint)) })),
      );
      if (updates.some(({ update }) => !update)) return undefined;
      return (page) => {
        const last = page.rows.at(-1)?.created_at;
        // What is older than the last row comes with the next page.
        const isWithin = (row: LogRow): boolean => !page.more || (last !== undefined && row.created_at > last);
        const changed = updates.flatMap(({ endpoint, update }) => update?.(ofLane(page.rows, endpoint), isWithin) ?? []);
        return { ...page, rows: changed.sort(newestFirst) };
      };
    },
  };
};
