import type { Route } from '../../shared/core/routes.ts';
import { createBody } from './schema.ts';

export const routes = [
  {
    operation: 'createCheckout',
    method: 'POST',
    path: '/checkout',
    scope: 'checkout:write',
    keys: 'any',
    status: 201,
    idempotent: true,
    body: createBody,
  },
] as const satisfies readonly Route[];
