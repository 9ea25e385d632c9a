import { notFound, StaleDecision } from '../../shared/core/errors.ts';
import type { Account } from '../../shared/domain/account/record.ts';
import { countOrder, type TotalsDelta } from '../../shared/domain/customer/totals.ts';
import type { Order } from '../../shared/domain/order/record.ts';
import type { Store } from '../../shared/table/store.ts';
import type { Write } from '../../shared/table/write.ts';
import type { Modified } from './modify-record.ts';

const totalsWrites = (store: Store, account: Account, { customer_id }: Order, delta: TotalsDelta | undefined): readonly Write[] => {
  if (customer_id === null || delta === undefined) return [];
  // A customer that is gone has left its orders too: they are read again.
  return [
    store.customers.totalsWrite(
      account.id,
      customer_id,
      delta,
      () => new StaleDecision('The customer was changed at the same time; please retry.'),
    ),
  ];
};

/** Changes an order and, in the same transaction, what it counts for in its customer's totals. */
export const modifyOrder = async (
  store: Store,
  account: Account,
  id: string,
  change: (order: Order) => Order,
): Promise<Modified<Order>> => {
  const stored = await store.orders.get(account.id, id);
  if (!stored || stored.record.deleted_at !== null) throw notFound('Order');
  const { record: before, revision } = stored;
  const after = change(before);
  if (after === before) return { record: before, writes: [] };
  const { order, delta } = countOrder(before, after, account.currency);
  return {
    record: order,
    writes: [store.orders.replaceWrite(account.id, order, revision), ...totalsWrites(store, account, before, delta)],
  };
};
