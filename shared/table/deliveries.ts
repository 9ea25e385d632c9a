import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { ApiError } from '../core/errors.ts';
import { isoFromMs } from '../core/time.ts';
import type { AttemptAnswer, DeliveryAttempt, DeliveryRecord } from '../domain/webhook/record.ts';
import type { Db, Item } from './client.ts';
import {
  type AttemptOutcome,
  type AttemptRef,
  decodeAnswer,
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
  nothingLeft,
  statusEntry,
  statusIndex,
  unanswerable,
} from './delivery-items.ts';
import { type DeliveryLog, openDeliveryLog } from './delivery-log.ts';
import { isExpired } from './keys.ts';
import { dueIndex, indexKeys } from './schema.ts';
import { commit, sendUpdate, type Write } from './write.ts';

/** Where a reading of the due index goes on. */
type OverdueMark = Record<string, unknown>;

/** A record with the attempts of its last runs, for those who look after deliveries; the REST API shows none of them. */
export interface InspectedDelivery {
  readonly record: DeliveryRecord;
  /** Of the last five runs, oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
  /** To the last attempt that failed; null where it had none, after a success, and where a person was erased of whom it may tell. */
  readonly answer: AttemptAnswer | null;
}

export interface Deliveries extends DeliveryLog {
  get(account: string, endpoint: string, event: string): Promise<DeliveryRecord | undefined>;
  inspect(account: string, endpoint: string, event: string): Promise<InspectedDelivery | undefined>;
  /**
   * Makes the record unless it exists, and returns the record that is stored afterwards. It is in no index: its message is what leads to
   * the first attempt (`findFrom` adds it to what the sweep finds).
   */
  create(record: DeliveryRecord): Promise<DeliveryRecord>;
  /**
   * Records the outcome of an attempt, once; false where it had ended before, or its run is over. `token` is the attempt's own: an end
   * that is written again because its answer was lost is known by it. What was answered takes the place of what was answered before.
   */
  finish(ref: AttemptRef, token: string, outcome: AttemptOutcome): Promise<boolean>;
  /** Forgets what was answered to the event, and keeps no such answer of it any more, whose attempts may be under way. */
  forgetAnswers(ref: Pick<AttemptRef, 'account' | 'endpoint' | 'event'>): Promise<void>;
  /** Ends a pending record without a request, as for a disabled endpoint. */
  abandon(ref: AttemptRef, error: string, atMs: number): Promise<void>;
  /**
   * Starts a new run of the retry schedule, attempts from 0; refuses with 409 where another run was started meanwhile. The attempts of the
   * last five runs stay.
   */
  restart(record: DeliveryRecord, dueMs: number): Promise<AttemptRef>;
  /** The same as a write among others, with the attempt that it makes due. */
  restartWrite(record: DeliveryRecord, dueMs: number): { readonly write: Write; readonly attempt: AttemptRef };
  /** Pending records of one shard that were due by then, earliest first. */
  overdue(
    shard: number,
    byMs: number,
    limit: number,
    after?: OverdueMark,
  ): Promise<{ readonly refs: readonly AttemptRef[]; readonly next?: OverdueMark }>;
  /** Lets the sweep find a pending attempt from that moment on, not before, and the log show it by its status; false if it moved on meanwhile. */
  findFrom(ref: AttemptRef, dueMs: number): Promise<boolean>;
}

const isCurrent = '#view.#status = :pending AND #view.#run = :run AND #view.#attempts = :attempt';
const currentNames = { '#view': 'view', '#status': 'status', '#run': 'run', '#attempts': 'attempts' };
const currentValues = (ref: AttemptRef): Item => ({ ':pending': 'pending', ':run': ref.run, ':attempt': ref.attempt });

const assignments = (members: Item): readonly string[] => Object.keys(members).map((name) => `#${name} = :${name}`);
const named = (members: Item): Record<string, string> => Object.fromEntries(Object.keys(members).map((name) => [`#${name}`, name]));
const valued = (members: Item): Item => Object.fromEntries(Object.entries(members).map(([name, value]) => [`:${name}`, value]));

