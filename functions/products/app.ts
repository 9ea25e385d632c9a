import { type ApiHandler, api } from '../../shared/http/chain.ts';
import type { ApiServices } from '../../shared/http/operation.ts';
import { createSearchToken } from './create-search-token.ts';
import { listProducts } from './list.ts';
import { retrieveProduct } from './retrieve.ts';
import { routes } from './routes.ts';

export const products = (services: ApiServices): ApiHandler =>
  api(
    routes,
    { listProducts: listProducts(services), retrieveProduct: retrieveProduct(services), createSearchToken: createSearchToken(services) },
    services,
  );
