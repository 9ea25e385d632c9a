import { createHash } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { ApiError, notFound } from '../core/errors.ts';
import { parse } from '../core/fields.ts';
import { sentIdPattern } from '../core/ids.ts';
import { type Random, randomText } from '../core/random.ts';
import type { Route } from '../core/routes.ts';
import type { ApiKey } from '../domain/account/api-key.ts';
import type { IdempotentRequest } from '../table/idempotency.ts';
import { canonicalJson, parseBody } from './body.ts';
import type { Call, Received } from './exchange.ts';

/** The caller: what the presented key says of itself, and the key's owner. */
export type Caller = Pick<ApiKey, 'id' | 'type' | 'account'>;

/** A request as its operation receives it, and the JSON value of its body as sent. */
export interface ParsedRequest {
  readonly call: Call;
  readonly sent: unknown;
}

/**
 * Returns the Idempotency-Key if the route accepts one (§ Limits, Idempotency rules 6). Throws
 * `invalid_idempotency_key`.
 */
export const idempotencyKey = (event: APIGatewayProxyEventV2, route: Route): string | undefined => {
  const key = route.idempotent && event.headers['idempotency-key'];
  if (typeof key !== 'string') return undefined;
  if (!sentIdPattern.test(key)) {
    throw new ApiError('invalid_idempotency_key', 'Idempotency-Key must be 1 to 255 letters, digits, "_", "-", ":" or ".".');
  }
  return key;
};

/**
 * If a parameter is repeated, its first value counts. The gateway's own map joins the values, so
 * this function reads the raw query string.
 */
const queryOf = (event: APIGatewayProxyEventV2): Record<string, string> => {
  const query: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(event.rawQueryString)) {
    if (!Object.hasOwn(query, name)) Object.defineProperty(query, name, { value, enumerable: true });
  }
  return query;
};

/** If the route documents no body, a POST may omit it. */
const bodyOf = ({ body, isBase64Encoded }: APIGatewayProxyEventV2, { body: schema, method }: Route): unknown =>
  schema || (method === 'POST' && body) ? parseBody(body, isBase64Encoded) : undefined;

/** The gateway sets the scheme header itself, whatever the client sent. */
const originOf = ({ headers }: APIGatewayProxyEventV2): string => `${headers['x-forwarded-proto'] ?? 'https'}://${headers['host'] ?? ''}`;

/** Parses body, query and path, in this order. Throws for the first invalid part. */
export const parseRequest = (received: Received, route: Route, { id: keyId, type, account }: Caller): ParsedRequest => {
  const sent = bodyOf(received, route);
  const body = route.body ? parse(route.body, sent) : undefined;
  const query = route.query ? parse(route.query, queryOf(received)) : {};
  const id = received.pathParameters?.['id'] ?? '';
  if (route.path.includes('{id}') && !sentIdPattern.test(id)) throw notFound('Resource');
  const call = {
    account,
    key: { id: keyId, type },
    id,
    query,
    body,
    operation: route.operation,
    origin: originOf(received),
    nowMs: received.nowMs,
  };
  return { call, sent };
};

/**
 * Returns the request that an Idempotency-Key identifies; undefined without a key. Its body is
 * compared as the JSON value that was sent, unknown fields included.
 */
export const idempotentRequest = (
  key: string | undefined,
  { call, sent }: ParsedRequest,
  random: Random,
): IdempotentRequest | undefined => {
  if (key === undefined) return undefined;
  const bodyHash = createHash('sha256').update(canonicalJson(sent)).digest('base64url');
  return { key, keyType: call.key.type, route: call.operation, bodyHash, token: randomText(random, 16) };
};
