import { type ApiHandler, api } from '../../shared/http/chain.ts';
import type { ApiServices } from '../../shared/http/operation.ts';
import { createOrder } from './create.ts';
import { listOrders } from './list.ts';
import { retrieveOrder } from './retrieve.ts';
import { routes } from './routes.ts';

export const orders = (services: ApiServices): ApiHandler =>
  api(routes, { createOrder: createOrder(services), listOrders: listOrders(services), retrieveOrder: retrieveOrder(services) }, services);
