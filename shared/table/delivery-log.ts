import { isoFromMs } from '../core/time.ts';
import type { EventType } from '../domain/event/types.ts';
import type { DeliveryRecord, DeliveryStatus } from '../domain/webhook/record.ts';
import type { Db, Item } from './client.ts';
import { decodeDelivery, home, leastKept, statusIndex, statusPartition } from './delivery-items.ts';
import { every, expr } from './expressions.ts';
import { isExpired } from './keys.ts';
import { maxScanned, type Page, type PageRequest, type Place, queryMerged, queryPage, separator } from './page.ts';
import { indexKeys } from './schema.ts';

/**
 * Selects failed deliveries by time in milliseconds, both ends included, and by event type if it is
 * given.
 */
interface Failures {
  readonly since: number;
  readonly until?: number | undefined;
  readonly type?: EventType | undefined;
}

const mostCounted = 1_000;

const byStatus = indexKeys(statusIndex);
/**
 * An older pending delivery is in the status index, because its message returned to `deliver` or
 * the sweep found it. Otherwise it waits in a backlog, and then the newest 200 wait as well.
 */
const freshMs = 10 * 60_000;
const isFresh = (item: Item): boolean => decodeDelivery(item).status === 'pending' && item[byStatus.pk] === undefined;

/**
 * Lists of an endpoint's deliveries. The status index holds those that failed at least once; most
 * deliveries never enter it.
 */
export const openDeliveryLog = (db: Db) => ({
  /** Counts the pending records of an endpoint up to `most`; `orMore` if there may be others. */
  async countPending(account: string, endpoint: string, most: number) {
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
  /**
   * Counts the matching deliveries among the next 1,000 failed ones after a place of the list.
   * `orMore` if there may be others.
   */
  async countFailed(account: string, endpoint: string, { since, until, type }: Failures, { position, id }: Place) {
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
  /**
   * Returns a page, newest first, of all deliveries or of one status. For `pending` and
   * `delivered`, a page reads at most 200 records of the log. It may be short or empty although
   * more pages follow.
   */
  list(account: string, endpoint: string, status: DeliveryStatus | undefined, page: PageRequest): Promise<Page<DeliveryRecord>> {
    const isIndexed = status === 'failed';
    const least = leastKept(db.clock.now());
    return queryMerged(
      db,
      {
        ...(isIndexed ? { index: statusIndex } : {}),
        partitions: [isIndexed ? statusPartition(account, endpoint, status) : home(account, endpoint)],
        home: home(account, endpoint),
        from: isIndexed ? `${separator}${least}` : least,
        isGone: (item) => isExpired(item, db.clock.now()),
        ...(status && !isIndexed ? { keep: (item: Item) => decodeDelivery(item).status === status } : {}),
        decode: decodeDelivery,
      },
      page,
    );
  },
});
