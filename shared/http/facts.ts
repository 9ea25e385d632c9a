import type middy from '@middy/core';
import type { Account, ApiKey } from '../domain/account/record.ts';
import type { BucketState } from '../table/buckets.ts';
import type { IdempotencyRecord } from '../table/idempotency.ts';
import type { ReceivedRequest } from './exchange.ts';
import type { ParsedRequest } from './request.ts';
import type { Response } from './responses.ts';

/** Facts of a request, which `load.ts` reads before the checks. */
interface FactValues {
  /** On endpoints for publishable keys: the bucket of the address, which has counted the request. */
  addressBucket: BucketState;
  /** The stored key. It may be used. */
  key: ApiKey;
  /** The bucket of the key, which has counted the request. */
  keyBucket: BucketState;
  account: Account;
  parsed: ParsedRequest;
  /** The response that is stored for the Idempotency-Key. */
  storedResponse: IdempotencyRecord | undefined;
  /** Result of the operation's read. */
  data: unknown;
}

/** A value, or the error with which the check that takes the value rejects the request. */
export type Fact<Value> = PromiseSettledResult<Value>;

/** The facts of a request, as data. A fact is absent if an earlier check rejects the request. */
export type Facts = { readonly [Name in keyof FactValues]?: Fact<FactValues[Name]> | undefined };

/** Facts of which some are still being read. */
export type PendingFacts = { readonly [Name in keyof Facts]: Facts[Name] | Promise<Facts[Name]> };

/** Returns a fact: the value, or the error that was thrown. Never rejects. */
export const factOf = async <Value>(find: () => Value | Promise<Value>): Promise<Fact<Value>> => {
  const [fact] = await Promise.allSettled([(async () => find())()]);
  return fact;
};

/** Waits for all facts. */
export const awaitFacts = async (pending: PendingFacts): Promise<Facts> =>
  Object.fromEntries(await Promise.all(Object.entries(pending).map(async ([name, fact]) => [name, await fact])));

/** Returns a fact's value. Throws its error. */
export const requireFact = <Value>(fact: Fact<Value> | undefined): Value => {
  if (fact?.status === 'fulfilled') return fact.value;
  throw fact ? fact.reason : new Error('A check takes a fact that was not read, because an earlier check should have rejected.');
};

/** A request to a route: what the middlewares of the route's chain read. */
export interface Exchange extends ReceivedRequest {
  /** Empty until the step `loadFacts` has run. */
  facts: Facts;
}

/**
 * A hook throws to reject the request, and returns nothing: Middy would send a returned value as
 * the response and skip the rest of the chain. An `after` never throws, because the operation is
 * committed.
 */
type Hook<Event> = (request: middy.Request<Event, Response>) => undefined | Promise<undefined>;

/** One step of a chain. */
export interface Middleware<Event extends ReceivedRequest = Exchange> {
  readonly before?: Hook<Event>;
  readonly after?: Hook<Event>;
  readonly onError?: Hook<Event>;
}
