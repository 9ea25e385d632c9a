import { type ApiHandler, api } from '../../shared/http/chain.ts';
import { type CheckoutServices, createCheckout } from './create.ts';
import { routes } from './routes.ts';

export const checkout = (services: CheckoutServices): ApiHandler => api(routes, { createCheckout: createCheckout(services) }, services);
