import { ApiError } from '../core/errors.ts';
import type { Db, Item } from './client.ts';
import { expr } from './expressions.ts';
import { expiryOf, nowSeconds, partition, readUnexpired } from './keys.ts';
import { packBody, unpackBody } from './packed-body.ts';
import { deleteItem, putItem, sendAlone, type Write } from './write.ts';

/**
 * Duration of a token's lock. The function `actions` runs for at most 60 s, so a lock never expires
 * during a call.
 */
export const actionLockMs = 65_000;

/** Errors of a call with a used token. */
export const stillRunning = 'A call with this token is still running. Repeat it to get its response.';
export const tokenReused = 'This token was used for another call. Use a new token.';

/** The call that a token belongs to. */
export interface TokenedCall {
  readonly token: string;
  readonly action: string;
  /** Digest of action, account and input. */
  readonly callHash: string;
}

/** State of a used token: its call is done, or it is still running. */
export type TokenState = { readonly kind: 'done'; readonly result: unknown } | { readonly kind: 'in_flight' } | { readonly kind: 'reused' };

const claimKey = ({ token }: Pick<TokenedCall, 'token'>) => ({ pk: partition('idempotency', 'token', token), sk: 'claim' });
const responseKey = (owner: string, token: string) => ({ pk: partition('idempotency', owner), sk: `action#${token}` });
const isFree = (nowMs: number) =>
  expr`attribute_not_exists(pk) OR expires_at <= ${nowSeconds(nowMs)} OR (state = ${'locked'} AND lock_until_ms <= ${nowMs})`;
const isLockedBy = (holder: string) => expr`holder = ${holder} AND state = ${'locked'}`;

/**
 *   absent ──doneWrites (in the commit)──────────────────────────▶ done ──24 h──▶ absent
 *   absent ──take──▶ locked ──doneWrites with the holder─────────▶ done
 *                      └──release, or 65 s──▶ absent
 *
 * A token has two items. The first is found by the token alone and names its call, so one token is
 * one call in all accounts. The second is the response. It is stored in the owner's partition, so
 * that it is exported and erased with the owner's records.
 */
export const openActionTokens = (db: Db) => {
  const expires_at = () => expiryOf('idempotency', db.clock.now());
  const claim = (call: TokenedCall, attributes: Item) => ({
    ...claimKey(call),
    action: call.action,
    call_hash: call.callHash,
    expires_at: expires_at(),
    ...attributes,
  });
  /**
   * Returns the state of the call's token; undefined if the token is unknown. Reads consistently.
   */
  const find = async (call: TokenedCall): Promise<TokenState | undefined> => {
    const found = await readUnexpired(db, claimKey(call));
    const lapsed = found?.['state'] === 'locked' && (found['lock_until_ms'] as number) <= db.clock.now();
    if (!found || lapsed) return undefined;
    if (found['call_hash'] !== call.callHash) return { kind: 'reused' };
    if (found['state'] === 'locked') return { kind: 'in_flight' };
    const response = await readUnexpired(db, responseKey(String(found['owner']), call.token));
    // If the response was erased with its owner's records, there is no result.
    return response && { kind: 'done', result: JSON.parse(unpackBody(response['body'])) };
  };

  return {
    find,
    /**
     * Locks the token for work of more than one commit. Returns the state that prevents it; undefined
     * if the lock was taken.
     */
    async take(call: TokenedCall, holder: string): Promise<TokenState | undefined> {
      const nowMs = db.clock.now();
      const lock = claim(call, { state: 'locked', holder, lock_until_ms: nowMs + actionLockMs });
      // A call that is repeated after a lost response finds its own lock.
      const isTakeable = expr`${isFree(nowMs)} OR (${isLockedBy(holder)})`;
      const { done } = await sendAlone(db, putItem(db, lock, { where: isTakeable }));
      if (done) return undefined;
      // The other lock may have ended since. The caller then tries again.
      return (await find(call)) ?? { kind: 'in_flight' };
    },
    /**
     * Returns the writes that store the response, in its owner's partition. They fail if another
     * call has used the token; `find` then returns the state of that call.
     */
    doneWrites: (call: TokenedCall, owner: string, result: unknown, holder?: string): readonly Write[] => [
      putItem(db, claim(call, { state: 'done', owner }), {
        where: holder === undefined ? isFree(db.clock.now()) : isLockedBy(holder),
        rejectWith: () => new ApiError('request_in_flight', stillRunning),
      }),
      putItem(db, {
        ...responseKey(owner, call.token),
        route: call.action,
        status: 200,
        body: packBody(JSON.stringify(result)),
        token: call.token,
        expires_at: expires_at(),
      }),
    ],
    /**
     * Removes the token of a stored response, if the item is a response to an action. Other items
     * stay.
     */
    async forget({ sk, token }: Item) {
      if (sk === `action#${token}`) await sendAlone(db, deleteItem(db, claimKey({ token: String(token) })));
    },
    /** Unlocks a token. */
    async release(call: TokenedCall, holder: string) {
      await sendAlone(db, deleteItem(db, claimKey(call), { where: isLockedBy(holder) }));
    },
  };
};
