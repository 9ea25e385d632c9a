import type middy from '@middy/core';
import type { Route } from '../../core/routes.ts';
import type { BucketState } from '../../table/buckets.ts';
import { callerAddress } from '../caller-address.ts';
import type { ApiServices } from '../exchange.ts';
import type { Exchange, Middleware } from '../facts.ts';
import { rateRules, ruleOf } from '../rate-limits.ts';
import type { Response } from '../responses.ts';

/** Whether a fact is found and passes. If it fails, the check that asks for it rejects the request. */
const holds = <Value>(fact: Promise<Value>, passes: (value: Value) => boolean): Promise<boolean> => fact.then(passes, () => false);
const allows = (bucket: Promise<BucketState>): Promise<boolean> => holds(bucket, ({ allowed }) => allowed);
const isFound = (fact: Promise<unknown>): Promise<boolean> => holds(fact, (value) => value !== undefined);

const settle = async ({ event: { facts } }: middy.Request<Exchange, Response>): Promise<undefined> => {
  await facts.settled();
};

/**
 * Asks for facts before the checks need them, so that a request with a known key takes one round
 * trip (docs/decisions/0022). It decides nothing: without it, every response is the same and only
 * slower. It stops early if a check is going to reject the request, because a rejected request must
 * cost no reads that it can do without. After the response it waits for every fact under way,
 * because Lambda freezes a function that has responded.
 */
export const prefetch = ({ store: { buckets } }: ApiServices, route: Route): Middleware => {
  const isPublic = route.keys === 'any';
  const rule = ruleOf(route);
  const { publicIp } = rateRules;
  return {
    async before({ event }) {
      const { facts } = event;
      const address = isPublic ? facts.addressBucket() : undefined;
      const isKnown = await isFound(facts.knownOwner());
      if (!isKnown) void isFound(facts.storedKey());
      // If the address is near its limit, it is checked first. Otherwise requests above that limit
      // could use up the rate limit of a publishable key, which everyone can read.
      const isAddressNear = address && buckets.mayRefuse(publicIp.name, callerAddress(event), publicIp.limit);
      if (address && (!isKnown || isAddressNear) && !(await allows(address))) return;
      // A key that is new to the function is checked before its bucket counts the request.
      if (!isKnown && !(await isFound(facts.storedKey()))) return;
      const { id, type } = await facts.caller();
      // If the key's bucket may reject the request, it is counted first.
      const isKeyNear = buckets.mayRefuse(rule.name, id, rule.limit);
      const bucket = facts.keyBucket();
      if (isKeyNear && !(await allows(bucket))) return;
      facts.storedKey();
      facts.account();
      if (!isPublic && type === 'publishable') return;
      facts.storedResponse();
      facts.data();
    },
    after: settle,
    onError: settle,
  };
};
