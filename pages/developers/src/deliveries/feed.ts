import type { Delivery, Endpoint, Read } from '../contract.ts';
import type { Period } from '../ui/period.ts';

export interface DeliveryFilters extends Period {
  /** An endpoint's id. Empty: all. */
  readonly endpoint: string;
  readonly status: string;
  readonly type: string;
  /** Id of an event, or of the record that it describes. Empty: all. */
  readonly id: string;
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

/** Returns the id of the record that an event describes; undefined without a body. */
export const recordOf = (body: string | null): string | undefined => {
  const { data } = JSON.parse(body ?? '{}') as { readonly data?: { readonly object?: { readonly id?: string } } };
  return data?.object?.id;
};

/** Returns the delivery of an event, in a list that is empty if the endpoint has none. */
const readEvent = async (read: Read, endpoint_id: string, event_id: string): Promise<Delivery[]> => {
  try {
    const { attempt_log, last_response, body, ...delivery } = await read('delivery.get', { endpoint_id, event_id });
    return [{ ...delivery, record_id: recordOf(body) ?? null, last_response_code: attempt_log.at(-1)?.status_code ?? null }];
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === 'not_found') return [];
    throw error;
  }
};

/** The log of one endpoint, newest first. */
const lane = (read: Read, endpoint: Endpoint, { status, type, id, sinceMs, untilMs }: DeliveryFilters) => {
  const isRecent = ({ created_at }: Delivery): boolean => sinceMs === null || Date.parse(created_at) >= sinceMs;
  const isShown = (row: Delivery): boolean =>
    isRecent(row) &&
    (type === '' || row.type === type) &&
    (status === '' || row.status === status) &&
    (id === '' || row.id === id || row.record_id === id) &&
    (untilMs === null || Date.parse(row.created_at) < untilMs);
  let rows: LogRow[] = [];
  let cursor: string | null = null;
  let ended = false;
  return {
    ended: () => ended && rows.length === 0,
    newest: () => rows[0],
    take: () => rows.shift(),
    /** Reads until it finds a row, the end or the page limit. */
    async fill() {
      if (/^evt_\w+$/.test(id)) {
        if (!ended) rows = (await readEvent(read, endpoint.id, id)).filter(isShown).map((row) => ({ ...row, endpoint }));
        ended = true;
      }
      for (let pages = 0; rows.length === 0 && !ended && pages < pagesAtOnce; pages++) {
        const input = { endpoint_id: endpoint.id, limit: pageLimit, ...(status ? { status } : {}), ...(cursor ? { cursor } : {}) };
        const page = await read('delivery.list', input);
        rows = page.data.filter(isShown).map((row) => ({ ...row, endpoint }));
        cursor = page.pagination.next_cursor;
        // Newest first: all later rows are older still.
        ended = cursor === null || !page.data.every(isRecent);
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
