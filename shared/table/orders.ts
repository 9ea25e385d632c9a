import type { Order } from '../domain/order/fields.ts';
import type { Db } from './client.ts';
import { byTime, type List, type ListSpec, openList } from './lists.ts';
import { openRecords, type Records } from './records.ts';

/** Lists return no deleted orders. */
export interface Orders extends Records<Order> {
  readonly list: List<'order', Order, Order>['read'];
  readonly entries: List<'order', Order, Order>['entries'];
}

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

export const openOrders = (db: Db): Orders => {
  const { entries, read } = openList(db, lists);
  return { ...openRecords(db, { kind: 'order', name: 'order', entries, absolute: true }), list: read, entries };
};
