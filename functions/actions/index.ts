import { account, notice } from './account.ts';
import type { AccountAction, Action, RegionAction } from './action.ts';
import { customer } from './customer.ts';
import { delivery } from './delivery.ts';
import { expense } from './expense.ts';
import { gatewayFee } from './gateway-fee.ts';
import { inventory } from './inventory.ts';
import { key } from './key.ts';
import { order } from './order.ts';
import { payment } from './payment.ts';
import { product } from './product.ts';
import { queue, stream } from './queue.ts';
import { quickSale } from './quick-sale.ts';
import { request } from './request.ts';
import { search } from './search.ts';
import { checkout, settings } from './settings.ts';
import { webhook } from './webhook.ts';

const nouns = {
  account,
  settings,
  search,
  checkout,
  key,
  order,
  customer,
  expense,
  gateway_fee: gatewayFee,
  product,
  payment,
  quick_sale: quickSale,
  inventory,
  webhook,
  delivery,
  notice,
  request,
  queue,
  stream,
};

type Nouns = typeof nouns;

/** Name of an action, for example `order.update`. */
export type ActionName = { [Noun in keyof Nouns]: `${Noun}.${keyof Nouns[Noun] & string}` }[keyof Nouns];

type ActionCalled<Name extends ActionName> = Name extends `${infer Noun extends keyof Nouns}.${infer Verb}`
  ? Nouns[Noun][Verb & keyof Nouns[Noun]]
  : never;

type OutputOf<Called> =
  Called extends AccountAction<infer _Schema, infer Output>
    ? Output
    : Called extends RegionAction<infer _Schema, infer Output>
      ? Output
      : never;

/** Result of an action. */
export type ActionOutput<Name extends ActionName> = OutputOf<ActionCalled<Name>>;

/** All dashboard actions by name (decisions §7). Each file contains the actions of one noun. */
export const actionTable: Readonly<Record<string, Action>> = Object.fromEntries(
  Object.entries(nouns).flatMap(([noun, verbs]) =>
    Object.entries<Action>(verbs).map(([verb, action]): [string, Action] => [`${noun}.${verb}`, action]),
  ),
);
