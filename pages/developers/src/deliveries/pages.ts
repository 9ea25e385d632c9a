import type { Delivery, Endpoint, Read } from '../contract.ts';
import type { Period } from '../ui/period.ts';

const pageLimit = 100;

export interface DeliveryFilters extends Period {
  /** An endpoint's id. Empty: all. */
  readonly endpoint: string;
  readonly status: string;
  readonly type: string;
  /** Id of an event, or of the record that it describes. Empty: all. */
  readonly id: string;
}

/** A page of an endpoint's log: all its deliveries between two positions. */
export interface DeliveryPage {
  readonly data: readonly Delivery[];
  readonly next: string | null;
  /** Position of the delivery before the page; `top` if it is the first page. */
  readonly after: string;
  /** Position of its last delivery; empty if the log ends with the page. */
  readonly to: string;
}

/** The position before all deliveries. Later positions are lower. */
export const top = '~';
export const positionOf = ({ created_at, id }: Delivery): string => `${created_at} ${id}`;

/** Returns what reads an endpoint's log page by page, newest first, and remembers where each page began. */
export const deliveryPages = (read: Read, { id: endpoint_id }: Endpoint, status: string) => {
  const cursors = new Map<string, string | null>([[top, null]]);
  return {
    async read(after = top): Promise<DeliveryPage> {
      const cursor = cursors.get(after);
      const input = { endpoint_id, limit: pageLimit, ...(status ? { status } : {}), ...(cursor ? { cursor } : {}) };
      const { data, pagination } = await read('delivery.list', input);
      const next = pagination.next_cursor;
      const last = data.at(-1);
      const to = next === null ? '' : last ? positionOf(last) : after;
      if (next !== null) cursors.set(to, next);
      return { data, next, after, to };
    },
    /** Returns the start of the page that most likely holds a delivery. */
    startBefore: (position: string): string => [...cursors.keys()].reduce((best, one) => (one > position && one < best ? one : best), top),
  };
};

/** Returns whether a delivery of the log matches the filters. */
export const matcherOf = ({ status, type, id, sinceMs, untilMs }: DeliveryFilters) => {
  const isRecent = ({ created_at }: Delivery): boolean => sinceMs === null || Date.parse(created_at) >= sinceMs;
  const isShown = (row: Delivery): boolean =>
    isRecent(row) &&
    (type === '' || row.type === type) &&
    (status === '' || row.status === status) &&
    (id === '' || row.id === id || row.record_id === id) &&
    (untilMs === null || Date.parse(row.created_at) < untilMs);
  return { isRecent, isShown };
};
