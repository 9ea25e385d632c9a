import { ApiError } from '../core/errors.ts';
import type { KeyType } from '../domain/account/record.ts';
import type { Db, Item } from './client.ts';
import { expr } from './expressions.ts';
import { expiryOf, nowSeconds, partition, readUnexpired } from './keys.ts';
import { type PackedBody, packBody, replaceBody, unpackBody } from './packed-body.ts';
import { isContended, putItem, type Write } from './write.ts';

/** A request with an Idempotency-Key. */
export interface IdempotentRequest {
  readonly key: string;
  /**
   * Type of the API key. Each type has its own Idempotency-Keys, so that a caller with the public
   * key can neither use nor replay those of the merchant.
   */
  readonly keyType: KeyType;
  /** The route's operation id. */
  readonly route: string;
  /** Digest of the body as a JSON value. */
  readonly bodyHash: string;
  /** Random text that distinguishes this request from its repetitions. */
  readonly token: string;
}

export interface StoredResponse {
  readonly status: number;
  readonly body: string;
}

/** A stored response to a request or to a dashboard action. */
export interface IdempotencyRecord extends StoredResponse {
  /** Sort key of the stored item. */
  readonly sk: string;
  readonly token: string;
  readonly route: string;
  /** Digest of the body. Undefined for an action: its token item stores the digest. */
  readonly bodyHash: string | undefined;
}

/** Returns the response that an item stores. */
export const decodeIdempotencyRecord = (item: Item): IdempotencyRecord => ({
  status: item['status'] as number,
  body: unpackBody(item['body']),
  sk: item['sk'] as string,
  token: item['token'] as string,
  route: item['route'] as string,
  bodyHash: item['body_hash'] as string | undefined,
});

const inFlight = (): ApiError =>
  new ApiError('request_in_flight', 'A request with this Idempotency-Key is still running. Repeat it to get its response.');

/**
 * absent ──storeWrite, in the commit──▶ stored ──24 h──▶ absent
 *
 * Nothing is locked. Of parallel requests with one key, the first commit wins; the condition of the
 * record rejects the others.
 */
export const openIdempotency = (db: Db) => {
  const itemKey = (account: string, { keyType, key }: IdempotentRequest) => ({
    pk: partition('idempotency', account),
    sk: `${keyType}#${key}`,
  });
  return {
    /**
     * Returns the stored response of the key, whichever request it belongs to; undefined without one.
     * Reads consistently.
     */
    async find(account: string, request: IdempotentRequest): Promise<IdempotencyRecord | undefined> {
      const item = await readUnexpired(db, itemKey(account, request));
      return item && decodeIdempotencyRecord(item);
    },
    /**
     * Stores the response together with its commit. Fails with `request_in_flight` if a response is
     * stored already; `find` returns it.
     */
    storeWrite(account: string, request: IdempotentRequest, { status, body }: StoredResponse): Write {
      const { token, route, bodyHash } = request;
      const expires_at = expiryOf('idempotency', db.clock.now());
      return putItem(
        db,
        { ...itemKey(account, request), token, route, body_hash: bodyHash, expires_at, status, body: packBody(body) },
        {
          // The condition also rejects this request's own response, because a commit that succeeded
          // must not be repeated.
          where: expr`attribute_not_exists(pk) OR expires_at <= ${nowSeconds(db.clock.now())}`,
          rejectWith: inFlight,
        },
      );
    },
    /**
     * Returns the error of a commit whose first write stores a response. If other requests with the key
     * kept conflicting, it is `request_in_flight`.
     */
    errorOf: (error: unknown): unknown => (isContended(error, 0) ? inFlight() : error),
    /** Replaces the body of a stored response (`replaceBody`), unless another request has stored its response since. */
    async rewrite(account: string, { sk, token }: IdempotencyRecord, before: PackedBody, after: string) {
      const stored = await replaceBody(db, { pk: partition('idempotency', account), sk }, before, packBody(after));
      return stored?.['token'] === token ? stored : undefined;
    },
  };
};

export type Idempotency = ReturnType<typeof openIdempotency>;
