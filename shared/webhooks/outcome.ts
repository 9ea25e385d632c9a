import type { Answer } from '../domain/webhook/record.ts';

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
  /** The response of a failed attempt. */
  readonly answer?: Answer;
}

/** Result of an attempt if the URL breaks the registration rules. No request is made. */
export const refusedUrl: AttemptResult = { success: false, statusCode: null, responseTimeMs: null, error: 'invalid_url' };

export const noResponse: AttemptResult = { success: false, statusCode: null, responseTimeMs: null, error: 'no_response' };

const errorOfStatus = (statusCode: number): AttemptError | null => {
  if (statusCode >= 200 && statusCode <= 299) return null;
  return statusCode >= 300 && statusCode <= 399 ? 'redirect_not_followed' : 'http_error';
};

/** Returns the result of a final response that arrived in time (§ Delivery semantics 3). */
export const answered = (statusCode: number, responseTimeMs: number): AttemptResult => {
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
