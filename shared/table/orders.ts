import { ApiError, changedMeanwhile, type StaleDecision } from '../core/errors.ts';
import { earliestId } from '../core/ids.ts';
import type { Account } from '../domain/account/record.ts';
import type { Customer } from '../domain/customer/fields.ts';
import { countOrder, type TotalsDelta } from '../domain/customer/rules.ts';
import type { Order } from '../domain/order/fields.ts';
import { orderMonth } from '../domain/order/rules.ts';
import type { Payment } from '../domain/payment/fields.ts';
import type { Db } from './client.ts';
import type { Customers } from './customers.ts';
import { expr } from './expressions.ts';
import { partition } from './keys.ts';
import { byTime, type ListSpec, openList } from './lists.ts';
import { queryPages } from './page.ts';
import type { Payments } from './payments.ts';
import { openRecords } from './records.ts';
import { putItem, sendAlone, updateItem, type Write } from './write.ts';

const lists: ListSpec<'order', Order> = {
  kind: 'order',
  sorts: {
    createdAt: byTime((order) => order.created_at),
    updatedAt: byTime((order) => order.updated_at),
    // An order without a date sorts below every date, so it comes last but stays in the list.
    deliveryDate: { value: (order) => order.delivery_date ?? '0000-00-00', position: String },
  },
  isGone: (order) => order.deleted_at !== null,
};

/** Lists return no deleted orders. */
export const openOrders = (db: Db) => {
  const listed = openList(db, lists);
  const records = openRecords<Order>(db, { kind: 'order', name: 'order', attributes: listed.entries, marked: true });
  return { ...records, ...listed };
};

export type Orders = ReturnType<typeof openOrders>;

const key = (account: string, counter: string) => ({ pk: partition('counter', account), sk: counter });
export const orderNumberKey = (account: string) => key(account, 'order_number');
const monthKey = (account: string, month: string) => key(account, `orders_${month}`);

/** § Errors, `limit_reached`. Retries fail until the next month or a change of plan. */
export const limitReached = (current: number, max: number): ApiError =>
  new ApiError('limit_reached', "The plan's order limit of this month is reached. Wait for the next month (UTC) or change the plan.", {
    extra: { limit: 'orders_per_month', current, max },
  });

/**
 * Order numbers, and the number of orders in a month of an account with an order limit. Counting an
 * order costs two write units, so an account without a limit counts none. Setting a limit counts the
 * stored orders of the month (decisions §4).
 */
export const openCounters = (db: Db) => ({
  /** Returns the next order number. If the order fails, its number leaves a gap. */
  async nextOrderNumber(account: string) {
    const { item } = await sendAlone(db, updateItem(db, orderNumberKey(account), { add: { value: 1 } }), 'ALL_NEW');
    return item?.['value'] as number;
  },
  /** Returns the number of orders in a UTC month (`YYYY-MM`). For accounts with a limit. */
  ordersIn: async (account: string, month: string) => ((await db.get(monthKey(account, month)))?.['orders'] as number | undefined) ?? 0,
  /**
   * Counts an order. Fails with `limit_reached` at the limit; without a limit (a checkout that is
   * paid) it never fails.
   */
  orderCountWrite(account: string, month: string, limit: number | undefined): Write {
    const add = { orders: 1 };
    if (limit === undefined) return updateItem(db, monthKey(account, month), { add });
    return updateItem(db, monthKey(account, month), {
      add,
      // If the limit is 0, the first order must fail too, so a missing count must not pass.
      where: limit === 0 ? expr`orders < ${0}` : expr`attribute_not_exists(orders) OR orders < ${limit}`,
      showOld: true,
      rejectWith: (old) => limitReached((old?.['orders'] as number | undefined) ?? 0, limit),
    });
  },
  /** Replaces the number of orders in a UTC month. Commit it with the limit. */
  setOrdersWrite: (account: string, month: string, orders: number) => putItem(db, { ...monthKey(account, month), orders }),
  /** Counts the stored orders of a UTC month, deleted ones included, up to `max`. Reads consistently. */
  async countOrders(account: string, month: string, max = Number.POSITIVE_INFINITY) {
    const start = earliestId('ord', Date.parse(`${month}-01T00:00:00.000Z`));
    const orders = partition('order', account);
    let count = 0;
    for await (const { Count = 0 } of queryPages(db, { partition: orders, range: (sk) => expr`${sk} >= ${start}`, Select: 'COUNT' })) {
      count += Count;
      if (count >= max) return max;
    }
    return count;
  },
});

export type Counters = ReturnType<typeof openCounters>;

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

const customerChanged = (field: string): StaleDecision => changedMeanwhile('The customer', { field });

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
    return customers.createWrites(account.id, { ...record, ...totals }, () => customerChanged('customer.email'));
  }
  // This write is made even if no total changes, because its condition rejects an order of a
  // customer who is being erased. If another order is newer, that order's date stays, so the two
  // orders do not conflict.
  const isNewest = record.last_order_date === null || lastOrderDate > record.last_order_date;
  const change = delta ? { ...delta, ...(isNewest ? { lastOrderDate } : {}) } : { orders: 0 as const, spent: 0 };
  return [customers.totalsWrite(account.id, record.id, { ...change, unlessErased: true }, () => customerChanged('customer.id'))];
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
