import { type ApiHandler, api } from '../../shared/http/chain.ts';
import type { ApiServices } from '../../shared/http/operation.ts';
import type { Secrets } from '../../shared/providers/secrets.ts';
import { createSearchToken } from './create-search-token.ts';
import { listProducts } from './list.ts';
import { retrieveProduct } from './retrieve.ts';
import { routes } from './routes.ts';

export interface ProductServices extends ApiServices {
  readonly secrets: Secrets;
}

export const products = (services: ProductServices): ApiHandler =>
  api(
    routes,
    { listProducts: listProducts(services), retrieveProduct: retrieveProduct(services), createSearchToken: createSearchToken(services) },
    services,
  );
