import { ApiError } from '../core/errors.ts';
import type { KeyType } from '../domain/api-key.ts';
import type { Db } from './client.ts';
import { nowSeconds, partition } from './keys.ts';
import { packBody, unpackBody } from './stored-body.ts';
import { ConditionFailed, commit, type Item, type Write } from './write.ts';

/** Longer than any API function runs (29 s), so a lock never lapses under a request that still works. */
export const lockMs = 35_000;
export const retentionSeconds = 24 * 3_600;

/** What one Idempotency-Key is for. */
export interface IdempotentRequest {
  readonly key: string;
  /** Of the API key that sent it. Each type has keys of its own, so that whoever reads the public one neither uses up nor is replayed the merchant's. */
  readonly keyType: KeyType;
  /** The route's operation id. */
  readonly route: string;
  /** Digest of the body as a JSON value. */
  readonly bodyHash: string;
}

export interface Lock extends IdempotentRequest {
  /** Names this holder: every later step is conditional on it. */
  readonly token: string;
}

export interface StoredResponse {
  readonly status: number;
  readonly body: string;
}

export type Acquired =
  | { readonly kind: 'acquired' }
  | ({ readonly kind: 'replay' } & StoredResponse)
  | { readonly kind: 'in_flight' }
  | { readonly kind: 'reused' };

/**
 *   absent ──acquire──▶ locked ──finish (in the commit)──▶ done ──24 h──▶ absent
 *                         └──release, or 35 s──▶ absent
 */
export interface Idempotency {
  acquire(account: string, lock: Lock): Promise<Acquired>;
  /** The write that stores the response; refuses where the lock is not ours any more. */
  finishWrite(account: string, lock: Lock, response: StoredResponse): Write;
  /** Gives the key back. Where the commit had landed after all, nothing is given back and its response is returned. */
  release(account: string, lock: Lock): Promise<StoredResponse | undefined>;
  /** Puts another body in the place of a stored response's: only for what has to be erased. */
  rewrite(account: string, done: StoredAnswer, body: string): Promise<void>;
}

/** A stored response as an account's holdings show it. */
export interface StoredAnswer extends StoredResponse {
  /** Its sort key. */
  readonly sk: string;
  readonly token: string;
  readonly route: string;
}

/** Undefined for a lock. */
export const decodeAnswer = (item: Item): StoredAnswer | undefined =>
  item['state'] === 'done'
    ? { ...responseOf(item), sk: item['sk'] as string, token: item['token'] as string, route: item['route'] as string }
    : undefined;

const held = '#token = :token AND #state = :locked';
const stillFree = 'attribute_not_exists(pk)';
const expired = 'expires_at <= :seconds';
const abandoned = '(#state = :locked AND lock_until_ms <= :ms)';

const responseOf = (done: Item): StoredResponse => ({ status: done['status'] as number, body: unpackBody(done['body']) });

const judge = (old: Item, lock: Lock): Acquired => {
  if (old['route'] !== lock.route || old['body_hash'] !== lock.bodyHash) return { kind: 'reused' };
  return old['state'] === 'done' ? { kind: 'replay', ...responseOf(old) } : { kind: 'in_flight' };
};

export const openIdempotency = (db: Db): Idempotency => {
  const itemKey = (account: string, lock: Lock) => ({ pk: partition('idempotency', account), sk: `${lock.keyType}#${lock.key}` });
  const item = (account: string, lock: Lock) => ({
    ...itemKey(account, lock),
    token: lock.token,
    route: lock.route,
    body_hash: lock.bodyHash,
    expires_at: nowSeconds(db.clock.now()) + retentionSeconds,
  });
  /** Writes, through the conflicts of a commit on the same key; the record that refused the write, undefined where none did. */
  const standingInTheWay = async (write: Write): Promise<Item | undefined> => {
    try {
      await commit(db, [write]);
      return undefined;
    } catch (error) {
      if (error instanceof ConditionFailed) return error.old;
      throw error;
    }
  };

  return {
    async acquire(account, lock) {
      const now = db.clock.now();
      const put: Write = {
        item: {
          Put: {
            TableName: db.table,
            Item: { ...item(account, lock), state: 'locked', lock_until_ms: now + lockMs },
            ConditionExpression: `${stillFree} OR ${expired} OR ${abandoned} OR #token = :token`,
            ExpressionAttributeNames: { '#state': 'state', '#token': 'token' },
            // `#token = :token` lets the SDK's own retry of a lost answer through.
            ExpressionAttributeValues: { ':seconds': nowSeconds(now), ':locked': 'locked', ':ms': now, ':token': lock.token },
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          },
        },
        repeatable: true,
      };
      const old = await standingInTheWay(put);
      return old ? judge(old, lock) : { kind: 'acquired' };
    },
    finishWrite: (account, lock, { status, body }) => ({
      item: {
        Put: {
          TableName: db.table,
          Item: { ...item(account, lock), state: 'done', status, body: packBody(body) },
          ConditionExpression: held,
          ExpressionAttributeNames: { '#token': 'token', '#state': 'state' },
          ExpressionAttributeValues: { ':token': lock.token, ':locked': 'locked' },
        },
      },
      refuse: () =>
        new ApiError('request_in_flight', 'Another request took over this idempotency key.', { internal: 'lock lost before the commit' }),
    }),
    async release(account, lock) {
      const old = await standingInTheWay({
        item: {
          Delete: {
            TableName: db.table,
            Key: itemKey(account, lock),
            ConditionExpression: held,
            ExpressionAttributeNames: { '#token': 'token', '#state': 'state' },
            ExpressionAttributeValues: { ':token': lock.token, ':locked': 'locked' },
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          },
        },
        repeatable: true,
      });
      return old?.['token'] === lock.token && old['state'] === 'done' ? responseOf(old) : undefined;
    },
    async rewrite(account, { sk, token }, body) {
      await standingInTheWay({
        item: {
          Update: {
            TableName: db.table,
            Key: { pk: partition('idempotency', account), sk },
            UpdateExpression: 'SET body = :body',
            // Another holder has stored an answer of its own, or none is left.
            ConditionExpression: '#token = :token',
            ExpressionAttributeNames: { '#token': 'token' },
            ExpressionAttributeValues: { ':token': token, ':body': packBody(body) },
          },
        },
      });
    },
  };
};
