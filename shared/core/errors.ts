/**
 * The status and type of every error code (§ Errors, Codes). This is the only place that states
 * them, and the compiler rejects a code without them.
 */
export const errorCodes = {
  invalid_api_key: { status: 401, type: 'authentication_error' },
  insufficient_scope: { status: 403, type: 'permission_error' },
  publishable_key_not_allowed: { status: 403, type: 'invalid_request_error' },
  limit_reached: { status: 403, type: 'rate_limit_error' },
  invalid_value: { status: 400, type: 'validation_error' },
  invalid_json: { status: 400, type: 'validation_error' },
  invalid_cursor: { status: 400, type: 'validation_error' },
  conflicting_filters: { status: 400, type: 'validation_error' },
  unsupported_filter_sort_combination: { status: 400, type: 'validation_error' },
  customer_not_found: { status: 400, type: 'validation_error' },
  invalid_idempotency_key: { status: 400, type: 'validation_error' },
  not_found: { status: 404, type: 'not_found' },
  conflict: { status: 409, type: 'conflict' },
  request_in_flight: { status: 409, type: 'idempotency_error' },
  idempotency_key_reused: { status: 422, type: 'idempotency_error' },
  api_version_deprecated: { status: 410, type: 'deprecated' },
  internal_error: { status: 500, type: 'api_error' },
  search_not_configured: { status: 503, type: 'service_unavailable' },
} as const;

export type ErrorCode = keyof typeof errorCodes;

interface ErrorDetails {
  /** The invalid field of the request, with dots (`customer.id`). */
  readonly field?: string;
  /** The missing scope; only with `insufficient_scope`. */
  readonly requiredScope?: string;
  /** Further fields of the `error` object, for example of `limit_reached`. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Text for the log only. */
  readonly internal?: string;
  readonly cause?: unknown;
}

/** An intended rejection of a call. */
export abstract class Rejection extends Error {
  /** Fields of the log line. They contain no text of the caller. */
  abstract readonly logged: Readonly<Record<string, unknown>>;
}

/**
 * An error in the standard envelope. The caller gets `message`; only the log gets
 * `details.internal`.
 */
export class ApiError extends Rejection {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return errorCodes[this.code].status;
  }

  get logged(): { readonly code: ErrorCode; readonly why: string | undefined } {
    return { code: this.code, why: this.details.internal };
  }

  /** `{ error: { type, code, message, field?, requiredScope?, … } }` */
  get body(): { error: Record<string, unknown> } {
    const { field, requiredScope, extra } = this.details;
    return { error: { type: errorCodes[this.code].type, code: this.code, message: this.message, field, requiredScope, ...extra } };
  }
}

/**
 * A conflict: another write changed a record after this call had read it. Reading and deciding
 * again may succeed.
 */
export class StaleDecision extends ApiError {
  constructor(message: string, details: ErrorDetails = {}) {
    super('conflict', message, details);
  }
}

/** Returns a `StaleDecision` about a record, for example "The customer". */
export const changedMeanwhile = (what: string, details: ErrorDetails = {}): StaleDecision =>
  new StaleDecision(`${what} was changed at the same time. Repeat the request.`, details);

/** An error with `error` as a string in its body (§ Errors, Flat responses). */
export class FlatError extends Rejection {
  override readonly name = 'FlatError';
  readonly status: 403 | 429;
  readonly body: { readonly error: string } & Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly logged: { readonly code: string; readonly rule: string | undefined; readonly why: string | undefined };

  /** `rule` is the rate rule that rejected the request. It and `internal` are for the log only. */
  constructor(
    status: 403 | 429,
    body: { error: string } & Record<string, unknown>,
    headers: Record<string, string> = {},
    rule?: string,
    internal?: string,
  ) {
    super(body.error);
    this.logged = { code: body.error, rule, why: internal };
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

export const invalidValue = (field: string, message: string): ApiError => new ApiError('invalid_value', message, { field });
/** The message about a record that does not exist, or is not the account's. */
export const missing = (what: string, field = 'the id'): string => `${what} not found. Check ${field}.`;
export const notFound = (what: string): ApiError => new ApiError('not_found', missing(what));
/** The message about a path or method that the API does not have. */
export const unknownPath = (): ApiError => new ApiError('not_found', 'The API has no such path or method. Check both in the reference.');
