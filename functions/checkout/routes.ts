import type { Route } from '../../shared/core/routes.ts';
import { checkoutInputSchema } from '../../shared/domain/checkout/input.ts';

export const routes = [
  {
    operation: 'createCheckout',
    method: 'POST',
    path: '/checkout',
    scope: 'checkout:write',
    keys: 'any',
    status: 201,
    idempotent: true,
    body: checkoutInputSchema,
  },
] as const satisfies readonly Route[];
