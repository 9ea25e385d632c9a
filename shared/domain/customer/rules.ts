import { addMoney } from '../../core/money.ts';
import { type EventOfChange, type Images, isSaved } from '../event/types.ts';
import type { Order } from '../order/fields.ts';
import { countsForCustomer } from '../order/rules.ts';
import { type Customer, customerPayload } from './fields.ts';

/**
 * Returns the events of a change. A change of only the totals is not a save and emits nothing
 * (decisions §7).
 */
export const customerEvents = ({ before, after }: Images<Customer>): readonly EventOfChange[] => {
  if (before && !isSaved(before, after)) return [];
  return [{ type: before ? 'customer.updated' : 'customer.created', object: customerPayload(after.record) }];
};

/** Change of a customer's totals by a change of an order. */
export interface TotalsDelta {
  readonly orders: 1 | 0 | -1;
  /** In the account's currency. */
  readonly spent: number;
}

type Countable = Pick<Order, 'customer_id' | 'status' | 'deleted_at' | 'total' | 'currency'>;
type Counted = Pick<Order, 'total' | 'counted'>;

/**
 * Returns the amount that an order counts for: its total in the account's currency, 0 in another
 * currency, null if it does not count. If the order's total is unchanged, its amount stays, so that
 * totals do not change only because the account's currency did.
 */
const countOf = (before: Counted | undefined, after: Countable, accountCurrency: string | null): number | null => {
  if (!countsForCustomer(after)) return null;
  if (before && before.counted !== null && before.total === after.total) return before.counted;
  return after.currency === accountCurrency ? after.total : 0;
};

/**
 * Returns the order to store with the amount that it counts for, and the change of the totals: the
 * new amount minus the stored one. So the service subtracts exactly what it added, even if the
 * account's currency changed. `before` is absent for a new order; `delta` is absent if the totals
 * stay.
 */
export const countOrder = (
  before: Counted | undefined,
  after: Order,
  accountCurrency: string | null,
): { readonly order: Order; readonly delta?: TotalsDelta } => {
  const [was, is] = [before?.counted ?? null, countOf(before, after, accountCurrency)];
  const orders = (Number(is !== null) - Number(was !== null)) as TotalsDelta['orders'];
  const spent = addMoney(is ?? 0, -(was ?? 0));
  const order = { ...after, counted: is };
  return orders === 0 && spent === 0 ? { order } : { order, delta: { orders, spent } };
};
