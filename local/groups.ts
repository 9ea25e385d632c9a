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
import type { Secrets } from '../shared/providers/secrets.ts';

/** What all groups together are given. */
export interface GroupServices extends WebhookServices {
  readonly secrets: Secrets;
}

type Make = (services: GroupServices) => ApiHandler;

const makeApi: Readonly<Record<GroupName, Make>> = {
  checkout: (services) => checkout({ ...services, allowLoopbackUrls: services.policy.allowLoopback }),
  customers,
  expenses,
  orders,
  products,
  reference,
  webhooks,
};

const makePage: Readonly<Record<PageName, Make>> = {
  'checkout-page': (services) => checkoutPage({ ...services, openGateway: gatewayOpener(services) }),
};

/** Every group of the API, its routes beside the function that answers them: what the local runtime serves, tests ask and the simulation plays. */
export const apiGroups = groupNames.map((name) => ({ name, routes: groups[name], make: makeApi[name] }));
export const pageGroups = pageNames.map((name) => ({ name, routes: pages[name], make: makePage[name] }));
