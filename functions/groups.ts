import type { PageRoute, Route } from '../shared/core/routes.ts';
import { routes as checkout } from './checkout/routes.ts';
import { routes as checkoutPage } from './checkout-page/routes.ts';
import { routes as customers } from './customers/routes.ts';
import { routes as expenses } from './expenses/routes.ts';
import { routes as orders } from './orders/routes.ts';
import { routes as products } from './products/routes.ts';
import { routes as reference } from './reference/routes.ts';
import { routes as webhooks } from './webhooks/routes.ts';

/** The groups of the API. Each is one function with its route table. */
export const groups = { checkout, customers, expenses, orders, products, reference, webhooks } as const satisfies Record<
  string,
  readonly Route[]
>;

/** Pages beside the API. Each is one function with its route table. */
export const pages = { 'checkout-page': checkoutPage } as const satisfies Record<string, readonly PageRoute[]>;

export type GroupName = keyof typeof groups;
/** Ids of all operations. Descriptions, examples and samples are stored by them. */
export type OperationId = (typeof groups)[GroupName][number]['operation'];
type PageName = keyof typeof pages;
export const pageNames = Object.keys(pages) as PageName[];
export const groupNames = Object.keys(groups) as GroupName[];

/** Every route of the API. */
export const allRoutes: readonly Route[] = Object.values(groups).flat();

/** Returns the route of an operation. Throws if it has no route. */
export const routeOf = (operation: string): Route => {
  const route = allRoutes.find((one) => one.operation === operation);
  if (!route) throw new Error(`No route ${operation}.`);
  return route;
};
