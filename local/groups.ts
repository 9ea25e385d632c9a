import { checkout } from '../functions/checkout/app.ts';
import { checkoutPage } from '../functions/checkout-page/app.ts';
import { customers } from '../functions/customers/app.ts';
import { expenses } from '../functions/expenses/app.ts';
import { orders } from '../functions/orders/app.ts';
import { products } from '../functions/products/app.ts';
import { reference } from '../functions/reference/app.ts';
import { webhooks } from '../functions/webhooks/app.ts';

import { type GroupName, groupNames, groups, pages } from '../lib/groups.ts';
import type { ApiHandler } from '../shared/http/chain.ts';
import type { ApiServices } from '../shared/http/exchange.ts';
import type { deployedApiServices, Services } from '../shared/services.ts';
import type { ApiStore } from '../shared/table/store.ts';

/** Services of all groups. */
export type GroupServices = ApiServices & Pick<Services, 'store' | 'secrets' | 'sender' | 'policy'>;

type Make<Given> = (services: Given) => ApiHandler;

/** Groups that need only the services of every API function; the bundler makes their entry. */
const plain = { checkout, customers, expenses, orders, reference } satisfies Record<
  string,
  Make<ReturnType<typeof deployedApiServices<ApiStore>>>
>;
export const plainNames = Object.keys(plain);

const makeApi: Readonly<Record<GroupName, Make<GroupServices>>> = { ...plain, products, webhooks };

/**
 * Every group of the API with its routes and its function, for the local service, the tests and the
 * simulator.
 */
export const apiGroups = groupNames.map((name) => ({ name, routes: groups[name], make: makeApi[name] }));
export const pageGroups = [{ routes: pages['checkout-page'], make: checkoutPage }];
