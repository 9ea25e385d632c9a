import type middy from '@middy/core';
import { assertUsable, type KeyOwner, type KeyOwners, presentedKey, requireAccount } from '../auth/authenticate.ts';
import type { Route } from '../core/routes.ts';
import type { Account, ApiKey } from '../domain/account/record.ts';
import type { Operation } from '../operations/operation.ts';
import type { BucketState } from '../table/buckets.ts';
import type { IdempotencyRecord, IdempotentRequest } from '../table/idempotency.ts';
import { callerAddress } from './caller-address.ts';
import type { ApiServices, Call, Received } from './exchange.ts';
import { rateRules, ruleOf } from './rate-limits.ts';
import { type Caller, idempotencyKey, idempotentRequest, type ParsedRequest, parseRequest } from './request.ts';
import type { Response } from './responses.ts';

/**
 * Facts about one request, for its checks and its operation. A fact is found at its first
 * call; later calls return the same value or the same error. A fact that fails rejects with the
 * error of the request.
 */
export interface Facts {
  /** State of the address's bucket. The first call counts the request in it. */
  readonly addressBucket: () => Promise<BucketState>;
  /** Owner of the presented key, if this function has seen the key before. Reads nothing. */
  readonly knownOwner: () => Promise<KeyOwner | undefined>;
  /** The stored key, if it may be used. */
  readonly storedKey: () => Promise<ApiKey>;
  /** For a known key, this is found without a read; `storedKey` then checks it. */
  readonly caller: () => Promise<Caller>;
  /** State of the key's bucket. The first call counts the request in it. */
  readonly keyBucket: () => Promise<BucketState>;
  readonly account: () => Promise<Account>;
  readonly parsed: () => Promise<ParsedRequest>;
  /** The request that the Idempotency-Key identifies; undefined without a key. */
  readonly idempotent: () => Promise<IdempotentRequest | undefined>;
  /** The response that is stored for the Idempotency-Key. */
  readonly storedResponse: () => Promise<IdempotencyRecord | undefined>;
  /** Result of the operation's read. */
  readonly data: () => Promise<unknown>;
  /** Resolves as soon as no fact is being found. */
  readonly settled: () => Promise<void>;
}

/** A request to a route: what the middlewares of the route's chain read. */
export interface Exchange extends Received {
  readonly facts: Facts;
}

/**
 * A hook throws to reject the request, and returns nothing: Middy would send a returned value as
 * the response and skip the rest of the chain. An `after` never throws, because the operation is
 * committed.
 */
type Hook<Event> = (request: middy.Request<Event, Response>) => undefined | Promise<undefined>;

/** One step of a chain. */
export interface Middleware<Event extends Received = Exchange> {
  readonly before?: Hook<Event>;
  readonly after?: Hook<Event>;
  readonly onError?: Hook<Event>;
}

/**
 * Returns `once`, which runs a function at its first call only, and `settled`, which waits until
 * none of these functions runs.
 */
const createRuns = () => {
  const open = new Set<Promise<unknown>>();
  const once = <Value>(find: () => Value | Promise<Value>): (() => Promise<Value>) => {
    let found: Promise<Value> | undefined;
    return () => {
      if (found) return found;
      found = (async () => find())();
      // The check that waits for the fact gets its error. If no check waits, the error is dropped.
      const close = () => open.delete(closed);
      const closed: Promise<unknown> = found.then(close, close);
      open.add(closed);
      return found;
    };
  };
  const settled = async (): Promise<void> => {
    // A fact may ask for others while it is being found.
    while (open.size > 0) await Promise.all(open);
  };
  return { once, settled };
};

interface FactsInput {
  readonly received: Received;
  readonly route: Route;
  readonly operation: Operation<Call>;
  /** Owners of the keys that this function has seen. */
  readonly owners: KeyOwners;
}

export const createFacts = ({ region, store, random }: ApiServices, { received, route, operation, owners }: FactsInput): Facts => {
  const { once, settled } = createRuns();
  const rule = ruleOf(route);
  const { headers, nowMs } = received;
  const { authorization, host } = headers;
  const presented = once(() => presentedKey({ authorization, host, region }));
  const knownOwner = once(async () => owners.find((await presented()).hash));
  const storedKey = once(async () => {
    const known = await presented();
    const key = assertUsable(await store.apiKeys.findByHash(known.hash), known, nowMs);
    owners.remember(known.hash, { id: key.id, account: key.account });
    return key;
  });
  let identified: Caller | undefined;
  const caller = once(async () => {
    const owner = await knownOwner();
    identified = owner ? { ...owner, type: (await presented()).type } : await storedKey();
    return identified;
  });
  const parsed = once(async () => parseRequest(received, route, await caller()));
  const idempotent = once(async () => idempotentRequest(idempotencyKey(received, route), await parsed(), random));
  return {
    settled,
    knownOwner,
    storedKey,
    caller,
    parsed,
    idempotent,
    addressBucket: once(() => store.buckets.take(rateRules.publicIp.name, callerAddress(received), rateRules.publicIp.limit)),
    // Counted in the same tick if the caller is identified: `mayRefuse` sees the request at once.
    keyBucket: once(async () => store.buckets.take(rule.name, (identified ?? (await caller())).id, rule.limit)),
    account: once(async () => requireAccount(await store.accounts.get((await caller()).account))),
    storedResponse: once(async () => {
      const request = await idempotent();
      return request && store.idempotency.find((await caller()).account, request);
    }),
    data: once(async () => {
      await idempotent(); // a request with an invalid Idempotency-Key reads nothing
      return operation.read?.((await parsed()).call);
    }),
  };
};
