import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { Log } from '../core/log.ts';
import type { Route } from '../core/routes.ts';
import { admit } from './admit.ts';
import type { ApiEvent } from './exchange.ts';
import { observe } from './observe.ts';
import type { ApiServices, Operations } from './operation.ts';
import { perform } from './perform.ts';
import { corsHeaders, type Response, requestIdHeader } from './responses.ts';
import { cors, refuse } from './steps.ts';

export type ApiHandler = (event: APIGatewayProxyEventV2, context: Context) => Promise<APIGatewayProxyStructuredResultV2>;

/** Only publishable-key endpoints have an OPTIONS route, so every OPTIONS that arrives is one to answer; it reads nothing. */
const preflight = ({ requestContext: { requestId } }: APIGatewayProxyEventV2, log: Log): APIGatewayProxyStructuredResultV2 => {
  log({ rid: requestId, op: 'preflight', status: 204 });
  return { statusCode: 204, headers: { ...corsHeaders, [requestIdHeader]: requestId } };
};

/**
 * The chain around a group's operations, in the order of checks of decisions §2. A step refuses by throwing: an early
 * return would skip the steps that decorate responses.
 */
export const api = <const Routes extends readonly Route[]>(
  routes: Routes,
  operations: Operations<Routes[number]['operation']>,
  services: ApiServices,
): ApiHandler => {
  const chain = middy<ApiEvent, Response>()
    .use([observe(routes, services), cors(), admit(operations, services), refuse()])
    .handler(perform(operations, services));
  return async (event, context) =>
    event.requestContext.http.method === 'OPTIONS' ? preflight(event, services.log) : await chain(event as ApiEvent, context);
};
