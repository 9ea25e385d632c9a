import type middy from '@middy/core';
import { logLine } from '../../core/log.ts';
import type { ApiServices, Received } from '../exchange.ts';
import type { Middleware } from '../facts.ts';
import { corsHeaders, errorResponse, type Response, requestIdHeader } from '../responses.ts';

/** Writes one log line per request, with its id. The response has the id in `X-Request-Id`. */
export const requestLog = (services: Pick<ApiServices, 'clock' | 'log'>, op?: string) =>
  logLine<Received, Response>(services, ({ event, response }) => {
    const rid = event.requestContext.requestId;
    if (response) response.headers[requestIdHeader] = rid;
    return { rid, op, status: response?.statusCode };
  });

const addHeaders = ({ response }: middy.Request<Received, Response>): undefined => {
  if (response) Object.assign(response.headers, corsHeaders);
};

/** Adds the CORS headers to every response, also to errors (§ Authentication 10). */
export const cors: Middleware<Received> = { after: addHeaders, onError: addHeaders };

/** Makes the response to an error that a step or the operation threw (§ Errors). */
export const errorResponses: Middleware<Received> = {
  onError(request) {
    request.response = errorResponse(request.error);
  },
};
