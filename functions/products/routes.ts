import * as v from 'valibot';
import { filterText, inQuery, isoMs } from '../../shared/core/fields.ts';
import { pageParameters } from '../../shared/core/paging.ts';
import type { Route } from '../../shared/core/routes.ts';

export const listQuery = v.object({
  ...pageParameters,
  updated_after: v.optional(inQuery(isoMs('up'))),
  category: v.optional(filterText()),
  search: v.optional(filterText()),
});

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
