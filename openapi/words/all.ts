import type { GroupName, OperationId } from '../../functions/groups.ts';
import type { EventType, testEventType } from '../../shared/domain/event/types.ts';
import { inventoryItem } from '../../shared/domain/inventory/fields.ts';
import { quickSale } from '../../shared/domain/quick-sale/fields.ts';
import type { FieldTexts } from '../json-schema.ts';
import { checkout } from './checkout.ts';
import { type EventWords, eventsOf, type OperationWords, type ResourceWords } from './common.ts';
import { customers } from './customers.ts';
import { expenses } from './expenses.ts';
import { orders } from './orders.ts';
import { payments } from './payments.ts';
import { products } from './products.ts';
import { reference } from './reference.ts';
import { webhooks } from './webhooks.ts';

const inventory = {
  events: {
    'inventory.low': {
      summary: 'Stock is running low',
      description: 'Sent once when stock falls to its reorder point or below. Sent again only after stock has risen above it.',
      object: inventoryItem,
    },
  },
} as const satisfies ResourceWords;

const quickSales = {
  events: eventsOf(quickSale, {
    'quick_sale.created': { summary: 'A quick sale was recorded', description: 'A sale without an order.' },
    'quick_sale.updated': { summary: 'A quick sale was saved', description: 'Sent for every save.' },
    'quick_sale.deleted': { summary: 'A quick sale was deleted', description: 'No further events follow for it.' },
  }),
} as const satisfies ResourceWords;

/** Descriptions by group. Examples run in this order. */
const resources = { orders, customers, expenses, products, checkout, reference, webhooks, payments, quickSales, inventory };
type Resources = typeof resources;

export const resourceWords: readonly ResourceWords[] = Object.values(resources);

type Part = 'operations' | 'events';
/** Parts of the document with words. */
type DescribedName<Name extends Part> = {
  [Of in keyof Resources]: Resources[Of] extends { readonly [_ in Name]: infer Words } ? keyof Words : never;
}[keyof Resources];

/** Joins the parts. Throws if two resources use the same name. */
const together = <Texts>(parts: readonly Readonly<Record<string, Texts>>[]): Record<string, Texts> =>
  Object.fromEntries(
    parts.flatMap(Object.entries).map(([name, texts], i, all) => {
      if (all.findIndex(([other]) => other === name) !== i) throw new Error(`Two things in the document are called ${name}.`);
      return [name, texts];
    }),
  );

export type AnyEventType = EventType | typeof testEventType;

/** An operation, group or event type without a description does not compile. */
export const operationWords: Readonly<Record<OperationId, OperationWords>> = together(
  resourceWords.map(({ operations = {} }) => operations),
) as Record<DescribedName<'operations'>, OperationWords>;

export const groupWords: Readonly<Record<GroupName, { readonly group: NonNullable<ResourceWords['group']> }>> = resources;

export const eventWords: Readonly<Record<AnyEventType, EventWords>> = together(resourceWords.map(({ events = {} }) => events)) as Record<
  DescribedName<'events'>,
  EventWords
>;

export const inputWords: FieldTexts = together(resourceWords.map(({ inputs = {} }) => inputs));
