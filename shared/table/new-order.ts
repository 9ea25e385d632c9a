import { StaleDecision } from '../core/errors.ts';
import type { Account } from '../domain/account/record.ts';
import type { Customer } from '../domain/customer/fields.ts';
import { countOrder, type TotalsDelta } from '../domain/customer/rules.ts';
import type { Order } from '../domain/order/fields.ts';
import { orderMonth } from '../domain/order/rules.ts';
import type { Payment } from '../domain/payment/fields.ts';
import type { Counters } from './counters.ts';
import type { Customers } from './customers.ts';
import type { Orders } from './orders.ts';
import type { Payments } from './payments.ts';
import type { Write } from './write.ts';

/** The stores of an order's records. */
export interface OrderStores {
  readonly counters: Counters;
  readonly customers: Customers;
  readonly orders: Orders;
  readonly payments: Payments;
}

export interface NewOrder {
  readonly order: Order;
  readonly payments: readonly Payment[];
  /**
   * Customer of the order: a stored customer, or a new customer that is created with the order.
   * Null for an order without a customer.
   */
  readonly customer: { readonly record: Customer; readonly isNew: boolean } | null;
}

const changed = (field: string): StaleDecision => new StaleDecision('The customer was changed at the same time; please retry.', { field });

const customerWrites = (
  { customers }: OrderStores,
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
  // This write is made even if no total changes, because its condition rejects an order of a
  // customer who is being erased. If another order is newer, that order's date stays, so the two
  // orders do not conflict.
  const isNewest = record.last_order_date === null || lastOrderDate > record.last_order_date;
  const change = delta ? { ...delta, ...(isNewest ? { lastOrderDate } : {}) } : { orders: 0 as const, spent: 0 };
  return [customers.totalsWrite(account.id, record.id, { ...change, unlessErased: true }, () => changed('customer.id'))];
};

/**
 * Returns all writes of a new order: order, payments, customer with totals, and the month's count
 * if the account has a limit. They fail with `limit_reached` at the limit, unless the order is
 * `paid` already, and with `StaleDecision` if the customer has changed.
 */
export const newOrderWrites = (store: OrderStores, account: Account, created: NewOrder, paid?: 'paid'): readonly Write[] => {
  const { payments } = created;
  const { order_limit: limit } = account;
  const { order, delta } = countOrder(undefined, created.order, account.currency);
  return [
    ...(limit === null
      ? []
      : [store.counters.orderCountWrite(account.id, orderMonth(Date.parse(order.created_at)), paid ? undefined : limit)]),
    store.orders.createWrite(account.id, order),
    ...payments.flatMap((payment) => store.payments.createWrites(account.id, payment)),
    ...customerWrites(store, account, created, delta),
  ];
};
