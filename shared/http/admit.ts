import { createHash } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import {
  assertAccount,
  assertKeyType,
  assertScope,
  assertUsable,
  createKeyOwners,
  type KeyOwner,
  type PresentedKey,
  presentedKey,
} from '../auth/authenticate.ts';
import { ApiError, notFound } from '../core/errors.ts';
import { parse } from '../core/fields.ts';
import { sentIdPattern } from '../core/ids.ts';
import { type Random, randomText } from '../core/random.ts';
import type { Route } from '../core/routes.ts';
import type { ApiKey, KeyType } from '../domain/account/api-key.ts';
import type { Account } from '../domain/account/record.ts';
import type { IdempotentRequest, StoredAnswer, StoredResponse } from '../table/idempotency.ts';
import { canonicalJson, parseBody } from './body.ts';
import type { ApiServices, Call, Operations } from './exchange.ts';
import { assertAllowed, rateRules } from './rate-limits.ts';

/** A request and the route that it matched. */
export interface Received {
  readonly event: APIGatewayProxyEventV2;
  readonly route: Route;
  readonly nowMs: number;
  /** Adds fields to the log line of the request. */
  readonly note: (fields: Readonly<Record<string, unknown>>) => void;
}

/**
 * Returns the Idempotency-Key if the route accepts one (§ Limits, Idempotency rules 6). Throws
 * `invalid_idempotency_key`.
 */
const idempotencyKey = (event: APIGatewayProxyEventV2, route: Route): string | undefined => {
  const key = route.idempotent && event.headers['idempotency-key'];
  if (typeof key !== 'string') return undefined;
  if (!sentIdPattern.test(key)) {
    throw new ApiError('invalid_idempotency_key', 'Idempotency-Key must be 1 to 255 letters, digits, "_", "-", ":" or ".".');
  }
  return key;
};

/**
 * Returns the request that an Idempotency-Key identifies. Its body is compared as the JSON value
 * that was sent, unknown fields included.
 */
const idempotentRequest = (key: string, keyType: KeyType, { operation }: Route, body: unknown, random: Random): IdempotentRequest => ({
  key,
  keyType,
  route: operation,
  bodyHash: createHash('sha256').update(canonicalJson(body)).digest('base64url'),
  token: randomText(random, 16),
});

/**
 * Returns the stored response for a request with its key. Throws `idempotency_key_reused` if the
 * key belongs to another request.
 */
