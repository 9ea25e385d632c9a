import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { ApiError } from '../core/errors.ts';
import type { DeliveryAttempt, DeliveryRecord, DeliveryStatus } from '../domain/webhook.ts';
import type { Db } from './client.ts';
import { decodeHistory, historyAttribute, historyEntry, keptRuns } from './delivery-history.ts';
import {
  deliveryKey,
  dueEntry,
  duePartition,
  duePosition,
  expiryOf,
  home,
  statusEntry,
  statusIndex,
  statusPartition,
} from './delivery-keys.ts';
import { isExpired } from './keys.ts';
import { type Page, type PageRequest, queryPage } from './page.ts';
import { dueIndex, indexKeys } from './schema.ts';
import { commit, type Item, type Write } from './write.ts';

/** Names one attempt: message, record and schedule carry it, so a duplicate or a stale one is told apart. */
export interface AttemptRef {
  readonly account: string;
  readonly endpoint: string;
  readonly event: string;
  readonly run: number;
  /** Failures before this attempt. */
  readonly attempt: number;
}

/** What an attempt left behind. */
export interface AttemptOutcome {
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly atMs: number;
  /** From the request to its outcome. */
  readonly durationMs: number;
  /** When the next attempt is due; null where there is none. */
  readonly nextAtMs: number | null;
}

/** Where a reading of the due index goes on. */
export type OverdueMark = Record<string, unknown>;

/** A record with the attempts of its last runs, for those who look after deliveries; the REST API shows none of them. */
export interface InspectedDelivery {
  readonly record: DeliveryRecord;
  /** Of the last five runs, oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
}

export interface Deliveries {
  get(account: string, endpoint: string, event: string): Promise<DeliveryRecord | undefined>;
  inspect(account: string, endpoint: string, event: string): Promise<InspectedDelivery | undefined>;
  /** Pending records of an endpoint, counted up to `most`. */
  countPending(account: string, endpoint: string, most: number): Promise<number>;
  /** Newest first, all or those of one status. */
  list(account: string, endpoint: string, status: DeliveryStatus | undefined, page: PageRequest): Promise<Page<DeliveryRecord>>;
  /** Makes the record unless it exists; the record that stands afterwards. */
  create(record: DeliveryRecord, dueMs: number): Promise<DeliveryRecord>;
  /** Leases the attempt; false where it is over, superseded or leased by another. */
  claim(ref: AttemptRef, token: string, untilMs: number): Promise<boolean>;
  /** Records the outcome of the attempt that `token` holds, once; false where the lease went to another. */
  finish(ref: AttemptRef, token: string, outcome: AttemptOutcome): Promise<boolean>;
  /** Ends a pending record without a request, as for a disabled endpoint, unless another than `token` holds its lease. */
  abandon(ref: AttemptRef, error: string, atMs: number, token?: string): Promise<void>;
  /**
   * Starts a new run of the ladder, attempts from 0; refuses with 409 where another run was started meanwhile. The attempts of the
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
  /** Moves what a sweep requeued out of the next sweeps' sight; false where it moved on meanwhile. */
  postpone(ref: AttemptRef, untilMs: number): Promise<boolean>;
}

export const decodeDelivery = (item: Item): DeliveryRecord => item['view'] as DeliveryRecord;

const isCurrent = '#view.#status = :pending AND #view.#run = :run AND #view.#attempts = :attempt';
const isFree = '(attribute_not_exists(lease_until_ms) OR lease_until_ms <= :now OR lease_token = :token)';
const currentNames = { '#view': 'view', '#status': 'status', '#run': 'run', '#attempts': 'attempts' };
const currentValues = (ref: AttemptRef): Item => ({ ':pending': 'pending', ':run': ref.run, ':attempt': ref.attempt });

