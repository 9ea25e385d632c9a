import { addMoney } from '../../core/money.ts';
import { countsForCustomer, type Order } from '../order/record.ts';

/** What a change of an order moves in its customer's totals. */
export interface TotalsDelta {
  readonly orders: 1 | 0 | -1;
  /** In the account's currency. */
  readonly spent: number;
}

type Countable = Pick<Order, 'customer_id' | 'status' | 'deleted_at' | 'total' | 'currency'>;
type Counted = Pick<Order, 'total' | 'counted'>;

/**
 * What the order counts for after a change: its total where that is in the account's currency, else 0; null where it does not count.
 * An order whose total stays is not counted anew, so that no other change moves totals after the account's currency was changed.
 */
const countOf = (before: Counted | undefined, after: Countable, accountCurrency: string | null): number | null => {
  if (!countsForCustomer(after)) return null;
  if (before && before.counted !== null && before.total === after.total) return before.counted;
  return after.currency === accountCurrency ? after.total : 0;
};

/**
 * The order as it is to be stored, with what it counts for, and what that moves: what it counts for less what it counted for before,
 * so that what goes back is what was added, whatever became of the account's currency, and once. `before` is absent where the order
 * is new, `delta` where nothing moves.
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
