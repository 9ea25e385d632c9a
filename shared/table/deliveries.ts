import { deflateRawSync } from 'node:zlib';
import { ApiError } from '../core/errors.ts';
import { isoFromMs } from '../core/time.ts';
import type { AttemptAnswer, DeliveryAttempt, DeliveryRecord } from '../domain/webhook/record.ts';
import type { Db } from './client.ts';
import {
  type AttemptOutcome,
  type AttemptRef,
  attemptOf,
  type DeliveryRef,
  decodeAnswer,
  decodeBody,
  decodeDelivery,
  decodeHistory,
  deliveryKey,
  dueEntry,
  duePartition,
  endOf,
  historyAttribute,
  keptRuns,
  leftBy,
  notYet,
  statusEntry,
  statusIndex,
  unanswerable,
  viewOf,
} from './delivery-items.ts';
import { openDeliveryLog } from './delivery-log.ts';
import { type Change, exists, expr, isAbsent, within } from './expressions.ts';
import { expiryOf, readUnexpired } from './keys.ts';
import { queryPage } from './page.ts';
import { dueIndex, indexKeys } from './schema.ts';
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
  readonly answer: AttemptAnswer | null;
  /** Body of the event, if the record contains it. */
  readonly body: string | undefined;
}

const isCurrent = (ref: AttemptRef) => expr`view.status = ${'pending'} AND view.run = ${ref.run} AND view.attempts = ${ref.attempt}`;

/**
 * Returns the change that stores an outcome and its index entries. Without a token, the delivery
 * ends without an attempt.
 */
const outcomeChange = (ref: AttemptRef, outcome: AttemptOutcome, token?: string): Change => {
  const [due, byStatus] = [indexKeys(dueIndex), indexKeys(statusIndex)];
  const { status, nextAtMs } = outcome;
  const attempted = token === undefined ? undefined : isoFromMs(outcome.atMs);
  const left = token === undefined ? {} : leftBy(ref, outcome);
  return {
    set: {
      ...within('view', { ...endOf(outcome), last_attempt_at: attempted }),
      ...(status === 'delivered' ? {} : statusEntry(ref, status)),
      ...(nextAtMs === null ? {} : dueEntry(ref, nextAtMs)),
      ended_by: token,
      ...left.set,
    },
    remove: [
      ...(status === 'delivered' ? [byStatus.pk, byStatus.sk] : []),
      ...(nextAtMs === null ? [due.pk, due.sk] : []),
      ...(left.remove ?? []),
    ],
  };
};

/** Changes of a delivery that waits for an attempt. */
const openOutcomes = (db: Db) => {
  /**
   * Changes the record if it waits for this attempt. Returns true if this call, or an earlier one
   * with the same token, made the change.
   */
  const updateCurrent = async (ref: AttemptRef, change: Change, token?: string): Promise<boolean> => {
    const write = updateItem(db, deliveryKey(ref), { ...change, where: isCurrent(ref), showOld: token !== undefined });
    const { done, item } = await sendAlone(db, write);
    return done || (token !== undefined && item?.['ended_by'] === token);
  };

  const conclude = (ref: AttemptRef, outcome: AttemptOutcome, token?: string): Promise<boolean> =>
    updateCurrent(ref, outcomeChange(ref, outcome, token), token);

  return {
    /**
     * Stores the outcome of an attempt once, and replaces the response of the previous attempt.
     * Returns false if the attempt already has an outcome or its run is over. `token` identifies the
     * attempt, so that a repeated write recognizes its own outcome.
     */
    finish: (ref: AttemptRef, token: string, outcome: AttemptOutcome) => conclude(ref, outcome, token),
    /** Ends a pending delivery without a request, for example if its endpoint is disabled. */
    async abandon(ref: AttemptRef, error: string, atMs: number) {
      const none = { statusCode: null, durationMs: 0, nextAtMs: null } as const;
      await conclude(ref, { status: 'failed', attempts: ref.attempt, error, atMs, ...none });
    },
    /**
     * Enters a pending attempt in the due index, so that the sweep finds it from `dueMs` on, and in
     * the status index. Returns false if the attempt has ended meanwhile.
     */
    findFrom: (ref: AttemptRef, dueMs: number) => updateCurrent(ref, { set: { ...dueEntry(ref, dueMs), ...statusEntry(ref, 'pending') } }),
  };
};

/** New runs of the retry schedule. */
const openRestarts = (db: Db) => {
  /**
   * Returns the write of `restart` for use in a larger commit, and the attempt that becomes due.
   */
  const restartWrite = (record: DeliveryRecord, dueMs: number): { readonly write: Write; readonly attempt: AttemptRef } => {
    const run = record.run + 1;
    const dropped = run > keptRuns ? [historyAttribute(run - keptRuns)] : [];
    const { last_attempt_at } = record;
    const fresh: DeliveryRecord = { ...record, ...notYet, last_attempt_at, status: 'pending', attempts: 0, run };
    const attempt = attemptOf(fresh);
    const write = updateItem(db, deliveryKey(attempt), {
      set: { view: viewOf(fresh), ...statusEntry(attempt, 'pending'), ...dueEntry(attempt, dueMs) },
      remove: ['ended_by', ...dropped],
      where: expr`view.run = ${record.run}`,
      refuse: () => new ApiError('conflict', 'This delivery was started again at the same time.'),
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
      return { record, attempts: decodeHistory(item, record.run), answer: decodeAnswer(item), body: decodeBody(item) };
    },
    ...openDeliveryLog(db),
    ...openOutcomes(db),
    ...openRestarts(db),
    /**
     * Creates the record if it does not exist. Returns the stored record. It is not in the due index,
     * because its message leads to the first attempt; `findFrom` adds it later. With `body`
     * (`keepBody`), the record keeps the body of its event.
     */
    async create(record: DeliveryRecord, body?: Uint8Array): Promise<DeliveryRecord> {
      const key = deliveryKey(attemptOf(record));
      const expires_at = expiryOf('deliveryRecord', Date.parse(record.created_at));
      const stored = { ...key, view: viewOf(record), ...(body && { body }), expires_at };
      const { done } = await sendAlone(db, putItem(db, stored, { where: isAbsent }));
      const item = done ? undefined : await db.get(key);
      return item ? decodeDelivery(item) : record;
    },
    /** Replaces the event's body in a record that keeps it. Only for erasures. */
    async rewriteBody(ref: DeliveryRef, body: string) {
      const change = { set: { body: deflateRawSync(body) }, where: expr`attribute_exists(body)` };
      await sendAlone(db, updateItem(db, deliveryKey(ref), change));
    },
    /**
     * Deletes the stored response. Later responses are not stored either, because attempts may be
     * running.
     */
    async forgetAnswers(ref: DeliveryRef) {
      await sendAlone(db, updateItem(db, deliveryKey(ref), { set: { [unanswerable]: null }, remove: ['answer'], where: exists }));
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
