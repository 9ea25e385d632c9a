import type { Delivery, Endpoint, Read } from '../contract.ts';

export interface DeliveryFilters {
  /** An endpoint's id. Empty: all. */
  readonly endpoint: string;
  readonly status: string;
  readonly type: string;
  /** Excludes older deliveries; null: no limit. */
  readonly sinceMs: number | null;
}

/** A delivery with its endpoint. */
export interface LogRow extends Delivery {
  readonly endpoint: Endpoint;
}

export interface LogPage {
  readonly rows: readonly LogRow[];
  /** True if there may be more. */
  readonly more: boolean;
}

const pageLimit = 100;
/** Maximum pages of one endpoint read for one page of the log. */
const pagesAtOnce = 10;

/** The log of one endpoint, newest first. */
const lane = (read: Read, endpoint: Endpoint, { status, type, sinceMs }: DeliveryFilters) => {
  let rows: LogRow[] = [];
  let cursor: string | null = null;
  let ended = false;
  return {
    ended: () => ended && rows.length === 0,
    newest: () => rows[0],
    take: () => rows.shift(),
    /** Reads until it finds a row, the end or the page limit. */
    async fill() {
      for (let pages = 0; rows.length === 0 && !ended && pages < pagesAtOnce; pages++) {
        const input = { endpoint_id: endpoint.id, limit: pageLimit, ...(status ? { status } : {}), ...(cursor ? { cursor } : {}) };
        const page = await read('delivery.list', input);
        const recentRows = page.data.filter((row) => sinceMs === null || Date.parse(row.created_at) >= sinceMs);
        rows = recentRows.filter((row) => type === '' || row.type === type).map((row) => ({ ...row, endpoint }));
        cursor = page.pagination.next_cursor;
        // Newest first: all later rows are older still.
        ended = cursor === null || recentRows.length < page.data.length;
      }
    },
  };
};

/** Merges the logs of several endpoints, newest first, a page at a time. */
export const deliveryFeed = (read: Read, endpoints: readonly Endpoint[], filters: DeliveryFilters) => {
  const lanes = endpoints
    .filter(({ id }) => filters.endpoint === '' || id === filters.endpoint)
    .map((endpoint) => lane(read, endpoint, filters));
  // Not of a call: what one that failed had found belongs to the next.
  let rows: LogRow[] = [];
  return async (count: number): Promise<LogPage> => {
    while (rows.length < count) {
      // Wait for all reads, so that none is running at the next call.
      const failed = (await Promise.allSettled(lanes.map((one) => one.fill()))).find(({ status }) => status === 'rejected');
      if (failed?.status === 'rejected') throw failed.reason;
      // The newest delivery is known only if the next one of every endpoint is known.
      if (lanes.some((one) => !one.newest() && !one.ended())) break;
      const [first] = lanes
        .filter((one) => one.newest())
        .sort((a, b) => (b.newest()?.created_at ?? '').localeCompare(a.newest()?.created_at ?? ''));
      const row = first?.take();
      if (!row) break;
      rows.push(row);
    }
    const page = rows;
    rows = [];
    return { rows: page, more: lanes.some((one) => !one.ended()) };
  };
};
