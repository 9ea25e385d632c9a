import { deflateRawSync } from 'node:zlib';
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { ApiError } from '../core/errors.ts';
import { isoFromMs } from '../core/time.ts';
import type { AttemptAnswer, DeliveryAttempt, DeliveryRecord } from '../domain/webhook/record.ts';
import type { Db, Item } from './client.ts';
import {
  type AttemptOutcome,
  type AttemptRef,
  type DeliveryRef,
  decodeAnswer,
  decodeBody,
  decodeDelivery,
  decodeHistory,
  deliveryKey,
  dueEntry,
  duePartition,
  endOf,
  expiryOf,
  historyAttribute,
  keptRuns,
  leftBy,
  statusEntry,
  statusIndex,
  unanswerable,
  viewOf,
} from './delivery-items.ts';
import { type DeliveryLog, openDeliveryLog } from './delivery-log.ts';
import { type Change, exists, expr, isAbsent, showOld, update, where, within } from './expressions.ts';
import { isExpired } from './keys.ts';
import { queryPage } from './page.ts';
import { dueIndex, indexKeys } from './schema.ts';
import { commit, sendAlone, sendUpdate, type Write } from './write.ts';

/** Attributes of an item in the due index. */
type OverdueMark = Record<string, unknown>;

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

interface Deliveries extends DeliveryLog {
  get(account: string, endpoint: string, event: string): Promise<DeliveryRecord | undefined>;
  inspect(account: string, endpoint: string, event: string): Promise<InspectedDelivery | undefined>;
  /**
   * Creates the record if it does not exist. Returns the stored record. It is not in the due index,
   * because its message leads to the first attempt; `findFrom` adds it later. With `body`
   * (`keepBody`), the record keeps the body of its event.
   */
  create(record: DeliveryRecord, body?: Uint8Array): Promise<DeliveryRecord>;
  /** Replaces the event's body in a record that keeps it. Only for erasures. */
  rewriteBody(ref: DeliveryRef, body: string): Promise<void>;
  /**
   * Stores the outcome of an attempt once, and replaces the response of the previous attempt.
   * Returns false if the attempt already has an outcome or its run is over. `token` identifies the
   * attempt, so that a repeated write recognizes its own outcome.
   */
  finish(ref: AttemptRef, token: string, outcome: AttemptOutcome): Promise<boolean>;
  /**
   * Deletes the stored response. Later responses are not stored either, because attempts may be
   * running.
   */
  forgetAnswers(ref: DeliveryRef): Promise<void>;
  /** Ends a pending delivery without a request, for example if its endpoint is disabled. */
  abandon(ref: AttemptRef, error: string, atMs: number): Promise<void>;
  /**
   * Starts a new run of the retry schedule. Its attempts count from 0; those of the last five runs
   * are kept. Fails with 409 if another run was started meanwhile.
   */
  restart(record: DeliveryRecord, dueMs: number): Promise<AttemptRef>;
  /**
   * Returns the write of `restart` for use in a larger commit, and the attempt that becomes due.
   */
  restartWrite(record: DeliveryRecord, dueMs: number): { readonly write: Write; readonly attempt: AttemptRef };
  /** Returns the pending deliveries of a shard that were due at that time, earliest first. */
  overdue(
    shard: number,
    byMs: number,
    limit: number,
    after?: OverdueMark,
  ): Promise<{ readonly refs: readonly AttemptRef[]; readonly next?: OverdueMark }>;
  /**
   * Enters a pending attempt in the due index, so that the sweep finds it from `dueMs` on, and in
   * the status index. Returns false if the attempt has ended meanwhile.
   */
  findFrom(ref: AttemptRef, dueMs: number): Promise<boolean>;
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
      ...(status === 'delivered' ? {} : statusEntry({ account: ref.account, endpoint: ref.endpoint, id: ref.event }, status)),
      ...(nextAtMs === null ? {} : dueEntry(nextAtMs, ref.endpoint, ref.event)),
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

const restartWrite = (table: string, record: DeliveryRecord, dueMs: number): ReturnType<Deliveries['restartWrite']> => {
  const run = record.run + 1;
  const dropped = run > keptRuns ? [historyAttribute(run - keptRuns)] : [];
  const fresh: DeliveryRecord = {
    ...record,
    status: 'pending',
    attempts: 0,
    run,
    next_retry_at: null,
    delivered_at: null,
    failed_at: null,
    last_status_code: null,
    last_error: null,
  };
  const attributes = { view: viewOf(fresh), ...statusEntry(record, 'pending'), ...dueEntry(dueMs, record.endpoint, record.id) };
  const key = deliveryKey({ account: record.account, endpoint: record.endpoint, event: record.id });
  const change = { set: attributes, remove: ['ended_by', ...dropped], where: expr`view.run = ${record.run}` };
  return {
    write: {
      item: { Update: update(table, key, change) },
      refuse: () => new ApiError('conflict', 'This delivery was started again at the same time.'),
    },
    attempt: { account: record.account, endpoint: record.endpoint, event: record.id, run, attempt: 0 },
  };
};

const overdue = async (db: Db, ...[shard, byMs, limit, after]: Parameters<Deliveries['overdue']>): ReturnType<Deliveries['overdue']> => {
  const { Items = [], LastEvaluatedKey } = await queryPage(db, {
    index: dueIndex,
    partition: duePartition(shard),
    range: (sk) => expr`${sk} < ${isoFromMs(byMs)}`,
    Limit: limit,
    ExclusiveStartKey: after,
  });
  const refs = Items.map(decodeDelivery).map(({ account, endpoint, id, run, attempts }) => ({
    account,
    endpoint,
    event: id,
    run,
    attempt: attempts,
  }));
  return { refs, ...(LastEvaluatedKey ? { next: LastEvaluatedKey } : {}) };
};

export const openDeliveries = (db: Db): Deliveries => {
  /**
   * Changes the record if it waits for this attempt. Returns true if this call, or an earlier one
   * with the same token, made the change.
   */
  const updateCurrent = async (ref: AttemptRef, change: Change, token?: string): Promise<boolean> => {
    const input = { ...update(db.table, deliveryKey(ref), { ...change, where: isCurrent(ref) }), ...(token !== undefined && showOld) };
    const { done, item } = await sendAlone(db, new UpdateCommand(input));
    return done || (token !== undefined && item?.['ended_by'] === token);
  };

  const conclude = (ref: AttemptRef, outcome: AttemptOutcome, token?: string): Promise<boolean> =>
    updateCurrent(ref, outcomeChange(ref, outcome, token), token);

  const read = async (account: string, endpoint: string, event: string): Promise<Item | undefined> => {
    const item = await db.get(deliveryKey({ account, endpoint, event }));
    return item && !isExpired(item, db.clock.now()) ? item : undefined;
  };

  return {
    async get(account, endpoint, event) {
      const item = await read(account, endpoint, event);
      return item && decodeDelivery(item);
    },
    async inspect(account, endpoint, event) {
      const item = await read(account, endpoint, event);
      if (!item) return undefined;
      const record = decodeDelivery(item);
      return { record, attempts: decodeHistory(item, record.run), answer: decodeAnswer(item), body: decodeBody(item) };
    },
    ...openDeliveryLog(db),
    async create(record, body) {
      const { account, endpoint, id } = record;
      const key = deliveryKey({ account, endpoint, event: id });
      const Item = { ...key, view: viewOf(record), ...(body && { body }), expires_at: expiryOf(record) };
      const { done } = await sendAlone(db, new PutCommand({ TableName: db.table, Item, ...where(isAbsent) }));
      const item = done ? undefined : await db.get(key);
      return item ? decodeDelivery(item) : record;
    },
    finish: (ref, token, outcome) => conclude(ref, outcome, token),
    async rewriteBody(ref, body) {
      const change = { set: { body: deflateRawSync(body) }, where: expr`attribute_exists(body)` };
      await sendUpdate(db, update(db.table, deliveryKey(ref), change));
    },
    async forgetAnswers(ref) {
      await sendUpdate(db, update(db.table, deliveryKey(ref), { set: { [unanswerable]: null }, remove: ['answer'], where: exists }));
    },
    async abandon(ref, error, atMs) {
      const none = { statusCode: null, durationMs: 0, nextAtMs: null } as const;
      await conclude(ref, { status: 'failed', attempts: ref.attempt, error, atMs, ...none });
    },
    restartWrite: (record, dueMs) => restartWrite(db.table, record, dueMs),
    async restart(record, dueMs) {
      const { write, attempt } = restartWrite(db.table, record, dueMs);
      await commit(db, [write]);
      return attempt;
    },
    overdue: (...of) => overdue(db, ...of),
    findFrom: (ref, dueMs) =>
      updateCurrent(ref, {
        set: {
          ...dueEntry(dueMs, ref.endpoint, ref.event),
          ...statusEntry({ account: ref.account, endpoint: ref.endpoint, id: ref.event }, 'pending'),
        },
      }),
  };
};
