import { deflateRawSync } from 'node:zlib';
import { ApiError } from '../core/errors.ts';
import { timeOfId } from '../core/ids.ts';
import { isoFromMs } from '../core/time.ts';
import type { EventType } from '../domain/event/types.ts';
import type { AttemptResponse, DeliveryAttempt, DeliveryRecord, DeliveryStatus } from '../domain/webhook/record.ts';
import { openOutcomes } from './attempts.ts';
import type { Db, Item } from './client.ts';
import {
  type AttemptRef,
  attemptOf,
  beforeFirstAttempt,
  type DeliveryRef,
  decodeAttemptResponse,
  decodeBody,
  decodeDelivery,
  decodeHistory,
  deliveryKey,
  dueEntry,
  duePartition,
  historyAttribute,
  logPartition,
  lowestStoredId,
  noResponsesAttribute,
  statusEntry,
  statusIndex,
  statusPartition,
  storedRuns,
  storedViewOf,
} from './delivery-items.ts';
import { allOf, attribute, exists, expr, isAbsent } from './expressions.ts';
import { expiryOf, isExpired, readUnexpired } from './keys.ts';
import { type PackedBody, replaceBody } from './packed-body.ts';
import { type ListPosition, type Page, type PageRequest, queryPage, separator } from './page.ts';
import { maxScanned, readListPage } from './plan.ts';
import { dueIndex, indexKeys, schema } from './schema.ts';
import { commit, putItem, sendAlone, updateItem, type Write } from './write.ts';

/** Attributes of an item in the due index. */
type OverdueMark = Record<string, unknown>;

interface Overdue {
  readonly refs: readonly AttemptRef[];
  readonly next?: OverdueMark;
}

/**
 * A delivery with the attempts of its last runs, for the dashboard. The REST API does not show
 * attempts.
 */
export interface InspectedDelivery {
  readonly record: DeliveryRecord;
  /** Attempts of the last five runs, oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
  /**
   * Response of the last failed attempt. Null if no attempt failed, if the last one succeeded, or
   * if the response may contain data of an erased person.
   */
  readonly receiverResponse: AttemptResponse | null;
  /** Body of the event, if the record contains it. */
  readonly body: string | undefined;
}

/**
 * Selects failed deliveries by time in milliseconds, both ends included, and by event type if it is
 * given.
 */
interface Failures {
  readonly since: number;
  readonly until?: number | undefined;
  readonly type?: EventType | undefined;
}

const maxCounted = 1_000;

const byStatus = indexKeys(statusIndex);
/**
 * An older pending delivery is in the status index, because its message returned to `deliver` or
 * the sweep found it. Otherwise it waits in a backlog, and then the newest 200 wait as well.
 */
const freshMs = 10 * 60_000;
const isPending = (item: Item): boolean => decodeDelivery(item).status === 'pending';

/**
 * Lists of an endpoint's deliveries. The status index holds those that failed at least once; most
 * deliveries never enter it.
 */
const openDeliveryLog = (db: Db) => ({
  /** Counts the pending records of an endpoint up to `max`; `orMore` if there may be others. */
  async countPending(account: string, endpoint: string, max: number) {
    const [newest, indexed] = await Promise.all([
      queryPage(db, { partition: logPartition(account, endpoint), ConsistentRead: false, ScanIndexForward: false, Limit: maxScanned }),
      queryPage(db, {
        index: statusIndex,
        partition: statusPartition(account, endpoint, 'pending'),
        only: attribute(schema.sortKey),
        Limit: max,
      }),
    ]);
    const { Items = [], LastEvaluatedKey: oldest } = newest;
    // A record may enter or leave the index between the reads. So the index is only used for records
    // that are older than those read from the table, and no record is counted twice or by neither.
    const isOlder = (item: Item): boolean => oldest !== undefined && String(item[schema.sortKey]) < String(oldest[schema.sortKey]);
    const count = Math.min(max, Items.filter(isPending).length + (indexed.Items ?? []).filter(isOlder).length);
    // If a read ended at 1 MB, it says nothing about the records that it did not reach.
    const isCut = (oldest && Items.length < maxScanned) || (indexed.LastEvaluatedKey && isOlder(indexed.LastEvaluatedKey));
    const judgedAll = !oldest || timeOfId(String(oldest[schema.sortKey])) < db.clock.now() - freshMs;
    return { count, orMore: count === max || Boolean(isCut) || !judgedAll };
  },
  /**
   * Counts the matching deliveries among the next 1,000 failed ones after a place of the list.
   * `orMore` if there may be others.
   */
  async countFailed(account: string, endpoint: string, { since, until, type }: Failures, { position, id }: ListPosition) {
    const partition = statusPartition(account, endpoint, 'failed');
    const { Count = 0, LastEvaluatedKey } = await queryPage(db, {
      index: statusIndex,
      partition,
      filter: allOf(
        expr`view.created_at >= ${isoFromMs(since)}`,
        until !== undefined && expr`view.created_at <= ${isoFromMs(until)}`,
        type && expr`view.type = ${type}`,
      ),
      ScanIndexForward: false,
      Select: 'COUNT',
      Limit: maxCounted,
      ExclusiveStartKey: {
        pk: logPartition(account, endpoint),
        sk: id,
        [byStatus.pk]: partition,
        [byStatus.sk]: `${position}${separator}${id}`,
      },
    });
    return { count: Count, orMore: LastEvaluatedKey !== undefined };
  },
  /**
   * Returns a page, newest first, of all deliveries or of one status. For `pending` and
   * `delivered`, a page reads at most 200 records of the log. It may be short or empty although
   * more pages follow.
   */
  list(account: string, endpoint: string, status: DeliveryStatus | undefined, page: PageRequest): Promise<Page<DeliveryRecord>> {
    return this.listAs(decodeDelivery, account, endpoint, status, page);
  },
  /** The same, with what `decode` returns of each item. An item of the status index has no body. */
  listAs<Listed>(
    decode: (item: Item) => Listed,
    account: string,
    endpoint: string,
    status: DeliveryStatus | undefined,
    page: PageRequest,
  ): Promise<Page<Listed>> {
    const isIndexed = status === 'failed';
    const lowestId = lowestStoredId(db.clock.now());
    return readListPage(
      db,
      {
        ...(isIndexed ? { index: statusIndex } : {}),
        partitions: [isIndexed ? statusPartition(account, endpoint, status) : logPartition(account, endpoint)],
        home: logPartition(account, endpoint),
        from: isIndexed ? `${separator}${lowestId}` : lowestId,
        isGone: (item) => isExpired(item, db.clock.now()),
        ...(status && !isIndexed ? { keep: (item: Item) => decodeDelivery(item).status === status } : {}),
        decode,
      },
      page,
    );
  },
});

