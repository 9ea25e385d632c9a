import type { Delivery, Endpoint, Read } from '../contract.ts';

export interface DeliveryFilters {
  /** Empty: any. */
  readonly endpoint: string;
  readonly status: string;
  readonly type: string;
  /** Older ones are left out; null: none are. */
  readonly sinceMs: number | null;
}

/** A delivery with the endpoint it was for. */
export interface LogRow extends Delivery {
  readonly endpoint: Endpoint;
}

export interface LogPage {
  readonly rows: readonly LogRow[];
  /** Whether there may be more. */
  readonly more: boolean;
}

const pageLimit = 100;
/** Pages of one endpoint that are looked through for one page of the log. */
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
    /** Reads until there is a row, the end, or too much was read. */
    async fill() {
      for (let pages = 0; rows.length === 0 && !ended && pages < pagesAtOnce; pages++) {
        const input = { endpoint_id: endpoint.id, limit: pageLimit, ...(status ? { status } : {}), ...(cursor ? { cursor } : {}) };
        const page = await read('delivery.list', input);
        const wanted = page.data.filter((row) => sinceMs === null || Date.parse(row.created_at) >= sinceMs);
        rows = wanted.filter((row) => type === '' || row.type === type).map((row) => ({ ...row, endpoint }));
        cursor = page.pagination.next_cursor;
        // Newest first: what follows one that is too old is older.
        ended = cursor === null || wanted.length < page.data.length;
      }
    },
  };
};

/** The logs of several endpoints as one, newest first, a page at a time. */
export const deliveryFeed = (read: Read, endpoints: readonly Endpoint[], filters: DeliveryFilters) => {
  const lanes = endpoints
    .filter(({ id }) => filters.endpoint === '' || id === filters.endpoint)
    .map((endpoint) => lane(read, endpoint, filters));
  // Not of a call: what one that failed had found belongs to the next.
  let rows: LogRow[] = [];
  return async (count: number): Promise<LogPage> => {
    while (rows.length < count) {
      // All of them come to rest, so that none is still reading when it is asked again.
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
