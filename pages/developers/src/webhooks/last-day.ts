import type { Delivery, Endpoint, PageResults, Read } from '../contract.ts';

const hourMs = 3_600_000;
const hours = 24;
const pageLimit = 100;
/** Most deliveries of one endpoint that the chart reads. */
const maxPages = 10;

/** Deliveries of one hour by outcome. */
export interface Hour {
  readonly startMs: number;
  readonly delivered: number;
  /** Delivered after a failed attempt, or still being retried. */
  readonly retried: number;
  readonly failed: number;
}

export interface LastDay {
  /** 24 hours, the present one last. */
  readonly hours: readonly Hour[];
  /** Share of delivered ones among the finished deliveries by endpoint; absent without any. */
  readonly rates: ReadonlyMap<string, number>;
  /** An endpoint had more deliveries than were read. */
  readonly isPartial: boolean;
}

const outcomeOf = ({ status, attempts }: Delivery): 'delivered' | 'retried' | 'failed' | undefined => {
  if (status === 'failed') return 'failed';
  if (attempts > 0) return 'retried';
  return status === 'delivered' ? 'delivered' : undefined;
};

const readSince = async (read: Read, endpoint: string, sinceMs: number) => {
  const rows: Delivery[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < maxPages; pages++) {
    const page: PageResults['delivery.list'] = await read('delivery.list', {
      endpoint_id: endpoint,
      limit: pageLimit,
      ...(cursor ? { cursor } : {}),
    });
    const recentRows: Delivery[] = page.data.filter((row) => Date.parse(row.created_at) >= sinceMs);
    rows.push(...recentRows);
    cursor = page.pagination.next_cursor;
    if (cursor === null || recentRows.length < page.data.length) return { endpoint, rows, isPartial: false };
  }
  return { endpoint, rows, isPartial: true };
};

/** Whether there is anything to draw. */
export const hasDeliveries = ({ hours: counted }: LastDay): boolean =>
  counted.some(({ delivered, retried, failed }) => delivered + retried + failed > 0);

/**
 * Counts the deliveries of the last day by hour from the log, which needs no counters of its own.
 */
export const readLastDay = async (read: Read, endpoints: readonly Endpoint[], nowMs: number): Promise<LastDay> => {
  const firstMs = Math.floor(nowMs / hourMs) * hourMs - (hours - 1) * hourMs;
  const logs = await Promise.all(endpoints.map(({ id }) => readSince(read, id, firstMs)));
  const counted = Array.from({ length: hours }, (_, hour) => ({ startMs: firstMs + hour * hourMs, delivered: 0, retried: 0, failed: 0 }));
  const rates = new Map<string, number>();
  for (const { endpoint, rows } of logs) {
    const ended = rows.filter(({ status }) => status !== 'pending');
    if (ended.length > 0) rates.set(endpoint, ended.filter(({ status }) => status === 'delivered').length / ended.length);
    for (const row of rows) {
      const outcome = outcomeOf(row);
      const hour = counted[Math.min(hours - 1, Math.floor((Date.parse(row.created_at) - firstMs) / hourMs))];
      if (outcome && hour) hour[outcome]++;
    }
  }
  return { hours: counted, rates, isPartial: logs.some(({ isPartial }) => isPartial) };
};
