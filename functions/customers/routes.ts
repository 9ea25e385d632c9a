import type { Route } from '../../shared/core/routes.ts';
import { createBody, listQuery } from './schema.ts';

export const routes = [
  { operation: 'listCustomers', method: 'GET', path: '/customers', scope: 'customers:read', keys: 'secret', query: listQuery },
  {
    operation: 'createCustomer',
    method: 'POST',
    path: '/customers',
    scope: 'customers:write',
    keys: 'secret',
    status: 201,
    idempotent: true,
    body: createBody,
  },
  { operation: 'retrieveCustomer', method: 'GET', path: '/customers/{id}', scope: 'customers:read', keys: 'secret' },
] as const satisfies readonly Route[];
