import type middy from '@middy/core';
import { ApiError, FlatError } from '../../core/errors.ts';
import { describeError } from '../../core/log.ts';
import type { ApiServices, Received } from '../exchange.ts';
import type { Middleware } from '../facts.ts';
import { type Response, requestIdHeader } from '../responses.ts';

/**
 * Returns the log fields of an error for the platform team: the internal reason of a rejection, or
 * the cause of a failure. They never contain a body, path or header.
 */
const errorFields = (error: unknown): Record<string, unknown> => {
  if (error === undefined) return {};
  if (error instanceof ApiError) return { code: error.code, why: error.details.internal };
  if (error instanceof FlatError) return { code: error.message, rule: error.rule, why: error.internal };
  return { code: 'internal_error', error: describeError(error) };
};

/** Writes one log line per request, and sends its id as `X-Request-Id`. */
export const requestLog = ({ clock, log }: Pick<ApiServices, 'clock' | 'log'>, op?: string): Middleware<Received> => {
  const write = ({ event, response, error }: middy.Request<Received, Response>): undefined => {
    const rid = event.requestContext.requestId;
    if (response) response.headers[requestIdHeader] = rid;
    log({ rid, op, status: response?.statusCode, ms: clock.now() - event.nowMs, ...event.logged, ...errorFields(error) });
  };
  return { after: write, onError: write };
};
