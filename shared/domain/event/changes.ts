import { customerEvents } from '../customer/rules.ts';
import { expenseEvents } from '../expense/rules.ts';
import { inventoryEvents } from '../inventory/fields.ts';
import { orderEvents } from '../order/rules.ts';
import { paymentEvents } from '../payment/rules.ts';
import { productEvents } from '../product/rules.ts';
import { quickSaleEvents } from '../quick-sale/fields.ts';
import type { EventOfChange, Image, Images } from './types.ts';

/** Functions that return the events of a change, by kind of record. */
const rules = {
  expense: expenseEvents,
  order: orderEvents,
  payment: paymentEvents,
  customer: customerEvents,
  product: productEvents,
  quickSale: quickSaleEvents,
  inventoryItem: inventoryEvents,
};

export type EventKind = keyof typeof rules;

/** Types of the records with events for their changes, by kind. */
type EventRecords = { readonly [Kind in EventKind]: Parameters<(typeof rules)[Kind]>[0] extends Images<infer Record> ? Record : never };

/**
 * The images of a committed change. `before` is absent for a new record, `after` for a deleted one.
 */
export type Change = {
  readonly [Kind in EventKind]: {
    readonly kind: Kind;
    readonly before: Image<EventRecords[Kind]> | undefined;
    readonly after: Image<EventRecords[Kind]> | undefined;
  };
}[EventKind];

/**
 * Returns the events of a change. They depend only on the two images, not on who wrote them. A
 * deleted record has no events.
 */
export const eventsOfChange = ({ kind, before, after }: Change): readonly EventOfChange[] => {
  const rule = rules[kind] as (images: Images<never>) => readonly EventOfChange[];
  return after ? rule({ before, after } as Images<never>) : [];
};