/** New runs of the retry schedule. */
const openRestarts = (db: Db) => {
  /**
   * Returns the write of `restart` for use in a larger commit, and the attempt that becomes due.
   */
  const restartWrite = (record: DeliveryRecord, dueMs: number): { readonly write: Write; readonly attempt: AttemptRef } => {
    const run = record.run + 1;
    const dropped = run > storedRuns ? [historyAttribute(run - storedRuns)] : [];
    const { last_attempt_at } = record;
    const fresh: DeliveryRecord = { ...record, ...beforeFirstAttempt, last_attempt_at, status: 'pending', attempts: 0, run };
    const attempt = attemptOf(fresh);
    const write = updateItem(db, deliveryKey(attempt), {
      set: { view: storedViewOf(fresh), ...statusEntry(attempt, 'pending'), ...dueEntry(attempt, dueMs) },
      remove: ['ended_by', ...dropped],
      where: expr`view.run = ${record.run}`,
      rejectWith: () => new ApiError('conflict', 'Another call is redelivering this event. See delivery.get for its state.'),
    });
    return { write, attempt };
  };

  return {
    restartWrite,
    /**
     * Starts a new run of the retry schedule. Its attempts count from 0; those of the last five runs
     * are kept. Fails with 409 if another run was started meanwhile.
     */
    async restart(record: DeliveryRecord, dueMs: number) {
      const { write, attempt } = restartWrite(record, dueMs);
      await commit(db, [write]);
      return attempt;
    },
  };
};

export const openDeliveries = (db: Db) => {
  const read = (account: string, endpoint: string, event: string) => readUnexpired(db, deliveryKey({ account, endpoint, event }));

  return {
    async get(account: string, endpoint: string, event: string) {
      const item = await read(account, endpoint, event);
      return item && decodeDelivery(item);
    },
    async inspect(account: string, endpoint: string, event: string): Promise<InspectedDelivery | undefined> {
      const item = await read(account, endpoint, event);
      if (!item) return undefined;
      const record = decodeDelivery(item);
      return { record, attempts: decodeHistory(item, record.run), receiverResponse: decodeAttemptResponse(item), body: decodeBody(item) };
    },
    ...openDeliveryLog(db),
    ...openOutcomes(db),
    ...openRestarts(db),
    /**
     * Creates the record if it does not exist. Returns the stored record. It is not in the due index,
     * because its message leads to the first attempt; `makeDueAt` adds it later. With `body`
     * (`deflateIfShort`), the record keeps the body of its event, and not also the id of the event's record.
     */
    async create(record: DeliveryRecord, body?: Uint8Array): Promise<DeliveryRecord> {
      const key = deliveryKey(attemptOf(record));
      const expires_at = expiryOf('deliveryRecord', Date.parse(record.created_at));
      const view = storedViewOf(body ? { ...record, record_id: null } : record);
      const stored = { ...key, view, ...(body && { body }), expires_at };
      const { done } = await sendAlone(db, putItem(db, stored, { where: isAbsent }));
      const item = done ? undefined : await db.get(key);
      return item ? decodeDelivery(item) : record;
    },
    /** Replaces the event's body in a record that keeps it (`replaceBody`). Only for erasures. */
    rewriteBody: (ref: DeliveryRef, before: PackedBody, after: string) => replaceBody(db, deliveryKey(ref), before, deflateRawSync(after)),
    /**
     * Deletes the stored response. Later responses are not stored either, because attempts may be
     * running.
     */
    async forgetResponses(ref: DeliveryRef) {
      await sendAlone(db, updateItem(db, deliveryKey(ref), { set: { [noResponsesAttribute]: null }, remove: ['answer'], where: exists }));
    },
    /** Returns the pending deliveries of a shard that were due at that time, earliest first. */
    async overdue(shard: number, byMs: number, limit: number, after?: OverdueMark): Promise<Overdue> {
      const { Items = [], LastEvaluatedKey } = await queryPage(db, {
        index: dueIndex,
        partition: duePartition(shard),
        range: (sk) => expr`${sk} < ${isoFromMs(byMs)}`,
        Limit: limit,
        ExclusiveStartKey: after,
      });
      const refs = Items.map(decodeDelivery).map(attemptOf);
      return { refs, ...(LastEvaluatedKey ? { next: LastEvaluatedKey } : {}) };
    },
  };
};
