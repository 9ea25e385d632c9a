import type { AccountInactiveError, ErrorDetail, LimitReachedDetail, PlanRequiredError, RateLimitError } from './generated/types.gen.ts';

/** Branch on it. It has the documented codes, and accepts later ones. */
export type ErrorCode =
  | ErrorDetail['code']
  | LimitReachedDetail['code']
  | RateLimitError['error']
  | PlanRequiredError['error']
  | AccountInactiveError['error']
  | (string & {});

interface ErrorResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** The parsed body, or its text if it is not JSON. */
  readonly body: unknown;
  /** Advice of the client, in addition to the service's message. */
  readonly hint?: string | undefined;
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
/** Returns the seconds of a `Retry-After` in seconds or as a date. */
const secondsUntil = (value: string | null): number | undefined => {
  const ms = value !== null && /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? secondsOf(value) : Math.max(0, Math.ceil((ms - Date.now()) / 1000));
};
const secondsOf = (value: unknown): number | undefined => {
  const seconds = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
};

/**
 * An error response of the service: the standard envelope, a flat body or the gateway's own, all in
 * one shape.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** Broad category; undefined for flat bodies. */
  readonly type: string | undefined;
  /**
   * `rate_limit_exceeded`, `plan_required` and `account_inactive` for flat bodies; `unknown` if the
   * body names none.
   */
  readonly code: ErrorCode;
  /** Name of the invalid field, parameter or header, if there is one. */
  readonly field: string | undefined;
  /** The scope that the key lacks, for `insufficient_scope`. */
  readonly requiredScope: string | undefined;
  /** Include it in support requests. Undefined if a proxy removed the header. */
  readonly requestId: string | undefined;
  /** Seconds to wait, if the response says so: on every 429. */
  readonly retryAfterSeconds: number | undefined;
  /**
   * The whole body: it has `limit`, `current` and `max` of `limit_reached`, and `feature` and
   * `required` of `plan_required`.
   */
  readonly body: unknown;

  constructor({ status, headers, body, hint }: ErrorResponse) {
    const outer = fieldsOf(body);
    const detail = fieldsOf(outer['error']);
    const code = textOf(detail['code']) ?? textOf(outer['error']) ?? 'unknown';
    const message =
      textOf(detail['message']) ??
      textOf(outer['message']) ??
      (status >= 200 && status < 300
        ? "The response is not the service's JSON. The request may have succeeded."
        : 'The request was refused.');
    super(`${status} ${code}: ${message}${hint === undefined ? '' : ` ${hint}`}`);
    this.status = status;
    this.type = textOf(detail['type']);
    this.code = code;
    this.field = textOf(detail['field']);
    this.requiredScope = textOf(detail['requiredScope']);
    this.requestId = headers.get('x-request-id') ?? undefined;
    this.retryAfterSeconds = secondsUntil(headers.get('retry-after')) ?? secondsOf(outer['retryAfter']);
    this.body = body;
  }
}

/**
 * The network failed or the connection closed before a complete response. The request may have
 * succeeded.
 */
export class ConnectionError extends Error {
  override readonly name: string = 'ConnectionError';
}

/** No complete response arrived within `timeoutMs`. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';
}
