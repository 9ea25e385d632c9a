import { createHash } from 'node:crypto';
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
import type { BucketState } from '../table/buckets.ts';
import type { IdempotentRequest, StoredAnswer, StoredResponse } from '../table/idempotency.ts';
import { canonicalJson, parseBody } from './body.ts';
import { type ApiEvent, type ApiServices, type Call, type Operations, routeOf, type Step } from './exchange.ts';
import { assertAllowed, rateRules } from './rate-limits.ts';

/** The header's value where the route honours it (§ Limits, Idempotency rules 6). Throws `invalid_idempotency_key`. */
const idempotencyKey = (event: ApiEvent, route: Route): string | undefined => {
  const key = route.idempotent && event.headers['idempotency-key'];
  if (typeof key !== 'string') return undefined;
  if (!sentIdPattern.test(key)) {
    throw new ApiError('invalid_idempotency_key', 'Idempotency-Key must be 1 to 255 letters, digits, "_", "-", ":" or ".".');
  }
  return key;
};

/** The request that a key names: its body counts as the JSON value that was sent, unknown members included. */
const idempotentRequest = (key: string, keyType: KeyType, { operation }: Route, body: unknown, random: Random): IdempotentRequest => ({
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

/** Of a repeated parameter the first value counts; the gateway's own map joins them, so the raw string is read. */
const queryOf = (event: ApiEvent): Record<string, string> => {
  const query: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(event.rawQueryString)) {
    if (!Object.hasOwn(query, name)) Object.defineProperty(query, name, { value, enumerable: true });
  }
  return query;
};

const bodyOf = (event: ApiEvent, route: Route): unknown => {
  if (route.body) return parseBody(event.body, event.isBase64Encoded);
  // A POST without a documented body takes an absent one.
  if (route.method === 'POST' && event.body) return parseBody(event.body, event.isBase64Encoded);
  return undefined;
};

/** The gateway sets the scheme header itself, whatever the client sent. */
const originOf = ({ headers }: ApiEvent): string => `${headers['x-forwarded-proto'] ?? 'https'}://${headers['host'] ?? ''}`;

/** Who asks, as far as it is known without a look at the table. */
type Caller = PresentedKey & KeyOwner;

interface Inspected {
  readonly call: Call;
  /** Undefined without an Idempotency-Key. */
  readonly request: IdempotentRequest | undefined;
}

/** Everything that needs no store, in the order of answers: key type, Idempotency-Key, body, query, path. */
const inspect = (event: ApiEvent, { id: keyId, type, account }: Caller, random: Random): Inspected => {
  const route = routeOf(event);
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
    call: { operation, account, key, id, query, body, origin: originOf(event), nowMs: event.exchange.startMs },
    request: idempotent === undefined ? undefined : idempotentRequest(idempotent, type, route, raw, random),
  };
};

/** Never rejects: what is judged in order is heard in order. */
const settle = async <Value>(work: () => Value | Promise<Value>): Promise<PromiseSettledResult<Value>> => {
  try {
    return { status: 'fulfilled', value: await work() };
  } catch (reason) {
    return { status: 'rejected', reason };
  }
};

const settled = <Value>(result: PromiseSettledResult<Value>): Value => {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
};

/**
 * The checks of decisions §2 from the address's bucket on. With a key that this function has met before everything travels together:
 * the key itself, the account, the stored answer and the operation's own reads share one call beside the buckets, and are judged in the
 * documented order. A key that is new here is asked for and judged before anything of its own is counted.
 */
export const admit = (operations: Operations, { region, store, random }: ApiServices): Step => {
  const owners = createKeyOwners();
  const { publicIp, read, write } = rateRules;

  const countAddress = async (address: string): Promise<void> =>
    assertAllowed(await store.buckets.take(publicIp.name, address, publicIp.limit), publicIp);

  /** Within this tick where the key is not new. */
  const identify = async ({ headers: { authorization, host }, exchange }: ApiEvent): Promise<Caller & { readonly isNew: boolean }> => {
    const presented = presentedKey({ authorization, host, region });
    const owner = owners.find(presented.hash);
    if (owner) return { ...presented, ...owner, isNew: false };
    const { id, account } = assertUsable(await store.apiKeys.findByHash(presented.hash), presented, exchange.startMs);
    owners.remember(presented.hash, { id, account });
    return { ...presented, id, account, isNew: true };
  };

  return {
    before: async ({ event }) => {
      const route = routeOf(event);
      const rule = route.method === 'GET' ? read : write;
      const { sourceIp } = event.requestContext.http;
      const isPublic = route.keys === 'any';
      const address = settle(() => (isPublic ? countAddress(sourceIp) : undefined));
      const identified = await settle(() => identify(event));
      const isKnown = identified.status === 'fulfilled' && !identified.value.isNew;
      // An address over its limit takes nothing from the bucket of a key that anybody can read: near the limit it is judged first.
      if (!isKnown || (isPublic && store.buckets.mayRefuse(publicIp.name, sourceIp, publicIp.limit))) settled(await address);
      const caller = settled(identified);

      const inspected = await settle(() => inspect(event, caller, random));
      const countKey = () => settle(() => store.buckets.take(rule.name, caller.id, rule.limit));
      const judgeKey = (found: PromiseSettledResult<ApiKey | undefined>, bucket: PromiseSettledResult<BucketState>): ApiKey => {
        const key = assertUsable(settled(found), caller, event.exchange.startMs);
        event.exchange.key = key;
        assertAllowed(settled(bucket), rule);
        return key;
      };
      // A request that its bucket may reject asks the bucket first: a rejection then costs the read of the key and no other.
      const early = store.buckets.mayRefuse(rule.name, caller.id, rule.limit) ? await countKey() : undefined;
      if (early?.status === 'fulfilled' && !early.value.allowed) {
        settled(await address);
        judgeKey(await settle(() => store.apiKeys.findByHash(caller.hash)), early);
      }
      const { call, request } = inspected.status === 'fulfilled' ? inspected.value : {};
      const [addressCounted, found, bucket, owner, stored, data] = await Promise.all([
        address,
        settle(() => store.apiKeys.findByHash(caller.hash)),
        early ?? countKey(),
        settle(() => store.accounts.get(caller.account)),
        settle(() => request && store.idempotency.find(caller.account, request)),
        settle(() => call && operations[call.operation]?.read?.(call)),
      ]);
      settled(addressCounted);
      const key = judgeKey(found, bucket);
      const account = assertAccount(settled(owner));
      assertKeyType(key, route);
      assertScope(key, route);
      const allowed = settled(inspected);
      const answered = settled(stored);
      event.exchange.admitted =
        answered && allowed.request
          ? { kind: 'replay', response: answerTo(answered, allowed.request) }
          : { kind: 'run', ...allowed, account, data: settled(data) };
    },
  };
};
