import type { Route } from '../../core/routes.ts';
import type { BucketState } from '../../table/buckets.ts';
import { type Exchange, type Fact, type Middleware, requireFact } from '../facts.ts';
import { assertAllowed, type RateRule, rateRuleOf, rateRules } from '../rate-limits.ts';

/**
 * Rejects the request if its bucket is full. If this process admits it without the table's count,
 * the log line has DynamoDB's reason as `throttled`.
 */
const checkBucket = ({ logged }: Exchange, bucket: Fact<BucketState> | undefined, rule: RateRule): void => {
  const state = requireFact(bucket);
  assertAllowed(state, rule);
  if (state.throttledBy !== undefined) logged['throttled'] = state.throttledBy;
};

/** Limit of the client's address, on endpoints for publishable keys (§ Limits). */
export const addressLimit: Middleware = {
  before({ event }) {
    checkBucket(event, event.facts.addressBucket, rateRules.publicIp);
  },
};

/** Limit of the key. A success names it in `X-RateLimit-Limit`. */
export const keyLimit = (route: Route): Middleware => {
  const rule = rateRuleOf(route);
  return {
    before({ event }) {
      checkBucket(event, event.facts.keyBucket, rule);
    },
    after({ response }) {
      if (response) response.headers['X-RateLimit-Limit'] = String(rule.limit);
    },
  };
};
