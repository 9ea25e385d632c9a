import { FlatError } from '../core/errors.ts';
import type { Route } from '../core/routes.ts';
import type { BucketState } from '../table/buckets.ts';

/** A limit of requests per window. */
export interface RateRule {
  readonly name: string;
  readonly limit: number;
}

/** Requests per fixed 60-second window (§ Limits). */
export const rateRules = {
  read: { name: 'api-read', limit: 300 },
  write: { name: 'api-write', limit: 100 },
  publicIp: { name: 'api-public-ip', limit: 120 },
} as const;

/** Returns the rule that limits a key's requests to the route. */
export const rateRuleOf = ({ method }: Pick<Route, 'method'>): typeof rateRules.read | typeof rateRules.write =>
  method === 'GET' ? rateRules.read : rateRules.write;

/**
 * Limit of webhook tests per account, in addition to the general limits. Its errors name no rule.
 */
export const webhookTestRule = { name: 'webhook-test', limit: 10 } as const;

const retryAfterSeconds = 60;

/** Returns for the log why a bucket rejected a request below its limit; undefined at the limit. */
export const throttleReason = ({ throttledBy }: BucketState): string | undefined =>
  throttledBy === undefined ? undefined : `bucket throttled: ${throttledBy}`;

/**
 * Throws the flat 429 error with its headers if the bucket is empty. Only the log says whether the
 * limit was reached or DynamoDB throttled the bucket.
 */
export const assertAllowed = (state: BucketState, rule: RateRule): void => {
  if (state.allowed) return;
  throw new FlatError(
    429,
    {
      error: 'rate_limit_exceeded',
      message: `Too many requests. Repeat the request in ${retryAfterSeconds} seconds.`,
      retryAfter: retryAfterSeconds,
    },
    {
      'Retry-After': String(retryAfterSeconds),
      'X-RateLimit-Limit': String(rule.limit),
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': String(state.resetAtSeconds),
      ...(rule === webhookTestRule ? {} : { 'X-RateLimit-Rule': rule.name }),
    },
    rule.name,
    throttleReason(state),
  );
};
