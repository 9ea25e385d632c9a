import type { ReceiverResponse } from '../domain/webhook/record.ts';
import type { DeliveryPolicy } from './policy.ts';

/**
 * Why an attempt failed. `no_response` covers timeouts and failures of DNS, connection and TLS (§
 * Webhooks, Test rules).
 */
type AttemptError = 'invalid_url' | 'redirect_not_followed' | 'http_error' | 'no_response';

/**
 * Result of an attempt. Without an HTTP response, status and time are null. The time is the number
 * of milliseconds until the final status line arrived.
 */
export interface AttemptResult {
  readonly success: boolean;
  readonly statusCode: number | null;
  readonly responseTimeMs: number | null;
  readonly error: AttemptError | null;
  /** The response of a failed attempt, or of a request that wants it. */
  readonly receiverResponse?: ReceiverResponse;
}

/** Result of an attempt if the URL breaks the registration rules. No request is made. */
export const invalidUrl: AttemptResult = { success: false, statusCode: null, responseTimeMs: null, error: 'invalid_url' };

export const noResponse: AttemptResult = { success: false, statusCode: null, responseTimeMs: null, error: 'no_response' };

const errorOfStatus = (statusCode: number): AttemptError | null => {
  if (statusCode >= 200 && statusCode <= 299) return null;
  return statusCode >= 300 && statusCode <= 399 ? 'redirect_not_followed' : 'http_error';
};

/** Returns the result of a final response that arrived in time (§ Delivery semantics 3). */
export const resultOfStatus = (statusCode: number, responseTimeMs: number): AttemptResult => {
  const error = errorOfStatus(statusCode);
  return { success: error === null, statusCode, responseTimeMs, error };
};

export type Outcome = 'success' | 'failure';

/**
 * Summary of a batch of outcomes. With it, one write per endpoint counts the outcomes and detects
 * 10 failures in a row.
 */
interface FoldedOutcomes {
  readonly successes: number;
  readonly failures: number;
  /**
   * Number of failures before the first success, or of all failures without a success. They
   * continue the stored count.
   */
  readonly leadingFailures: number;
  /**
   * Number of failures after the last success, or of all failures without a success. It becomes the
   * new count.
   */
  readonly trailingFailures: number;
  /**
   * Longest run of failures after the first success, 0 without a success. It does not depend on the
   * stored count.
   */
  readonly longestRunAfterFirstSuccess: number;
}

/** Summarizes outcomes, given in the order in which they happened. */
export const foldOutcomes = (outcomes: readonly Outcome[]): FoldedOutcomes => {
  let successes = 0;
  let leadingFailures = 0;
  let run = 0;
  let longestRunAfterFirstSuccess = 0;
  for (const outcome of outcomes) {
    if (outcome === 'success') {
      successes += 1;
      run = 0;
      continue;
    }
    run += 1;
    if (successes === 0) leadingFailures = run;
    else longestRunAfterFirstSuccess = Math.max(longestRunAfterFirstSuccess, run);
  }
  return { successes, failures: outcomes.length - successes, leadingFailures, trailingFailures: run, longestRunAfterFirstSuccess };
};

/** Attempts of one run of a delivery (§ Delivery semantics 1). */
export const maxAttempts = 5;

/**
 * How a wait is made: `queue` is an SQS delay (at most 15 minutes), `schedule` is a one-time
 * schedule.
 */
type RetryChannel = 'queue' | 'schedule';

export interface NextAttempt {
  readonly atMs: number;
  readonly channel: RetryChannel;
}

const minuteMs = 60_000;

/** The wait after the first, second, third and fourth failure. */
const waits: readonly { readonly delayMs: number; readonly channel: RetryChannel }[] = [
  { delayMs: 5 * minuteMs, channel: 'queue' },
  { delayMs: 30 * minuteMs, channel: 'schedule' },
  { delayMs: 120 * minuteMs, channel: 'schedule' },
  { delayMs: 1440 * minuteMs, channel: 'schedule' },
];

/**
 * Returns when and how the attempt after this number of failures is made; undefined if no attempt
 * is left.
 */
export const nextAttempt = (failures: number, failedAtMs: number, policy: DeliveryPolicy): NextAttempt | undefined => {
  const wait = waits[failures - 1];
  if (!wait) return undefined;
  // Delays are minimums, so they are rounded up.
  return { atMs: failedAtMs + Math.ceil(wait.delayMs / policy.timeScale), channel: wait.channel };
};
