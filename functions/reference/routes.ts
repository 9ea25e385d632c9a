import type { Route } from '../../shared/core/routes.ts';

export const routes = [
  {
    operation: 'listExpenseCategories',
    method: 'GET',
    path: '/reference/expense-categories',
    scope: 'reference:read',
    keys: 'any',
    cacheControl: 'private, max-age=3600',
  },
] as const satisfies readonly Route[];
