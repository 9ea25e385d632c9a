import { StaleDecision } from '../core/errors.ts';
import type { Account } from '../domain/account/record.ts';
import type { Customer } from '../domain/customer/record.ts';
import { countOrder, type TotalsDelta } from '../domain/customer/totals.ts';
import { type Order, orderMonth } from '../domain/order/record.ts';
import type { Payment } from '../domain/payment/record.ts';
import type { Counted } from './counters.ts';
import type { ApiStore } from './store.ts';
import type { Write } from './write.ts';

export interface NewOrder {
  readonly order: Order;
  readonly payments: readonly Payment[];
  /** Who the order is for: a record that stands, or one to be made with it; null for a walk-in. */
  readonly customer: { readonly record: Customer; readonly isNew: boolean } | null;
}

const changed = (field: string): StaleDecision => new StaleDecision('The customer was changed at the same time; please retry.', { field });

const customerWrites = (
  { customers }: ApiStore,
  account: Account,
  { order, customer }: NewOrder,
  delta: TotalsDelta | undefined,
): readonly Write[] => {
  if (!customer) return [];
  const { record, isNew } = customer;
  const lastOrderDate = order.created_at;
  if (isNew) {
    const totals = delta ? { total_orders: delta.orders, total_spent: delta.spent, last_order_date: lastOrderDate } : {};
    return customers.createWrites(account.id, { ...record, ...totals }, () => changed('customer.email'));
  }
  // Also where no total moves: the write is what keeps an order off a customer who is erased at the same time.
  // A newer order keeps its date: the change that leaves it alone never conflicts with another order.
  const isNewest = record.last_order_date === null || lastOrderDate > record.last_order_date;
  const change = delta ? { ...delta, ...(isNewest ? { lastOrderDate } : {}) } : { orders: 0 as const, spent: 0 };
  return [customers.totalsWrite(account.id, record.id, { ...change, forNewOrder: true }, () => changed('customer.id'))];
};

/**
 * Everything a new order writes: the order, its payments, its customer and their totals, and the month's count where there is one.
 * Refuses with `limit_reached` at the limit, with `StaleDecision` where the customer or the limit is not as it was found.
 */
export const newOrderWrites = (store: ApiStore, account: Account, counted: Counted | undefined, created: NewOrder): readonly Write[] => {
  const { payments } = created;
  const { order, delta } = countOrder(undefined, created.order, account.currency);
  return [
    ...(counted ? [store.counters.orderCountWrite(account.id, orderMonth(Date.parse(order.created_at)), counted)] : []),
    store.orders.createWrite(account.id, order),
    ...payments.flatMap((payment) => store.payments.createWrites(account.id, payment)),
    ...customerWrites(store, account, created, delta),
  ];
};
