import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { ApiError } from '../core/errors.ts';
import type { Db, Item, ItemKey } from './client.ts';
import { expr, where } from './expressions.ts';
import { packBody, unpackBody } from './idempotency.ts';
import { isExpired, nowSeconds, partition, retentionSeconds } from './keys.ts';
import { ConditionFailed, commit, type Write } from './write.ts';

/**
 * Duration of a token's lock. The function `actions` runs for at most 60 s, so a lock never expires
 * during a call.
 */
export const actionLockMs = 65_000;

/** The call that a token belongs to. */
export interface TokenedCall {
  readonly token: string;
  readonly action: string;
  /** Digest of action, account and input. */
  readonly callHash: string;
}

/** State of a used token: its call is done, or it is still running. */
export type Standing = { readonly kind: 'done'; readonly result: unknown } | { readonly kind: 'in_flight' } | { readonly kind: 'reused' };

/**
 *   absent ──doneWrites (in the commit)──────────────────────────▶ done ──24 h──▶ absent
 *   absent ──take──▶ locked ──doneWrites with the holder─────────▶ done
 *                      └──release, or 65 s──▶ absent
 *
 * A token has two items. The first is found by the token alone and names its call, so one token is
 * one call in all accounts. The second is the response. It is stored in the owner's partition, so
 * that it is exported and erased with the owner's records.
 */
interface ActionTokens {
  /**
   * Returns the state of the call's token; undefined if the token is unknown. Reads consistently.
   */
  find(call: TokenedCall): Promise<Standing | undefined>;
  /**
   * Locks the token for work of more than one commit. Returns the state that prevents it; undefined
   * if the lock was taken.
   */
  take(call: TokenedCall, holder: string): Promise<Standing | undefined>;
  /**
   * Returns the writes that store the response. They fail if another call has used the token;
   * `find` then returns the state of that call.
   */
  doneWrites(call: TokenedCall, owner: string, result: unknown, holder?: string): readonly Write[];
  /**
   * Removes the token of a stored response, if the item is a response to an action. Other items
   * stay.
   */
  forget(answer: Item): Promise<void>;
  /** Unlocks a token. */
  release(call: TokenedCall, holder: string): Promise<void>;
}

const claimKey = ({ token }: Pick<TokenedCall, 'token'>) => ({ pk: partition('idempotency', 'token', token), sk: 'claim' });
const answerKey = (owner: string, token: string) => ({ pk: partition('idempotency', owner), sk: `action#${token}` });
const isHeldBy = (holder: string) => expr`holder = ${holder} AND state = ${'locked'}`;

/** Returns the write that stores a response in its owner's partition. */
const answerWrite = (table: string, owner: string, { token, action }: TokenedCall, result: unknown, expires_at: number): Write => ({
  item: {
    Put: {
      TableName: table,
      Item: { ...answerKey(owner, token), route: action, status: 200, body: packBody(JSON.stringify(result)), token, expires_at },
    },
  },
});

/** Commits a write. Returns false if the state of the token prevents it. */
const landed = async (db: Db, write: Write): Promise<boolean> => {
  try {
    await commit(db, [write]);
    return true;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    return false;
  }
};

export const openActionTokens = (db: Db): ActionTokens => {
  const expiry = () => nowSeconds(db.clock.now()) + retentionSeconds('idempotency');
  const claim = (call: TokenedCall, members: Item) => ({
    ...claimKey(call),
    action: call.action,
    call_hash: call.callHash,
    expires_at: expiry(),
    ...members,
  });
  const isFree = (ms = db.clock.now()) =>
    expr`attribute_not_exists(pk) OR expires_at <= ${nowSeconds(ms)} OR (state = ${'locked'} AND lock_until_ms <= ${ms})`;
  const get = async (key: ItemKey): Promise<Item | undefined> => {
    const item = await db.get(key);
    return item && !isExpired(item, db.clock.now()) ? item : undefined;
  };

  const find: ActionTokens['find'] = async (call) => {
    const found = await get(claimKey(call));
    const lapsed = found?.['state'] === 'locked' && (found['lock_until_ms'] as number) <= db.clock.now();
    if (!found || lapsed) return undefined;
    if (found['call_hash'] !== call.callHash) return { kind: 'reused' };
    if (found['state'] === 'locked') return { kind: 'in_flight' };
    const answer = await get(answerKey(String(found['owner']), call.token));
    // If the response was erased with its owner's records, there is no result.
    return answer && { kind: 'done', result: JSON.parse(unpackBody(answer['body'])) };
  };

  return {
    find,
    async take(call, holder) {
      const until = db.clock.now() + actionLockMs;
      const put: Write = {
        item: {
          Put: {
            TableName: db.table,
            Item: claim(call, { state: 'locked', holder, lock_until_ms: until }),
            // A call that is repeated after a lost response finds its own lock.
            ...where(expr`${isFree()} OR (${isHeldBy(holder)})`),
          },
        },
        repeatable: true,
      };
      if (await landed(db, put)) return undefined;
      // The other lock may have ended since. The caller then tries again.
      return (await find(call)) ?? { kind: 'in_flight' };
    },
    doneWrites: (call, owner, result, holder) => [
      {
        item: {
          Put: {
            TableName: db.table,
            Item: claim(call, { state: 'done', owner }),
            ...where(holder === undefined ? isFree() : isHeldBy(holder)),
          },
        },
        refuse: () => new ApiError('request_in_flight', 'A call with this token is still running. Repeat it later.'),
      },
      answerWrite(db.table, owner, call, result, expiry()),
    ],
    async forget({ sk, token }) {
      if (sk !== `action#${token}`) return;
      await db.client.send(new DeleteCommand({ TableName: db.table, Key: claimKey({ token: String(token) }) }));
    },
    async release(call, holder) {
      await landed(db, { item: { Delete: { TableName: db.table, Key: claimKey(call), ...where(isHeldBy(holder)) } }, repeatable: true });
    },
  };
};