export const openDeliveries = (db: Db): Deliveries => {
  const due = indexKeys(dueIndex);

  const updateIf = async (
    ref: AttemptRef,
    expression: string,
    condition: string,
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
          ConditionExpression: condition,
          ExpressionAttributeNames: { ...currentNames, ...names },
          ExpressionAttributeValues: { ...currentValues(ref), ...values },
          ReturnValuesOnConditionCheckFailure: token === undefined ? 'NONE' : 'ALL_OLD',
        }),
      );
      return true;
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return token !== undefined && error.Item?.['lease_token']?.S === token;
    }
  };

  /**
   * The end of an attempt: outcome, indexes and lease in one write. The token stays until the next attempt, so that an end whose
   * answer was lost is known for one's own when it is written again.
   */
  const conclude = (ref: AttemptRef, outcome: AttemptOutcome, condition: string, extra: Item, token?: string): Promise<boolean> => {
    const at = new Date(outcome.atMs).toISOString();
    const view: Item = {
      status: outcome.status,
      attempts: outcome.attempts,
      last_status_code: outcome.statusCode,
      last_error: outcome.error,
      next_retry_at: outcome.nextAtMs === null ? null : new Date(outcome.nextAtMs).toISOString(),
      ...(token === undefined ? {} : { last_attempt_at: at }),
      ...(outcome.status === 'delivered' ? { delivered_at: at } : {}),
      ...(outcome.status === 'failed' ? { failed_at: at } : {}),
    };
    const attributes: Item = {
      ...statusEntry({ account: ref.account, endpoint: ref.endpoint, id: ref.event }, outcome.status),
      ...(outcome.nextAtMs === null ? {} : dueEntry(outcome.nextAtMs, ref.endpoint, ref.event)),
    };
    const isAttempt = token !== undefined;
    const history = historyAttribute(ref.run);
    const sets = [
      ...Object.keys(view).map((name) => `#view.#${name} = :${name}`),
      ...Object.keys(attributes).map((name) => `#${name} = :${name}`),
      ...(isAttempt ? [`${history} = list_append(if_not_exists(${history}, :none), :entry)`] : []),
    ];
    const removes = [
      'lease_until_ms',
      ...(token === undefined ? ['lease_token'] : []),
      ...(outcome.nextAtMs === null ? [due.pk, due.sk] : []),
    ];
    const named = { ...view, ...attributes };
    return updateIf(
      ref,
      `SET ${sets.join(', ')} REMOVE ${removes.join(', ')}`,
      condition,
      Object.fromEntries(Object.keys(named).map((name) => [`#${name}`, name])),
      {
        ...Object.fromEntries(Object.entries(named).map(([name, value]) => [`:${name}`, value])),
        ...(isAttempt ? { ':none': [], ':entry': [historyEntry(ref.attempt, outcome)] } : {}),
        ...extra,
      },
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
      return { record, attempts: decodeHistory(item, record.run) };
    },
    async countPending(account, endpoint, most) {
      const { pk } = indexKeys(statusIndex);
      const { Count = 0 } = await db.client.send(
        new QueryCommand({
          TableName: db.table,
          IndexName: statusIndex,
          Select: 'COUNT',
          KeyConditionExpression: '#pk = :pk',
          ExpressionAttributeNames: { '#pk': pk },
          ExpressionAttributeValues: { ':pk': statusPartition(account, endpoint, 'pending') },
          Limit: most,
        }),
      );
      return Count;
    },
    async list(account, endpoint, status, page) {
      const { records, next } = await queryPage(
        db,
        {
          ...(status ? { index: statusIndex as 'gsi2' } : {}),
          partition: status ? statusPartition(account, endpoint, status) : home(account, endpoint),
          home: home(account, endpoint),
          isGone: (item) => isExpired(item, db.clock.now()),
        },
        page,
      );
      const kept = records.map(decodeDelivery).filter((record) => !isExpired({ expires_at: expiryOf(record) }, db.clock.now()));
      // What follows an expired record is older, so expired too: the list ends there.
      return { records: kept, ...(next && kept.length === records.length ? { next } : {}) };
    },
    async create(record, dueMs) {
      const { account, endpoint, id } = record;
      try {
        await db.client.send(
          new PutCommand({
            TableName: db.table,
            Item: {
              ...deliveryKey({ account, endpoint, event: id }),
              view: record,
              ...statusEntry(record, record.status),
              ...dueEntry(dueMs, endpoint, id),
              expires_at: expiryOf(record),
            },
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
    claim: (ref, token, untilMs) =>
      updateIf(
        ref,
        'SET lease_until_ms = :until, lease_token = :token',
        `${isCurrent} AND ${isFree}`,
        {},
        { ':until': untilMs, ':token': token, ':now': db.clock.now() },
      ),
    finish: (ref, token, outcome) => conclude(ref, outcome, `${isCurrent} AND lease_token = :token`, { ':token': token }, token),
    async abandon(ref, error, atMs, token = '') {
      const outcome: AttemptOutcome = {
        status: 'failed',
        attempts: ref.attempt,
        statusCode: null,
        error,
        atMs,
        durationMs: 0,
        nextAtMs: null,
      };
      await conclude(ref, outcome, `${isCurrent} AND ${isFree}`, { ':now': db.clock.now(), ':token': token });
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
        UpdateExpression: `SET ${Object.keys(attributes)
          .map((name) => `#${name} = :${name}`)
          .join(', ')} REMOVE ${['lease_until_ms', 'lease_token', ...dropped].join(', ')}`,
        ConditionExpression: '#view.#run = :old',
        ExpressionAttributeNames: { '#run': 'run', ...Object.fromEntries(Object.keys(attributes).map((name) => [`#${name}`, name])) },
        ExpressionAttributeValues: {
          ':old': record.run,
          ...Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`:${name}`, value])),
        },
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
    postpone: (ref, untilMs) =>
      updateIf(ref, `SET #due = :due`, isCurrent, { '#due': due.sk }, { ':due': duePosition(untilMs, ref.endpoint, ref.event) }),
  };
  return deliveries;
};
