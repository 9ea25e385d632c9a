import type { Answer } from '../domain/webhook/record.ts';

/** `no_response` does not tell timeout, DNS, refused, reset and TLS failures apart (§ Webhooks, Test rules). */
type AttemptError = 'invalid_url' | 'redirect_not_followed' | 'http_error' | 'no_response';

/** How one attempt ended; status and time (ms until the status line and headers were there) are null where no HTTP response arrived. */
export interface AttemptResult {
  readonly success: boolean;
  readonly statusCode: number | null;
  readonly responseTimeMs: number | null;
  readonly error: AttemptError | null;
  /** Of a response that is a failure. */
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

/** What one write per endpoint needs to count a batch of outcomes and to find out whether 10 failures in a row lie in it. */
interface FoldedOutcomes {
  readonly successes: number;
  readonly failures: number;
  /** Failures before the first success; all of them when there is none. They continue the run that is already stored. */
  readonly leadingFailures: number;
  /** Failures after the last success; all of them when there is none. What is left of the count afterwards. */
  readonly trailingFailures: number;
  /** Longest run that starts after the first success, so that it owes nothing to what is stored; 0 when there is none. */
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
