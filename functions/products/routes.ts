import type { Route } from '../../shared/core/routes.ts';
import { listQuery } from './schema.ts';

export const routes = [
  { operation: 'listProducts', method: 'GET', path: '/products', scope: 'products:read', keys: 'any', query: listQuery },
  { operation: 'retrieveProduct', method: 'GET', path: '/products/{id}', scope: 'products:read', keys: 'any' },
  {
    operation: 'createSearchToken',
    method: 'POST',
    path: '/products/search-token',
    scope: 'products:search',
    keys: 'any',
    status: 201,
  },
] as const satisfies readonly Route[];
