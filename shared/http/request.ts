import { createHash } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { ApiError, invalidValue, notFound } from '../core/errors.ts';
import { parse } from '../core/fields.ts';
import { sentIdPattern } from '../core/ids.ts';
import { type Random, randomText } from '../core/random.ts';
import type { Route } from '../core/routes.ts';
import type { SchemaNode } from '../core/schema-node.ts';
import type { ApiKey } from '../domain/account/record.ts';
import type { IdempotentRequest } from '../table/idempotency.ts';
import type { Call, ReceivedRequest } from './exchange.ts';

/** The caller: what the presented key says of itself, and the key's owner. */
export type Caller = Pick<ApiKey, 'id' | 'type' | 'account'>;

/** A request as its operation receives it. */
export interface ParsedRequest {
  readonly call: Call;
  /** The request that the Idempotency-Key identifies; undefined without a key. */
  readonly idempotent: IdempotentRequest | undefined;
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
 * Rejects a parameter that is written as a list (`status[]=pending`), as some HTTP clients do. It
 * would otherwise be an unknown one, and the response would have every record (decisions §3). An
 * invalid `limit` never causes an error.
 */
const rejectBrackets = (names: Iterable<string>, known: object): void => {
  for (const name of names) {
    const field = /^([^[]+)\[/.exec(name.trim())?.[1] ?? '';
    if (field !== 'limit' && Object.hasOwn(known, field))
      throw invalidValue(field, `${field} must be sent without brackets: ${field}=… in place of ${name}=….`);
  }
};

/**
 * If a parameter is repeated, its first value counts. The gateway's own map joins the values, so
 * this function reads the raw query string.
 */
const queryOf = (event: APIGatewayProxyEventV2, { query }: Route): Record<string, string> => {
  const sent = new URLSearchParams(event.rawQueryString);
  rejectBrackets(sent.keys(), (query as SchemaNode | undefined)?.entries ?? {});
  return Object.fromEntries([...sent].reverse());
};

/** If the route documents no body, a POST may omit it. */
const bodyOf = ({ body, isBase64Encoded }: APIGatewayProxyEventV2, { body: schema, method }: Route): unknown =>
  schema || (method === 'POST' && body) ? parseBody(body, isBase64Encoded) : undefined;

/** The gateway sets the scheme header itself, whatever the client sent. */
export const originOf = ({ headers }: APIGatewayProxyEventV2): string =>
  `${headers['x-forwarded-proto'] ?? 'https'}://${headers['host'] ?? ''}`;

/**
 * Parses body, query, path and Idempotency-Key, in this order. Throws for the first invalid part.
 * `random` makes the token of an idempotent request.
 */
export const parseRequest = (
  received: ReceivedRequest,
  route: Route,
  { id: keyId, type, account }: Caller,
  random: Random,
): ParsedRequest => {
  const sent = bodyOf(received, route);
  const body = route.body ? parse(route.body, sent) : undefined;
  const query = route.query ? parse(route.query, queryOf(received, route)) : {};
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
  const key = idempotencyKey(received, route);
  if (key === undefined) return { call, idempotent: undefined };
  // Bodies are compared as the JSON values that were sent, unknown fields included.
  const bodyHash = createHash('sha256').update(canonicalJson(sent)).digest('base64url');
  return { call, idempotent: { key, keyType: type, route: route.operation, bodyHash, token: randomText(random, 16) } };
};

export const maxBodyBytes = 256 * 1024;
export const maxDepth = 20;

const invalidJson = (): ApiError => new ApiError('invalid_json', 'The body is not JSON. Send a JSON object.');

/**
 * Whether a value is nested deeper than `levels`. The walk stops at that depth, so that it cannot
 * overflow the stack.
 */
const isDeeperThan = (value: unknown, levels: number): boolean =>
  typeof value === 'object' && value !== null && (levels === 0 || Object.values(value).some((child) => isDeeperThan(child, levels - 1)));

/**
 * Returns the JSON object of a request body (decisions §3). Throws `invalid_json` if the body is
 * empty or not JSON, `invalid_value` if it is over 256 KiB, not an object or nested deeper than 20.
 */
const parseBody = (body: string | undefined, isBase64Encoded: boolean): Record<string, unknown> => {
  const bytes = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > maxBodyBytes) throw new ApiError('invalid_value', `The body must be at most ${maxBodyBytes} bytes.`);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw invalidJson();
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ApiError('invalid_value', 'The body must be a JSON object.');
  const deep = Object.entries(value).find(([, fieldValue]) => isDeeperThan(fieldValue, maxDepth - 1))?.[0];
  if (deep !== undefined) throw invalidValue(deep, `${deep} is nested deeper than ${maxDepth} levels.`);
  return value as Record<string, unknown>;
};

/**
 * Returns the same text for equal JSON values: fields are sorted, numbers written as parsed. JSON
 * parses 1e400 as Infinity, which JSON.stringify would write as null.
 */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${fields.map(([name, fieldValue]) => `${JSON.stringify(name)}:${canonicalJson(fieldValue)}`).join(',')}}`;
  }
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
};