export const answerTo = (stored: StoredAnswer, request: IdempotentRequest): StoredResponse => {
  if (stored.route !== request.route || stored.bodyHash !== request.bodyHash)
    throw new ApiError('idempotency_key_reused', 'This Idempotency-Key was used for another request.');
  return stored;
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

/** The caller: the parts of the key and owner that the function knows before it reads the table. */
type Caller = PresentedKey & KeyOwner;

interface Inspected {
  readonly call: Call;
  /** Undefined if the request has no Idempotency-Key. */
  readonly request: IdempotentRequest | undefined;
}

/**
 * Runs the checks that need no table, in the documented order: key type, Idempotency-Key, body,
 * query, path.
 */
const inspect = ({ event, route, nowMs }: Received, { id: keyId, type, account }: Caller, random: Random): Inspected => {
  assertKeyType({ type }, route);
  const idempotent = idempotencyKey(event, route);
  const raw = bodyOf(event, route);
  const body = route.body ? parse(route.body, raw) : undefined;
  const query = route.query ? parse(route.query, queryOf(event)) : {};
  const id = event.pathParameters?.['id'] ?? '';
  if (route.path.includes('{id}') && !sentIdPattern.test(id)) throw notFound('Resource');
  const { operation } = route;
  const key = { id: keyId, type };
  return {
    call: { operation, account, key, id, query, body, origin: originOf(event), nowMs },
    request: idempotent === undefined ? undefined : idempotentRequest(idempotent, type, route, raw, random),
  };
};

/**
 * Starts the work. If it throws at once, the returned promise rejects instead, so the error appears
 * only when it is awaited.
 */
const start = <Value>(work: () => Value | Promise<Value>): Promise<Value> => {
  const started = (async () => work())();
  started.catch(() => undefined);
  return started;
};

/** A request that passed every check. */
export interface Admitted extends Inspected {
  readonly key: ApiKey;
  readonly account: Account;
  /** The response to an earlier request with the same Idempotency-Key. */
  readonly answered: StoredResponse | undefined;
  /** Result of the operation's read; undefined if a stored response exists. */
  readonly data: unknown;
}

/**
 * Runs the checks of decisions §2, starting with the rate bucket of the address. If this function
 * has seen the key before, one call reads the key, the account, the stored response and the
 * operation's records. The buckets are counted at the same time. The results are then checked in
 * the documented order. If the key is new to this function, the key is read and checked first,
 * before its bucket counts the request.
 */
export const admission = (operations: Operations, { region, store, random }: ApiServices): ((received: Received) => Promise<Admitted>) => {
  const owners = createKeyOwners();
  const { publicIp, read, write } = rateRules;

  const countAddress = async (address: string): Promise<void> =>
    assertAllowed(await store.buckets.take(publicIp.name, address, publicIp.limit), publicIp);

  /** If the key is known, this resolves within the present tick. */
  const identify = async ({ event, nowMs }: Received): Promise<Caller & { readonly isNew: boolean }> => {
    const { authorization, host } = event.headers;
    const presented = presentedKey({ authorization, host, region });
    const owner = owners.find(presented.hash);
    if (owner) return { ...presented, ...owner, isNew: false };
    const { id, account } = assertUsable(await store.apiKeys.findByHash(presented.hash), presented, nowMs);
    owners.remember(presented.hash, { id, account });
    return { ...presented, id, account, isNew: true };
  };

  return async (received) => {
    const { event, route, nowMs, note } = received;
    const rule = route.method === 'GET' ? read : write;
    const { sourceIp } = event.requestContext.http;
    const isPublic = route.keys === 'any';
    const address = start(() => (isPublic ? countAddress(sourceIp) : undefined));
    const identified = start(() => identify(received));
    const isKnown = (await identified.catch(() => undefined))?.isNew === false;
    // If the address is near its limit, it is checked first. Otherwise requests above that limit
    // could use up the rate limit of a publishable key, which everyone can read.
    if (!isKnown || (isPublic && store.buckets.mayRefuse(publicIp.name, sourceIp, publicIp.limit))) await address;
    const caller = await identified;

    const inspected = start(() => inspect(received, caller, random));
    // If the key's bucket may reject the request, it is counted first. A rejected request then
    // costs no read except the read of the key.
    const isNearLimit = store.buckets.mayRefuse(rule.name, caller.id, rule.limit);
    const bucket = start(() => store.buckets.take(rule.name, caller.id, rule.limit));
    const isOver = isNearLimit && (await bucket.catch(() => undefined))?.allowed === false;
    if (isOver) await address;
    const found = start(() => store.apiKeys.findByHash(caller.hash));
    const unlessOver = <Value>(read: () => Value | Promise<Value>) => start(() => (isOver ? undefined : read()));
    const owner = unlessOver(() => store.accounts.get(caller.account));
    const stored = unlessOver(async () => {
      const { request } = await inspected;
      return request && store.idempotency.find(caller.account, request);
    });
    const data = unlessOver(async () => {
      const { call } = await inspected;
      return operations[call.operation]?.read?.(call);
    });
    await Promise.allSettled([address, found, bucket, owner, stored, data]);

    await address;
    const key = assertUsable(await found, caller, nowMs);
    note({ account: key.account, key: key.id });
    assertAllowed(await bucket, rule);
    const account = assertAccount(await owner);
    assertKeyType(key, route);
    assertScope(key, route);
    const { call, request } = await inspected;
    const kept = await stored;
    const answered = kept && request && answerTo(kept, request);
    return { key, call, request, account, answered, data: answered ? undefined : await data };
  };
};
