import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { ApiError, FlatError } from '../core/errors.ts';

/** A response that always has headers. */
export interface Response extends APIGatewayProxyStructuredResultV2 {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
}

/** Returns a JSON response. `body` is a value, or text that already is JSON. */
export const jsonResponse = (statusCode: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Response => ({
  statusCode,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

/**
 * The `WWW-Authenticate` header of every 401 response (RFC 9110, 11.6.1). It is the same for every
 * cause.
 */
const challenge: Readonly<Record<string, string>> = { 'WWW-Authenticate': 'Bearer' };

/**
 * Returns the response to a thrown error. Any error that is not an intended rejection becomes
 * `internal_error`, and its cause is not shown.
 */
export const errorResponse = (error: unknown): Response => {
  if (error instanceof FlatError) return jsonResponse(error.status, error.body, { 'Cache-Control': 'no-store', ...error.headers });
  const apiError = error instanceof ApiError ? error : new ApiError('internal_error', 'The service failed. Repeat the request.');
  return jsonResponse(apiError.status, apiError.body, { 'Cache-Control': 'no-store', ...(apiError.status === 401 ? challenge : {}) });
};

/** CORS of the publishable-key endpoints (§ Authentication 10). */
export const corsHeaders: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, POST, OPTIONS',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key',
  'Access-Control-Max-Age': '86400',
  'Access-Control-Expose-Headers':
    'Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-RateLimit-Rule, Idempotent-Replayed, X-Request-Id',
};

export const requestIdHeader = 'X-Request-Id';
/** Sent if the response was stored for an earlier request (§ Limits, Idempotency rule 2). */
export const replayHeader = 'Idempotent-Replayed';
