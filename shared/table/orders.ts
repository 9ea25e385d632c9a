import type { Order } from '../domain/order/record.ts';
import type { Db } from './client.ts';
import { byTime, type List, type ListSpec, openList } from './lists.ts';
import { openRecords, type Records } from './records.ts';

/** Deleted orders are in no list. */
export interface Orders extends Records<Order> {
  readonly list: List<'order', Order, Order>['read'];
}

const lists: ListSpec<'order', Order> = {
  kind: 'order',
  sorts: {
    createdAt: byTime((order) => order.created_at),
    updatedAt: byTime((order) => order.updated_at),
    // Orders without a date sort below every date, so that they come last and stay in the list.
    deliveryDate: { value: (order) => order.delivery_date ?? '0000-00-00', position: String },
  },
  isGone: (order) => order.deleted_at !== null,
};

export const openOrders = (db: Db): Orders => {
  const { entries, read } = openList(db, lists);
  return { ...openRecords(db, { kind: 'order', name: 'order', entries, absolute: true }), list: read };
};
