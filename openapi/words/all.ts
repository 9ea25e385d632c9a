import type { GroupName, groups } from '../../lib/groups.ts';
import type { EventType, testEventType } from '../../shared/domain/event/types.ts';
import type { MemberTexts } from '../json-schema.ts';
import { checkout } from './checkout.ts';
import type { EventWords, OperationWords } from './common.ts';
import { customers } from './customers.ts';
import { expenses } from './expenses.ts';
import { inventory } from './inventory.ts';
import { orders } from './orders.ts';
import { payments } from './payments.ts';
import { products } from './products.ts';
import { quickSales } from './quick-sales.ts';
import { reference } from './reference.ts';
import { webhooks } from './webhooks.ts';

export type OperationId = (typeof groups)[GroupName][number]['operation'];
export type AnyEventType = EventType | typeof testEventType;

/** An operation without words does not compile. */
export const operationWords: Readonly<Record<OperationId, OperationWords>> = {
  ...orders.operations,
  ...customers.operations,
  ...expenses.operations,
  ...products.operations,
  ...checkout.operations,
  ...reference.operations,
  ...webhooks.operations,
};

export const groupWords: Readonly<Record<GroupName, { readonly name: string; readonly description: string }>> = {
  orders: orders.group,
  customers: customers.group,
  expenses: expenses.group,
  products: products.group,
  checkout: checkout.group,
  reference: reference.group,
  webhooks: webhooks.group,
};

export const eventWords: Readonly<Record<AnyEventType, EventWords>> = {
  ...orders.events,
  ...customers.events,
  ...products.events,
  ...payments.events,
  ...quickSales.events,
  ...expenses.events,
  ...inventory.events,
  ...webhooks.events,
};

/** Names of objects are the document's own: two resources cannot have one of the same name. */
const together = (...parts: readonly MemberTexts[]): MemberTexts =>
  Object.fromEntries(
    parts.flatMap(Object.entries).map(([name, texts], i, all) => {
      if (all.findIndex(([other]) => other === name) !== i) throw new Error(`Two objects of requests are called ${name}.`);
      return [name, texts];
    }),
  );

export const inputWords = together(orders.inputs, customers.inputs, expenses.inputs, payments.inputs, checkout.inputs, webhooks.inputs);
