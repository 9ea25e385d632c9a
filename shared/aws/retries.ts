/** What a failed call tells; the SDK's error type by that name. */
export type ErrorType = 'THROTTLING' | 'TRANSIENT' | 'SERVER_ERROR' | 'CLIENT_ERROR';

export interface RetryToken {
  getRetryCount(): number;
  getRetryDelay(): number;
}

/** The SDK's interface of retry strategies, version 2: one may be handed to a client in the place of the standard one. */
export interface RetryStrategy<Token extends RetryToken = RetryToken> {
  acquireInitialRetryToken(scope: string): Promise<Token>;
  /** Rejects where no further try is due; else waits or tells, as the token's delay, how long to. */
  refreshRetryTokenForRetry(token: Token, info: { readonly errorType: ErrorType; readonly error: unknown }): Promise<Token>;
  recordSuccess(token: Token): void;
}

/** A failure of a call: the service's refusal, a broken connection, a time-out. */
export interface CallError extends Error {
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number; readonly clockSkewCorrected?: boolean };
}

const throttling = new Set(
  'BandwidthLimitExceeded EC2ThrottledException LimitExceededException PriorRequestNotComplete ProvisionedThroughputExceededException RequestLimitExceeded RequestThrottled RequestThrottledException SlowDown ThrottledException Throttling ThrottlingException TooManyRequestsException TransactionInProgressException'.split(
    ' ',
  ),
);
const timeouts = new Set(['TimeoutError', 'RequestTimeout', 'RequestTimeoutException']);
const network = new Set('ECONNRESET ECONNREFUSED EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN'.split(' '));
const transientStatus = new Set([500, 502, 503, 504]);

const isTransient = (error: CallError): boolean =>
  error.$metadata?.clockSkewCorrected === true ||
  (error.name === 'InvalidSignatureException' && error.message.includes('Signature expired')) ||
  timeouts.has(error.name) ||
  network.has(error.code ?? '') ||
  transientStatus.has(error.$metadata?.httpStatusCode ?? 0);

/** The SDK's classes of errors, from the same names, codes and statuses. */
export const errorTypeOf = (error: CallError): ErrorType => {
  const status = error.$metadata?.httpStatusCode ?? 0;
  if (status === 429 || throttling.has(error.name)) return 'THROTTLING';
  if (isTransient(error)) return 'TRANSIENT';
  return status >= 500 ? 'SERVER_ERROR' : 'CLIENT_ERROR';
};

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const fullQuota = 500;
const longestDelayMs = 20_000;
const throttlingBaseMs = 1_000;
/** Of the quota, by type of error. */
const shares = { THROTTLING: 5, TRANSIENT: 14 } as const;

interface StandardToken extends RetryToken {
  readonly share: number;
}

const token = (count: number, share: number): StandardToken => ({ getRetryCount: () => count, getRetryDelay: () => 0, share });

/**
 * Exponential waits with full jitter, and a quota that retries use up and successes fill again, so that a service in trouble is
 * not met by three times its load.
 */
export const standardRetries = (maxAttempts: number, baseMs: number): RetryStrategy<StandardToken> => {
  let quota = fullQuota;
  return {
    acquireInitialRetryToken: async () => token(0, 0),
    async refreshRetryTokenForRetry(last, { errorType }) {
      const count = last.getRetryCount() + 1;
      const share = errorType === 'THROTTLING' || errorType === 'TRANSIENT' ? shares[errorType] : undefined;
      if (share === undefined || count >= maxAttempts || quota < share) throw new Error('No further try is due.');
      quota -= share;
      const base = errorType === 'THROTTLING' ? throttlingBaseMs : baseMs;
      await wait(Math.random() * Math.min(longestDelayMs, base * 2 ** (count - 1)));
      return token(count, share);
    },
    recordSuccess({ share }) {
      quota = Math.min(fullQuota, quota + (share || 1));
    },
  };
};
