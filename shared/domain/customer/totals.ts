import { addMoney } from '../../core/money.ts';
import { countsForCustomer, type Order } from '../order/record.ts';

/** How a change of an order changes its customer's totals. */
export interface TotalsDelta {
  readonly orders: 1 | 0 | -1;
  /** In the account's currency. */
  readonly spent: number;
}

type Countable = Pick<Order, 'customer_id' | 'status' | 'deleted_at' | 'total' | 'currency'>;
type Counted = Pick<Order, 'total' | 'counted'>;

/**
 * Returns what the order counts for after a change: its total in the account's currency, 0 in
 * another one, null if it does not count. An order with an unchanged total keeps its count, so that
 * no other change moves totals after the account's currency changed.
 */
const countOf = (before: Counted | undefined, after: Countable, accountCurrency: string | null): number | null => {
  if (!countsForCustomer(after)) return null;
  if (before && before.counted !== null && before.total === after.total) return before.counted;
  return after.currency === accountCurrency ? after.total : 0;
};

/**
 * Returns the order to store, with what it counts for, and the change of the totals: the new count
 * less the old one. So an amount that is subtracted equals the amount that was added, even if the
 * account's currency changed. `before` is absent for a new order, `delta` if nothing changes.
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
