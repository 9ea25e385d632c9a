import { ApiError } from '../core/errors.ts';
import { earliestId } from '../core/ids.ts';
import type { Db } from './client.ts';
import { expr, showOld, update } from './expressions.ts';
import { partition } from './keys.ts';
import { queryPages } from './page.ts';
import { sendUpdate, type Write } from './write.ts';

/**
 * Order numbers, and the number of orders in a month of an account with an order limit. Counting an
 * order costs two write units, so an account without a limit counts none. Setting a limit counts the
 * stored orders of the month (decisions §4).
 */
export interface Counters {
  /** Returns the next order number. If the order fails, its number leaves a gap. */
  nextOrderNumber(account: string): Promise<number>;
  /** Returns the number of orders in a UTC month (`YYYY-MM`). For accounts with a limit. */
  ordersIn(account: string, month: string): Promise<number>;
  /**
   * Counts an order. Fails with `limit_reached` at the limit; without a limit (a checkout that is
   * paid) it never fails.
   */
  orderCountWrite(account: string, month: string, limit: number | undefined): Write;
  /** Replaces the number of orders in a UTC month. Commit it with the limit. */
  setOrdersWrite(account: string, month: string, count: number): Write;
  /** Counts the stored orders of a UTC month, deleted ones included, up to `most`. Reads consistently. */
  countOrders(account: string, month: string, most?: number): Promise<number>;
}

const key = (account: string, counter: string) => ({ pk: partition('counter', account), sk: counter });
const numberKey = (account: string) => key(account, 'order_number');
const monthKey = (account: string, month: string) => key(account, `orders_${month}`);

/** § Errors, `limit_reached`. Retries fail until the next month or a change of plan. */
export const limitReached = (current: number, max: number): ApiError =>
  new ApiError('limit_reached', "The plan's order limit of this month is reached.", { extra: { limit: 'orders_per_month', current, max } });

const orderCountWrite = (table: string, account: string, month: string, limit: number | undefined): Write => {
  const change = { add: { orders: 1 } };
  if (limit === undefined) return { item: { Update: update(table, monthKey(account, month), change) } };
  // If the limit is 0, the first order must fail too, so a missing count must not pass.
  const isBelow = limit === 0 ? expr`orders < ${0}` : expr`attribute_not_exists(orders) OR orders < ${limit}`;
  return {
    item: { Update: { ...update(table, monthKey(account, month), { ...change, where: isBelow }), ...showOld } },
    refuse: (old) => limitReached((old?.['orders'] as number | undefined) ?? 0, limit),
  };
};

export const openCounters = (db: Db): Counters => ({
  async nextOrderNumber(account) {
    const item = await sendUpdate(db, { ...update(db.table, numberKey(account), { add: { value: 1 } }), ReturnValues: 'ALL_NEW' });
    return item?.['value'] as number;
  },
  ordersIn: async (account, month) => ((await db.get(monthKey(account, month)))?.['orders'] as number | undefined) ?? 0,
  orderCountWrite: (...of) => orderCountWrite(db.table, ...of),
  setOrdersWrite: (account, month, orders) => ({ item: { Put: { TableName: db.table, Item: { ...monthKey(account, month), orders } } } }),
  async countOrders(account, month, most = Number.POSITIVE_INFINITY) {
    const start = earliestId('ord', Date.parse(`${month}-01T00:00:00.000Z`));
    let count = 0;
    for await (const { Count = 0 } of queryPages(db, {
      partition: partition('order', account),
      range: (sk) => expr`${sk} >= ${start}`,
      Select: 'COUNT',
    })) {
      count += Count;
      if (count >= most) return most;
    }
    return count;
  },
});
