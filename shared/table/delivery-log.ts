import { isoFromMs } from '../core/time.ts';
import type { EventType } from '../domain/event/types.ts';
import type { DeliveryRecord, DeliveryStatus } from '../domain/webhook/record.ts';
import type { Db, Item } from './client.ts';
import { decodeDelivery, home, leastKept, statusIndex, statusPartition } from './delivery-items.ts';
import { every, expr } from './expressions.ts';
import { isExpired } from './keys.ts';
import { maxScanned, type Page, type PageRequest, type Place, queryMerged, separator } from './page.ts';
import { queryPage } from './query.ts';
import { indexKeys } from './schema.ts';

/**
 * Failures of a time range in milliseconds, both ends included, and of one event type if it is
 * named.
 */
export interface Failures {
  readonly since: number;
  readonly until?: number | undefined;
  readonly type?: EventType | undefined;
}

const mostCounted = 1_000;

/**
 * The deliveries of an endpoint. The status index holds those that failed at least once. Most
 * deliveries never enter it.
 */
export interface DeliveryLog {
  /**
   * Counts the failed records after a place of their list that match, among the next 1,000;
   * `orMore` if there may be others.
   */
  countFailed(
    account: string,
    endpoint: string,
    failures: Failures,
    after: Place,
  ): Promise<{ readonly count: number; readonly orMore: boolean }>;
  /** Counts the pending records of an endpoint up to `most`; `orMore` if there may be others. */
  countPending(account: string, endpoint: string, most: number): Promise<{ readonly count: number; readonly orMore: boolean }>;
  /**
   * Newest first, all or those of one status. Of `pending` and `delivered` a page judges 200
   * records of the log at most: it may be short, or empty, and still have more behind it.
   */
  list(account: string, endpoint: string, status: DeliveryStatus | undefined, page: PageRequest): Promise<Page<DeliveryRecord>>;
}

const byStatus = indexKeys(statusIndex);
/**
 * A pending record that is older is in the index, because its message came back to `deliver` or
 * because the sweep found it; or it waits in a backlog, and then the newest 200 wait as well.
 */
const freshMs = 10 * 60_000;
const isFresh = (item: Item): boolean => decodeDelivery(item).status === 'pending' && item[byStatus.pk] === undefined;

export const openDeliveryLog = (db: Db): DeliveryLog => ({
  async countPending(account, endpoint, most) {
    const [indexed, newest] = await Promise.all([
      queryPage(db, { index: statusIndex, partition: statusPartition(account, endpoint, 'pending'), Select: 'COUNT', Limit: most }),
      queryPage(db, { partition: home(account, endpoint), ConsistentRead: false, ScanIndexForward: false, Limit: maxScanned }),
    ]);
    const { Items = [], LastEvaluatedKey } = newest;
    const count = Math.min(most, (indexed.Count ?? 0) + Items.filter(isFresh).length);
    const oldest = Items.at(-1);
    const judgedAll = !LastEvaluatedKey || !oldest || Date.parse(decodeDelivery(oldest).created_at) < db.clock.now() - freshMs;
    return { count, orMore: count === most || !judgedAll };
  },
  async countFailed(account, endpoint, { since, until, type }, { position, id }) {
    const partition = statusPartition(account, endpoint, 'failed');
    const { Count = 0, LastEvaluatedKey } = await queryPage(db, {
      index: statusIndex,
      partition,
      filter: every(
        expr`view.created_at >= ${isoFromMs(since)}`,
        until !== undefined && expr`view.created_at <= ${isoFromMs(until)}`,
        type && expr`view.type = ${type}`,
      ),
      ScanIndexForward: false,
      Select: 'COUNT',
      Limit: mostCounted,
      ExclusiveStartKey: { pk: home(account, endpoint), sk: id, [byStatus.pk]: partition, [byStatus.sk]: `${position}${separator}${id}` },
    });
    return { count: Count, orMore: LastEvaluatedKey !== undefined };
  },
  async list(account, endpoint, status, page) {
    const isIndexed = status === 'failed';
    const least = leastKept(db.clock.now());
    const { records, next } = await queryMerged(
      db,
      {
        ...(isIndexed ? { index: statusIndex } : {}),
        partitions: [isIndexed ? statusPartition(account, endpoint, status) : home(account, endpoint)],
        home: home(account, endpoint),
        from: isIndexed ? `${separator}${least}` : least,
        isGone: (item) => isExpired(item, db.clock.now()),
        ...(status && !isIndexed ? { keep: (item: Item) => decodeDelivery(item).status === status } : {}),
      },
      page,
    );
    return { records: records.map(decodeDelivery), ...(next ? { next } : {}) };
  },
});
