import type { Customer } from '../customer/record.ts';
import type { Expense } from '../expense/record.ts';
import type { InventoryItem } from '../inventory/record.ts';
import type { Order } from '../order/record.ts';
import type { Payment } from '../payment/record.ts';
import type { Product } from '../product/record.ts';
import type { QuickSale } from '../quick-sale/record.ts';
import type { EventType } from './types.ts';

/** The records whose changes are events, by kind. */
export interface EventRecords {
  readonly expense: Expense;
  readonly order: Order;
  readonly payment: Payment;
  readonly customer: Customer;
  readonly product: Product;
  readonly quickSale: QuickSale;
  readonly inventoryItem: InventoryItem;
}

export type EventKind = keyof EventRecords;

/** A record as one side of a change shows it. */
export interface Image<Record> {
  readonly record: Record;
  /** Rises with every save, also one that changes nothing; writes that nobody is to hear of leave it. */
  readonly revision: number;
}

/** Both sides of a committed change: `before` is absent where the record is new, `after` where it was removed for good. */
export type Change = {
  readonly [Kind in EventKind]: {
    readonly kind: Kind;
    readonly before: Image<EventRecords[Kind]> | undefined;
    readonly after: Image<EventRecords[Kind]> | undefined;
  };
}[EventKind];

/** Both sides of a change that left a record; `before` is absent where it is new. */
export interface Images<Record> {
  readonly before: Image<Record> | undefined;
  readonly after: Image<Record>;
}

export interface EventOfChange {
  readonly type: EventType;
  readonly object: unknown;
}

export const isSaved = (before: Image<unknown>, after: Image<unknown>): boolean => before.revision !== after.revision;
