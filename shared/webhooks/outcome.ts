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

/** The wait after the first, second, third and fourth failure of a run (§ Delivery semantics 1). */
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
