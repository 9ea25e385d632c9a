import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { createKeyOwners } from '../auth/authenticate.ts';
import { unknownPath } from '../core/errors.ts';
import { untilTimeout } from '../core/invocation.ts';
import { type Route, routeKey } from '../core/routes.ts';
import { commitOperation } from './commit.ts';
import type { ApiServices, Operations, OperationsOf, ReceivedRequest } from './exchange.ts';
import type { Exchange, Middleware } from './facts.ts';
import { loadFacts } from './load.ts';
import { accountStatus, plan } from './middleware/account.ts';
import { auth } from './middleware/auth.ts';
import { cors } from './middleware/cors.ts';
import { errorResponses } from './middleware/error-responses.ts';
import { idempotency } from './middleware/idempotency.ts';
import { addressLimit, keyLimit } from './middleware/limits.ts';
import { requestLog } from './middleware/request-log.ts';
import { keyType, scopes } from './middleware/scopes.ts';
import { validation } from './middleware/validation.ts';
import type { Response } from './responses.ts';

export type ApiHandler = (event: APIGatewayProxyEventV2, context: Context) => Promise<APIGatewayProxyStructuredResultV2>;

/** Steps of every response. `after` and `onError` run from the last step of a chain to the first. */
const frame = (route: Route, services: ApiServices) => [
  requestLog(services, route.operation),
  ...(route.keys === 'any' ? [cors] : []),
  errorResponses,
];

/** The checks of a request, in the order of decisions §2. The first that throws decides the response. */
export const checkSteps = (route: Route, services: ApiServices): Middleware[] => [
  ...(route.keys === 'any' ? [addressLimit] : []),
  auth(services),
  keyLimit(route),
  plan,
  accountStatus,
  keyType(route),
  scopes(route),
  idempotency(route),
  validation,
];

/** A preflight needs no key and no read (§ Authentication 10). */
const preflight = (services: ApiServices) =>
  middy<ReceivedRequest, Response>()
    .use([requestLog(services, 'preflight'), cors])
    .handler(async () => ({ statusCode: 204, headers: {}, body: '' }));

const unknownRoute = (services: ApiServices) =>
  middy<ReceivedRequest, Response>()
    .use([requestLog(services), errorResponses])
    .handler(async () => {
      throw unknownPath();
    });

/**
 * Returns the handler of a group: a chain for each route, assembled once. A chain loads the facts of
 * a request, checks them and commits the operation. Middy rejects with an error if the operation
 * takes longer than its function may.
 */
export const api = <const Routes extends readonly Route[]>(
  routes: Routes,
  operations: OperationsOf<Routes>,
  services: ApiServices,
  checksOf = checkSteps,
): ApiHandler => {
  const owners = createKeyOwners();
  const byId: Operations = operations;
  const chains = new Map(
    routes.map((route) => {
      const operation = byId[route.operation];
      if (!operation) throw new Error(route.operation);
      const chain = middy<Exchange, Response>()
        .use([...frame(route, services), loadFacts(services, { route, operation, owners }), ...checksOf(route, services)])
        .handler(untilTimeout(commitOperation(route, operation, services)));
      const run = (received: ReceivedRequest, context: Context) => chain({ ...received, facts: {} }, context);
      return [routeKey(route), run] as const;
    }),
  );
  const [preflights, unknown] = [preflight(services), unknownRoute(services)];
  return (event, context) => {
    const received = { ...event, nowMs: services.clock.now(), logged: {} };
    // Only endpoints for publishable keys have an OPTIONS route.
    const chain = event.requestContext.http.method === 'OPTIONS' ? preflights : (chains.get(event.routeKey) ?? unknown);
    return chain(received, context);
  };
};
