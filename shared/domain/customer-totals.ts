import { addMoney } from '../core/money.ts';
import { countsForCustomer, type Order } from './order.ts';

/** What a change of an order moves in its customer's totals. */
export interface TotalsDelta {
  readonly orders: 1 | 0 | -1;
  /** In the account's currency. */
  readonly spent: number;
}

type Counted = Pick<Order, 'status' | 'deleted_at' | 'total' | 'currency'>;

const shareOf = (order: Counted | undefined, accountCurrency: string | null): { readonly orders: 0 | 1; readonly spent: number } =>
  order && countsForCustomer(order) ? { orders: 1, spent: order.currency === accountCurrency ? order.total : 0 } : { orders: 0, spent: 0 };

/**
 * The totals are what counts after less what counted before, so an order that is cancelled and then deleted goes back once.
 * `before` is absent where the order is new; undefined where nothing moves.
 */
export const totalsDelta = (before: Counted | undefined, after: Counted, accountCurrency: string | null): TotalsDelta | undefined => {
  const [was, is] = [shareOf(before, accountCurrency), shareOf(after, accountCurrency)];
  const orders = (is.orders - was.orders) as TotalsDelta['orders'];
  const spent = addMoney(is.spent, -was.spent);
  return orders === 0 && spent === 0 ? undefined : { orders, spent };
};
