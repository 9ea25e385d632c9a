import type { Customer } from './customer.ts';
import type { Expense } from './expense.ts';
import type { InventoryItem } from './inventory.ts';
import type { Order } from './order.ts';
import type { Payment } from './payment.ts';
import type { Product } from './product.ts';
import type { QuickSale } from './quick-sale.ts';

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
