import type { Delivery, Endpoint, Read } from '../contract.ts';
import { deliveryFeed, type LogPage } from '../deliveries/feed.ts';

export const hourMs = 3_600_000;
const hours = 24;
/** Most deliveries of one endpoint that the chart reads at first. */
const mostDeliveries = 1_000;

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

/** Whether there is anything to draw. */
export const hasDeliveries = ({ hours: counted }: LastDay): boolean =>
  counted.some(({ delivered, retried, failed }) => delivered + retried + failed > 0);

/** The log of an endpoint's last day, and what reads on. */
export interface DayLog {
  readonly endpoint: string;
  readonly feed: ReturnType<typeof deliveryFeed>;
  readonly page: LogPage;
}

const firstMsOf = (nowMs: number): number => Math.floor(nowMs / hourMs) * hourMs - (hours - 1) * hourMs;

/** Reads the logs of the last day, which need no counters of their own. */
export const readDayLogs = (read: Read, endpoints: readonly Endpoint[], nowMs: number): Promise<readonly DayLog[]> =>
  Promise.all(
    endpoints.map(async (endpoint) => {
      const filters = { endpoint: '', status: '', type: '', id: '', sinceMs: firstMsOf(nowMs), untilMs: null };
      const feed = deliveryFeed(read, [endpoint], filters);
      return { endpoint: endpoint.id, feed, page: await feed.next(mostDeliveries) };
    }),
  );

/** Reads what may have changed in the logs. Undefined if they must be read from their beginning. */
export const refreshDayLogs = async (logs: readonly DayLog[]): Promise<readonly DayLog[] | undefined> => {
  const refreshed = await Promise.all(
    logs.map(async (log) => {
      const update = await log.feed.refresh(log.page);
      return update && { ...log, page: update(log.page) };
    }),
  );
  const complete = refreshed.filter((log) => log !== undefined);
  return complete.length < logs.length ? undefined : complete;
};

/** Counts the deliveries of the last day by hour. */
export const lastDayOf = (logs: readonly DayLog[], nowMs: number): LastDay => {
  const firstMs = firstMsOf(nowMs);
  const counted = Array.from({ length: hours }, (_, hour) => ({ startMs: firstMs + hour * hourMs, delivered: 0, retried: 0, failed: 0 }));
  const rates = new Map<string, number>();
  for (const { endpoint, page } of logs) {
    const rows = page.rows.filter((row) => Date.parse(row.created_at) >= firstMs);
    const ended = rows.filter(({ status }) => status !== 'pending');
    if (ended.length > 0) rates.set(endpoint, ended.filter(({ status }) => status === 'delivered').length / ended.length);
    for (const row of rows) {
      const outcome = outcomeOf(row);
      const hour = counted[Math.min(hours - 1, Math.floor((Date.parse(row.created_at) - firstMs) / hourMs))];
      if (outcome && hour) hour[outcome]++;
    }
  }
  return { hours: counted, rates, isPartial: logs.some(({ page }) => page.more) };
};
