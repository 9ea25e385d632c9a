import type { Route } from '../../shared/core/routes.ts';
import { createBody, listQuery } from './schema.ts';

export const routes = [
  { operation: 'listOrders', method: 'GET', path: '/orders', scope: 'orders:read', keys: 'secret', query: listQuery },
  {
    operation: 'createOrder',
    method: 'POST',
    path: '/orders',
    scope: 'orders:write',
    keys: 'secret',
    status: 201,
    idempotent: true,
    body: createBody,
  },
  { operation: 'retrieveOrder', method: 'GET', path: '/orders/{id}', scope: 'orders:read', keys: 'secret' },
] as const satisfies readonly Route[];
