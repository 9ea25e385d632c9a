import { customerEvents } from '../customer/events.ts';
import { expenseEvents } from '../expense/events.ts';
import { inventoryEvents } from '../inventory/events.ts';
import { orderEvents } from '../order/events.ts';
import { paymentEvents } from '../payment/events.ts';
import { productEvents } from '../product/events.ts';
import { quickSaleEvents } from '../quick-sale/events.ts';
import type { Change, EventKind, EventOfChange, EventRecords, Images } from './records.ts';

type Rule<Kind extends EventKind> = (images: Images<EventRecords[Kind]>) => readonly EventOfChange[];

const rules: { readonly [Kind in EventKind]: Rule<Kind> } = {
  expense: expenseEvents,
  order: orderEvents,
  payment: paymentEvents,
  customer: customerEvents,
  product: productEvents,
  quickSale: quickSaleEvents,
  inventoryItem: inventoryEvents,
};

/** What a change means to the outside: the same for every writer, and nothing where a record is removed for good. */
export const eventsOfChange = ({ kind, before, after }: Change): readonly EventOfChange[] => {
  const rule = rules[kind] as Rule<EventKind>;
  return after ? rule({ before, after } as Images<never>) : [];
};
