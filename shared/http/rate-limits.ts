import { FlatError } from '../core/errors.ts';
import type { BucketState } from '../table/buckets.ts';

/** Requests per fixed 60-second window (§ Limits). */
export const rateRules = {
  read: { name: 'api-read', limit: 300 },
  write: { name: 'api-write', limit: 100 },
  publicIp: { name: 'api-public-ip', limit: 120 },
} as const;

/** Besides the general limits, per account; its refusals name no rule. */
export const webhookTestRule = { name: 'webhook-test', limit: 10 } as const;

const retryAfterSeconds = 60;

/** Why a bucket refused, for the log, where the limit was not reached: undefined of an ordinary refusal. */
export const whyRefused = ({ throttledBy }: BucketState): string | undefined =>
  throttledBy === undefined ? undefined : `bucket throttled: ${throttledBy}`;

/** Throws the flat 429 with all its headers where the bucket is empty; whether it is full or throttled is told to the log only. */
export const assertAllowed = (state: BucketState, rule: { readonly name: string; readonly limit: number }): void => {
  if (state.allowed) return;
  throw new FlatError(
    429,
    { error: 'rate_limit_exceeded', message: `Too many requests. Retry in ${retryAfterSeconds} seconds.`, retryAfter: retryAfterSeconds },
    {
      'Retry-After': String(retryAfterSeconds),
      'X-RateLimit-Limit': String(rule.limit),
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': String(state.resetAtSeconds),
      ...(rule === webhookTestRule ? {} : { 'X-RateLimit-Rule': rule.name }),
    },
    rule.name,
    whyRefused(state),
  );
};
