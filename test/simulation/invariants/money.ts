import type { Customer } from '../../../shared/domain/customer/fields.ts';
import type { InventoryItem } from '../../../shared/domain/inventory/fields.ts';
import type { Order } from '../../../shared/domain/order/fields.ts';
import { startingStock } from '../people/storefront.ts';
import { recordIn } from '../reading/records.ts';
import { changesOf, recordsOf, valuesDuring } from './history.ts';
import type { Evidence, Invariant } from './invariant.ts';

/** The most time from a read to the write that it decides, with calls that arrive late. */
const longestDecisionMs = 75_000;

/** Returns an amount in hundredths, so that sums do not use the product's arithmetic. */
const cents = (amount: number): number => Math.round(amount * 100);
const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + cents(amount), 0) / 100;

/** Whether an order counts in its customer's totals. */
const isLive = ({ customer_id, deleted_at, status }: Order): boolean =>
  customer_id !== null && deleted_at === null && status !== 'cancelled';

const customerFindings = (evidence: Evidence, account: string): readonly string[] => {
  const orders = recordsOf<Order>(evidence, 'order', account).filter(isLive);
  return recordsOf<Customer>(evidence, 'customer', account).flatMap(({ id, total_orders, total_spent }) => {
    const own = orders.filter(({ customer_id }) => customer_id === id);
    const spent = sumOf(own.map(({ counted }) => counted ?? 0));
    return [
      ...(total_orders === own.length ? [] : [`${id} has ${own.length} orders, and total_orders says ${total_orders}.`]),
      ...(total_spent === spent ? [] : [`The orders of ${id} counted ${spent}, and total_spent says ${total_spent}.`]),
    ];
  });
};

/**
 * Checks that each order counts once with its total, if its currency was the account's then, and
 * that nothing else changes its count.
 */
const countingFindings = (evidence: Evidence, account: string): readonly string[] =>
  changesOf(evidence, 'order', account).flatMap(({ before: old, after: fresh, atMs }) => {
    if (!fresh) return [];
    const after = recordIn<Order>(fresh);
    const before = old && recordIn<Order>(old);
    const description = `${after.id}, ${after.total} ${after.currency} and ${after.status}, counts for ${after.counted}`;
    if (!isLive(after)) return after.counted === null ? [] : [`${description}.`];
    if (before && isLive(before) && before.total === after.total)
      return before.counted === after.counted ? [] : [`${description}, and counted for ${before.counted} before.`];
    const currencies = valuesDuring(evidence, account, 'currency', [atMs - longestDecisionMs, atMs]);
    const right = currencies.map((currency) => (currency === after.currency ? after.total : 0));
    return right.some((amount) => amount === after.counted) ? [] : [`${description} where ${currencies.join(' or ')} counts.`];
  });

const orderFindings = (evidence: Evidence, account: string): readonly string[] =>
  recordsOf<Order>(evidence, 'order', account).flatMap(({ id, items, subtotal, tax, delivery_fee, discount, total }) => {
    const goods = items.reduce((sum, { quantity, unit_price }) => sum + cents(unit_price * quantity), 0);
    const isRight = cents(subtotal) === goods && cents(total) === goods + cents(tax) + cents(delivery_fee) - cents(discount);
    return isRight ? [] : [`${id} does not add up.`];
  });

const stockFindings = (evidence: Evidence, account: string): readonly string[] =>
  recordsOf<InventoryItem>(evidence, 'inventoryItem', account).flatMap(({ id, current_stock }) => {
    const deltas = evidence.journal.stocked.filter((one) => one.id === id).map(({ delta }) => delta);
    const stock = sumOf([startingStock, ...deltas]);
    return stock === current_stock ? [] : [`${id} has ${current_stock} in stock, and what was acknowledged leaves ${stock}.`];
  });

export const sums: Invariant = {
  number: 8,
  name: 'totals and stock are what the records come to',
  only: ['shop', 'mixed'],
  breaches: (evidence) =>
    evidence.accounts.flatMap((account) =>
      [customerFindings, countingFindings, orderFindings, stockFindings].flatMap((faults) => faults(evidence, account)),
    ),
};
