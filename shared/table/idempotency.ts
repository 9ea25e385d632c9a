import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { ApiError } from '../core/errors.ts';
import type { KeyType } from '../domain/account/api-key.ts';
import type { Db, Item } from './client.ts';
import { expr, update, where } from './expressions.ts';
import { isExpired, nowSeconds, partition, retentionSeconds } from './keys.ts';
import { sendUpdate, type Write } from './write.ts';

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
  /** Tells this request from its repetitions. */
  readonly token: string;
}

export interface StoredResponse {
  readonly status: number;
  readonly body: string;
}

/** A stored response, of a request or of a dashboard action. */
export interface StoredAnswer extends StoredResponse {
  /** Its sort key. */
  readonly sk: string;
  readonly token: string;
  readonly route: string;
  /** Undefined of an action, which keeps it under its token. */
  readonly bodyHash: string | undefined;
}

/**
 * absent ──storeWrite, in the commit──▶ stored ──24 h──▶ absent
 *
 * Nothing is locked. Of parallel requests with one key, the first commit wins; the condition of the
 * record rejects the others.
 */
export interface Idempotency {
  /**
   * Returns the stored response of the key, whichever request it belongs to; undefined without one.
   * Reads consistently.
   */
  find(account: string, request: IdempotentRequest): Promise<StoredAnswer | undefined>;
  /**
   * Stores the response together with its commit. Fails with `request_in_flight` if a response is
   * stored already; `find` returns it.
   */
  storeWrite(account: string, request: IdempotentRequest, response: StoredResponse): Write;
  /** Puts another body in the place of a stored response's: only for what has to be erased. */
  rewrite(account: string, stored: StoredAnswer, body: string): Promise<void>;
}

/**
 * A stored response is written by the KB, in a transaction at twice the price: up to this it fits
 * into one beside its keys as it is.
 */
const plainBytes = 600;

/** Returns the text as stored: deflated if that makes it shorter. */
export const packBody = (body: string): string | Uint8Array => {
  const size = Buffer.byteLength(body);
  if (size <= plainBytes) return body;
  const deflated = deflateRawSync(body);
  return deflated.length < size ? deflated : body;
};

export const unpackBody = (kept: unknown): string => (typeof kept === 'string' ? kept : inflateRawSync(kept as Uint8Array).toString());

/** An item as the response it stores. */
export const decodeAnswer = (item: Item): StoredAnswer => ({
  status: item['status'] as number,
  body: unpackBody(item['body']),
  sk: item['sk'] as string,
  token: item['token'] as string,
  route: item['route'] as string,
  bodyHash: item['body_hash'] as string | undefined,
});

const inFlight = (): ApiError => new ApiError('request_in_flight', 'A request with this Idempotency-Key is still being processed.');

export const openIdempotency = (db: Db): Idempotency => {
  const itemKey = (account: string, { keyType, key }: Pick<IdempotentRequest, 'keyType' | 'key'>) => ({
    pk: partition('idempotency', account),
    sk: `${keyType}#${key}`,
  });
  return {
    async find(account, request) {
      const item = await db.get(itemKey(account, request));
      return item && !isExpired(item, db.clock.now()) ? decodeAnswer(item) : undefined;
    },
    storeWrite(account, request, { status, body }) {
      const seconds = nowSeconds(db.clock.now());
      const { token, route, bodyHash } = request;
      return {
        item: {
          Put: {
            TableName: db.table,
            Item: {
              ...itemKey(account, request),
              token,
              route,
              body_hash: bodyHash,
              expires_at: seconds + retentionSeconds('idempotency'),
              status,
              body: packBody(body),
            },
            // Not even this request's own: a commit that landed must not be made again.
            ...where(expr`attribute_not_exists(pk) OR expires_at <= ${seconds}`),
          },
        },
        refuse: inFlight,
        contended: inFlight,
      };
    },
    async rewrite(account, { sk, token }, body) {
      // Another request may have stored a response of its own, or none is left.
      const change = { set: { body: packBody(body) }, where: expr`token = ${token}` };
      await sendUpdate(db, update(db.table, { pk: partition('idempotency', account), sk }, change));
    },
  };
};
