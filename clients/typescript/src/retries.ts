import { ApiError, ConnectionError } from './errors.ts';

/**
 * When a call may be repeated: `freely` if a second run changes nothing more, `keyed` under its
 * Idempotency-Key (§ Limits), `never` if a second run would do it twice. The last is repeated only
 * after a 429, which comes before any work.
 */
export type Repeatable = 'freely' | 'keyed' | 'never';

const firstBackoffMs = 500;
const longestBackoffMs = 8000;

/**
 * 500 ms, doubled with each retry up to 8 s. Waits a random part between half and all of it, so
 * that clients spread out.
 */
const backoffMs = (retry: number, random: () => number): number =>
  Math.min(longestBackoffMs, firstBackoffMs * 2 ** retry) * (0.5 + random() / 2);

const isWorthRepeating = (failure: unknown, repeatable: Repeatable): boolean => {
  if (failure instanceof ConnectionError) return repeatable !== 'never';
  if (!(failure instanceof ApiError)) return false;
  if (failure.status === 429) return true;
  if (failure.code === 'request_in_flight') return repeatable === 'keyed';
  return failure.status >= 500 && repeatable !== 'never';
};

export interface RetryPolicy {
  /** Maximum retries after the first attempt. */
  readonly maxRetries: number;
  /** Maximum `Retry-After` to wait for. */
  readonly maxRetryAfterSeconds: number;
  /** Returns a number in [0, 1). */
  readonly random: () => number;
}

/**
 * Returns milliseconds until retry number `retry` (from 0), or undefined if the failure is final.
 */
export const retryDelayMs = (failure: unknown, repeatable: Repeatable, retry: number, policy: RetryPolicy): number | undefined => {
  if (!(retry < policy.maxRetries) || !isWorthRepeating(failure, repeatable)) return undefined;
  const retryAfterSeconds = failure instanceof ApiError ? failure.retryAfterSeconds : undefined;
  if (retryAfterSeconds === undefined) return backoffMs(retry, policy.random);
  return retryAfterSeconds <= policy.maxRetryAfterSeconds ? retryAfterSeconds * 1000 : undefined;
};