export const openDeliveries = (db: Db): Deliveries => {
  const [due, byStatus] = [indexKeys(dueIndex), indexKeys(statusIndex)];

  /** Writes where the record waits for this attempt; true where it did, or did already under `token`. */
  const updateCurrent = async (
    ref: AttemptRef,
    expression: string,
    names: Record<string, string>,
    values: Item,
    token?: string,
  ): Promise<boolean> => {
    try {
      await db.client.send(
        new UpdateCommand({
          TableName: db.table,
          Key: deliveryKey(ref),
          UpdateExpression: expression,
          ConditionExpression: isCurrent,
          ExpressionAttributeNames: { ...currentNames, ...names },
          ExpressionAttributeValues: { ...currentValues(ref), ...values },
          ReturnValuesOnConditionCheckFailure: token === undefined ? 'NONE' : 'ALL_OLD',
        }),
      );
      return true;
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return token !== undefined && error.Item?.['ended_by']?.S === token;
    }
  };

  /** The end of an attempt, or without one where there is no token: outcome and indexes in one write. */
  const conclude = (ref: AttemptRef, outcome: AttemptOutcome, token?: string): Promise<boolean> => {
    const { status, nextAtMs } = outcome;
    const attempt = token === undefined ? undefined : { ended_by: token };
    const view = { ...endOf(outcome), ...(attempt ? { last_attempt_at: isoFromMs(outcome.atMs) } : {}) };
    const attributes = {
      ...(status === 'delivered' ? {} : statusEntry({ account: ref.account, endpoint: ref.endpoint, id: ref.event }, status)),
      ...(nextAtMs === null ? {} : dueEntry(nextAtMs, ref.endpoint, ref.event)),
      ...attempt,
    };
    const left = attempt ? leftBy(ref, outcome) : nothingLeft;
    const sets = [...Object.keys(view).map((name) => `#view.#${name} = :${name}`), ...assignments(attributes), ...left.sets];
    const removes = [
      ...(status === 'delivered' ? [byStatus.pk, byStatus.sk] : []),
      ...(nextAtMs === null ? [due.pk, due.sk] : []),
      ...left.removes,
    ];
    const members = { ...view, ...attributes };
    return updateCurrent(
      ref,
      [`SET ${sets.join(', ')}`, ...(removes.length > 0 ? [`REMOVE ${removes.join(', ')}`] : [])].join(' '),
      named(members),
      { ...valued(members), ...left.values },
      token,
    );
  };

  const read = async (account: string, endpoint: string, event: string): Promise<Item | undefined> => {
    const item = await db.get(deliveryKey({ account, endpoint, event }));
    return item && !isExpired(item, db.clock.now()) ? item : undefined;
  };

  const deliveries: Deliveries = {
    async get(account, endpoint, event) {
      const item = await read(account, endpoint, event);
      return item && decodeDelivery(item);
    },
    async inspect(account, endpoint, event) {
      const item = await read(account, endpoint, event);
      if (!item) return undefined;
      const record = decodeDelivery(item);
      return { record, attempts: decodeHistory(item, record.run), answer: decodeAnswer(item) };
    },
    ...openDeliveryLog(db),
    async create(record) {
      const { account, endpoint, id } = record;
      try {
        await db.client.send(
          new PutCommand({
            TableName: db.table,
            Item: { ...deliveryKey({ account, endpoint, event: id }), view: record, expires_at: expiryOf(record) },
            ConditionExpression: 'attribute_not_exists(pk)',
          }),
        );
        return record;
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        const item = await db.get(deliveryKey({ account, endpoint, event: id }));
        return item ? decodeDelivery(item) : record;
      }
    },
    finish: (ref, token, outcome) => conclude(ref, outcome, token),
    async forgetAnswers(ref) {
      await sendUpdate(db, {
        TableName: db.table,
        Key: deliveryKey(ref),
        UpdateExpression: `SET ${unanswerable} = :null REMOVE answer`,
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':null': null },
      });
    },
    async abandon(ref, error, atMs) {
      const none = { statusCode: null, durationMs: 0, nextAtMs: null } as const;
      await conclude(ref, { status: 'failed', attempts: ref.attempt, error, atMs, ...none });
    },
    restartWrite(record, dueMs) {
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
      const attributes = { view: fresh, ...statusEntry(record, 'pending'), ...dueEntry(dueMs, record.endpoint, record.id) };
      const update = {
        TableName: db.table,
        Key: deliveryKey({ account: record.account, endpoint: record.endpoint, event: record.id }),
        UpdateExpression: `SET ${assignments(attributes).join(', ')} REMOVE ${['ended_by', ...dropped].join(', ')}`,
        ConditionExpression: '#view.#run = :old',
        ExpressionAttributeNames: { '#run': 'run', ...named(attributes) },
        ExpressionAttributeValues: { ':old': record.run, ...valued(attributes) },
      };
      return {
        write: { item: { Update: update }, refuse: () => new ApiError('conflict', 'This delivery was started again at the same time.') },
        attempt: { account: record.account, endpoint: record.endpoint, event: record.id, run, attempt: 0 },
      };
    },
    async restart(record, dueMs) {
      const { write, attempt } = deliveries.restartWrite(record, dueMs);
      await commit(db, [write]);
      return attempt;
    },
    async overdue(shard, byMs, limit, after) {
      const { Items = [], LastEvaluatedKey } = await db.client.send(
        new QueryCommand({
          TableName: db.table,
          IndexName: dueIndex,
          KeyConditionExpression: '#pk = :pk AND #sk <= :by',
          ExpressionAttributeNames: { '#pk': due.pk, '#sk': due.sk },
          ExpressionAttributeValues: { ':pk': duePartition(shard), ':by': new Date(byMs).toISOString() },
          Limit: limit,
          ...(after ? { ExclusiveStartKey: after } : {}),
        }),
      );
      const refs = Items.map(decodeDelivery).map(({ account, endpoint, id, run, attempts }) => ({
        account,
        endpoint,
        event: id,
        run,
        attempt: attempts,
      }));
      return { refs, ...(LastEvaluatedKey ? { next: LastEvaluatedKey } : {}) };
    },
    findFrom(ref, dueMs) {
      const members = {
        ...dueEntry(dueMs, ref.endpoint, ref.event),
        ...statusEntry({ account: ref.account, endpoint: ref.endpoint, id: ref.event }, 'pending'),
      };
      return updateCurrent(ref, `SET ${assignments(members).join(', ')}`, named(members), valued(members));
    },
  };
  return deliveries;
};
