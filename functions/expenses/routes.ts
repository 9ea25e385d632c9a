import type { Route } from '../../shared/core/routes.ts';
import { createBody, listQuery } from './schema.ts';

export const routes = [
  { operation: 'listExpenses', method: 'GET', path: '/expenses', scope: 'expenses:read', keys: 'secret', query: listQuery },
  {
    operation: 'createExpense',
    method: 'POST',
    path: '/expenses',
    scope: 'expenses:write',
    keys: 'secret',
    status: 201,
    idempotent: true,
    body: createBody,
  },
  { operation: 'retrieveExpense', method: 'GET', path: '/expenses/{id}', scope: 'expenses:read', keys: 'secret' },
] as const satisfies readonly Route[];
