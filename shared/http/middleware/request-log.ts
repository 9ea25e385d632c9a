import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { ApiError } from '../../core/errors.ts';
import { type Invocation, logLine } from '../../core/log.ts';
import type { ApiServices } from '../exchange.ts';
import { type Response, requestIdHeader } from '../responses.ts';

/** Objects with names that the caller chose. */
const freeForm = ['metadata', 'custom_fields', 'method_details', 'delivery_address', 'address'];

/** Returns a field's path before the first name that the caller chose, because a log holds no text of a caller. */
const nameOf = (field: string): string | undefined => {
  const parts = field.split('.');
  const at = parts.findIndex((part, i) => freeForm.includes(parts[i - 1] ?? '') || !/^([a-z_]+|\d+)$/.test(part));
  return parts.slice(0, at < 0 ? parts.length : at).join('.') || undefined;
};

/** Writes one log line per request, with its id. The response has the id in `X-Request-Id`. */
export const requestLog = (services: Pick<ApiServices, 'clock' | 'log'>, op?: string) =>
  logLine<APIGatewayProxyEventV2 & Invocation, Response>(services, ({ event, response, error }) => {
    const rid = event.requestContext.requestId;
    if (response) response.headers[requestIdHeader] = rid;
    const field = error instanceof ApiError ? error.details.field : undefined;
    return { rid, op, status: response?.statusCode, ...(field === undefined ? {} : { field: nameOf(field) }) };
  });
