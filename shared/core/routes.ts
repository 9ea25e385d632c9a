import type { GenericSchema } from 'valibot';
import type { Scope } from './scopes.ts';

export const apiPrefix = '/api/v2';
export const deprecatedPrefix = '/api/v1';

/**
 * A row of a route table. CDK, the local service, the request handler, the OpenAPI document and
 * tests read these tables.
 */
export interface Route {
  /** Operation id. It is also the key of the operation in its group's table of operations. */
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Relative to `/api/v2`, with `{id}` as API Gateway writes it. */
  readonly path: string;
  readonly scope: Scope;
  /** `any` also admits publishable keys and gives the endpoint CORS (§ Authentication 3 and 10). */
  readonly keys: 'secret' | 'any';
  /** Success status; 200 if absent. */
  readonly status?: 201;
  /** Honours Idempotency-Key (§ Limits, Idempotency rules). */
  readonly idempotent?: true;
  readonly cacheControl?: string;
  readonly query?: GenericSchema;
  readonly body?: GenericSchema;
}

/** Returns API Gateway's key of a route, for example `POST /api/v2/expenses`. */
export const routeKey = (route: Pick<Route, 'method' | 'path'>): string => `${route.method} ${apiPrefix}${route.path}`;

/**
 * A page that is not part of the API, for browsers and payment gateways. It needs no key. `path` is
 * the whole path.
 */
export interface PageRoute {
  readonly operation: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
}

export const pageRouteKey = ({ method, path }: Pick<PageRoute, 'method' | 'path'>): string => `${method} ${path}`;
