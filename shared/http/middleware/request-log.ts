import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { type Invocation, logLine } from '../../core/log.ts';
import type { ApiServices } from '../exchange.ts';
import { type Response, requestIdHeader } from '../responses.ts';

/** Writes one log line per request, with its id. The response has the id in `X-Request-Id`. */
export const requestLog = (services: Pick<ApiServices, 'clock' | 'log'>, op?: string) =>
  logLine<APIGatewayProxyEventV2 & Invocation, Response>(services, ({ event, response }) => {
    const rid = event.requestContext.requestId;
    if (response) response.headers[requestIdHeader] = rid;
    return { rid, op, status: response?.statusCode };
  });
