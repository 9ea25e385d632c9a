import { createHash } from 'node:crypto';
import { ApiError } from '../core/errors.ts';
import { type Random, randomText } from '../core/random.ts';
import type { Route } from '../core/routes.ts';
import type { KeyType } from '../domain/account/api-key.ts';
import type { IdempotentRequest, StoredAnswer, StoredResponse } from '../table/idempotency.ts';
import { canonicalJson } from './body.ts';
import type { ApiEvent } from './exchange.ts';

const keyPattern = /^[A-Za-z0-9_\-:.]{1,255}$/;

/** The header's value where the route honours it (§ Limits, Idempotency rules 6). Throws `invalid_idempotency_key`. */
export const idempotencyKey = (event: ApiEvent, route: Route): string | undefined => {
  const key = route.idempotent && event.headers['idempotency-key'];
  if (typeof key !== 'string') return undefined;
  if (!keyPattern.test(key)) {
    throw new ApiError('invalid_idempotency_key', 'Idempotency-Key must be 1 to 255 letters, digits, "_", "-", ":" or ".".');
  }
  return key;
};

/** The request that a key names: its body counts as the JSON value that was sent, unknown members included. */
export const idempotentRequest = (
  key: string,
  keyType: KeyType,
  { operation }: Route,
  body: unknown,
  random: Random,
): IdempotentRequest => ({
  key,
  keyType,
  route: operation,
  bodyHash: createHash('sha256').update(canonicalJson(body)).digest('base64url'),
  token: randomText(random, 16),
});

/** What a stored answer answers a request with its key. Throws `idempotency_key_reused` where it was another request's. */
export const answerTo = (stored: StoredAnswer, request: IdempotentRequest): StoredResponse => {
  if (stored.route !== request.route || stored.bodyHash !== request.bodyHash)
    throw new ApiError('idempotency_key_reused', 'This Idempotency-Key was used for another request.');
  return stored;
};
