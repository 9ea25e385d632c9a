import type { GenericSchema } from 'valibot';
import type { Scope } from './scopes.ts';

export const apiPrefix = '/api/v2';
export const deprecatedPrefix = '/api/v1';

/**
 * One row of a group's route table: data only, read by CDK, the local runtime, the chain, the
 * rejection tests and the OpenAPI document.
 */
export interface Route {
  /** Operation id, also the key of the operation in its group. */
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Relative to `/api/v2`, with `{id}` as API Gateway writes it. */
  readonly path: string;
  readonly scope: Scope;
  /**
   * `any` also admits publishable keys and makes the endpoint a CORS one (§ Authentication 3 and
   * 10).
   */
  readonly keys: 'secret' | 'any';
  /** Status of success; 200 unless the operation creates. */
  readonly status?: 201;
  /** Honours Idempotency-Key (§ Limits, Idempotency rules). */
  readonly idempotent?: true;
  readonly cacheControl?: string;
  readonly query?: GenericSchema;
  readonly body?: GenericSchema;
}

/** API Gateway's key of a route: `POST /api/v2/expenses`. */
export const routeKey = (route: Pick<Route, 'method' | 'path'>): string => `${route.method} ${apiPrefix}${route.path}`;

/** A page beside the API, reached by browsers and gateways instead of keys; its path is whole. */
export interface PageRoute {
  readonly operation: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
}

export const pageRouteKey = ({ method, path }: Pick<PageRoute, 'method' | 'path'>): string => `${method} ${path}`;
