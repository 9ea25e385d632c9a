import type { Answer } from '../domain/webhook/record.ts';

/** `no_response` covers timeout, DNS, refused, reset and TLS failures (§ Webhooks, Test rules). */
type AttemptError = 'invalid_url' | 'redirect_not_followed' | 'http_error' | 'no_response';

/**
 * Result of an attempt. Status and time (milliseconds until the status line and headers) are null
 * without an HTTP response.
 */
export interface AttemptResult {
  readonly success: boolean;
  readonly statusCode: number | null;
  readonly responseTimeMs: number | null;
  readonly error: AttemptError | null;
  /** The response of a failed attempt. */
  readonly answer?: Answer;
}

/** The URL fails the registration rules: no request was made. */
export const refusedUrl: AttemptResult = { success: false, statusCode: null, responseTimeMs: null, error: 'invalid_url' };

export const noResponse: AttemptResult = { success: false, statusCode: null, responseTimeMs: null, error: 'no_response' };

const errorOfStatus = (statusCode: number): AttemptError | null => {
  if (statusCode >= 200 && statusCode <= 299) return null;
  return statusCode >= 300 && statusCode <= 399 ? 'redirect_not_followed' : 'http_error';
};

/** The result of a final response that arrived in time (§ Delivery semantics 3). */
export const answered = (statusCode: number, responseTimeMs: number): AttemptResult => {
  const error = errorOfStatus(statusCode);
  return { success: error === null, statusCode, responseTimeMs, error };
};

export type Outcome = 'success' | 'failure';

/**
 * A batch of outcomes, folded so that one write per endpoint counts them and finds 10 failures in a
 * row.
 */
interface FoldedOutcomes {
  readonly successes: number;
  readonly failures: number;
  /** Failures before the first success, or all if none succeeded. They continue the stored run. */
  readonly leadingFailures: number;
  /** Failures after the last success, or all if none succeeded. They are the count afterwards. */
  readonly trailingFailures: number;
  /**
   * Longest run of failures after the first success, so independent of the stored run; 0 without a
   * success.
   */
  readonly longestRunAfterFirstSuccess: number;
}

/** Folds outcomes in the order in which they happened. */
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
