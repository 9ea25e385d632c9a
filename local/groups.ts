import { checkout } from '../functions/checkout/app.ts';
import { checkoutPage } from '../functions/checkout-page/app.ts';
import { gatewayOpener } from '../functions/checkout-page/gateway.ts';
import { customers } from '../functions/customers/app.ts';
import { expenses } from '../functions/expenses/app.ts';
import { orders } from '../functions/orders/app.ts';
import { products } from '../functions/products/app.ts';
import { reference } from '../functions/reference/app.ts';
import { type WebhookServices, webhooks } from '../functions/webhooks/app.ts';

import { type GroupName, groupNames, groups, type PageName, pageNames, pages } from '../lib/groups.ts';
import type { ApiHandler } from '../shared/http/chain.ts';
import type { ApiServices } from '../shared/http/exchange.ts';
import type { Secrets } from '../shared/providers/secrets.ts';

/** What all groups together are given. */
export interface GroupServices extends WebhookServices {
  readonly secrets: Secrets;
}

type Make<Services> = (services: Services) => ApiHandler;

/** Groups that take what every API function is given: their entry is the bundler's. */
const plain = { customers, expenses, orders, reference } satisfies Record<string, Make<ApiServices>>;
export const plainNames = Object.keys(plain);

const makeApi: Readonly<Record<GroupName, Make<GroupServices>>> = {
  ...plain,
  checkout: (services) => checkout({ ...services, allowLoopbackUrls: services.policy.allowLoopback }),
  products,
  webhooks,
};

const makePage: Readonly<Record<PageName, Make<GroupServices>>> = {
  'checkout-page': (services) => checkoutPage({ ...services, openGateway: gatewayOpener(services) }),
};

/** Every group of the API, its routes beside the function that answers them: what the local runtime serves, tests ask and the simulation plays. */
export const apiGroups = groupNames.map((name) => ({ name, routes: groups[name], make: makeApi[name] }));
export const pageGroups = pageNames.map((name) => ({ name, routes: pages[name], make: makePage[name] }));
