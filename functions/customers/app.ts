import { type ApiHandler, api } from '../../shared/http/chain.ts';
import type { ApiServices } from '../../shared/http/operation.ts';
import { createCustomer } from './create.ts';
import { listCustomers } from './list.ts';
import { retrieveCustomer } from './retrieve.ts';
import { routes } from './routes.ts';

export const customers = (services: ApiServices): ApiHandler =>
  api(
    routes,
    { createCustomer: createCustomer(services), listCustomers: listCustomers(services), retrieveCustomer: retrieveCustomer(services) },
    services,
  );
