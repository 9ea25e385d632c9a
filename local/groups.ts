import { checkout } from '../functions/checkout/app.ts';
import { customers } from '../functions/customers/app.ts';
import { expenses } from '../functions/expenses/app.ts';
import { type GroupName, groupNames, groups, pages } from '../functions/groups.ts';
import { orders } from '../functions/orders/app.ts';
import { products } from '../functions/products/app.ts';
import { reference } from '../functions/reference/app.ts';
import { webhooks } from '../functions/webhooks/app.ts';
import { pageRouteKey, type Route } from '../shared/core/routes.ts';
import { type ApiHandler, api, type checkSteps } from '../shared/http/chain.ts';
import type { ApiServices, OperationsOf } from '../shared/http/exchange.ts';
import type { deployedApiServices, Services } from '../shared/services.ts';
import type { ApiStore } from '../shared/table/store.ts';
import { apiRouteKeys } from './gateway/routing.ts';
import { atFirstCall } from './lambda.ts';

/** Services of all groups. */
export type GroupServices = ApiServices & Pick<Services, 'store' | 'secrets' | 'sender' | 'policy'>;

type Make<OwnServices> = (services: OwnServices, checksOf?: typeof checkSteps) => ApiHandler;

const make =
  <const Routes extends readonly Route[], OwnServices extends ApiServices>(
    routes: Routes,
    operations: (services: OwnServices) => OperationsOf<Routes>,
  ): Make<OwnServices> =>
  (services, checksOf) =>
    api(routes, operations(services), services, checksOf);

/** Groups that need only the services of every API function; the bundler makes their entry. */
const plain = {
  checkout: make(groups.checkout, checkout),
  customers: make(groups.customers, customers),
  expenses: make(groups.expenses, expenses),
  orders: make(groups.orders, orders),
  reference: make(groups.reference, reference),
} satisfies Record<string, Make<ReturnType<typeof deployedApiServices<ApiStore>>>>;
export const plainNames = Object.keys(plain);

const makeApi: Readonly<Record<GroupName, Make<GroupServices>>> = {
  ...plain,
  products: make(groups.products, products),
  webhooks: make(groups.webhooks, webhooks),
};

/**
 * Every group of the API with its routes and its function, for the local service, the tests and the
 * simulator.
 */
export const apiGroups = groupNames.map((name) => ({
  name,
  routes: groups[name],
  routeKeys: apiRouteKeys(groups[name]),
  make: makeApi[name],
}));
export const checkoutPageGroup = {
  routeKeys: pages['checkout-page'].map(pageRouteKey),
  make: (services: Services) => atFirstCall(async () => (await import('../functions/checkout-page/app.ts')).checkoutPage(services)),
};
