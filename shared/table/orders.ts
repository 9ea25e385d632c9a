import type { Order } from '../domain/order.ts';
import type { Db } from './client.ts';
import { indexEntry, partition } from './keys.ts';
import { type Page, type PageRequest, queryMerged, separator } from './page.ts';
import { openRecords, type RecordSpec, type Records } from './records.ts';
import type { IndexName } from './schema.ts';

export type OrderSort = 'createdAt' | 'updatedAt' | 'deliveryDate';

export interface OrderQuery {
  readonly sort: OrderSort;
  /** Any of these. */
  readonly statuses?: readonly string[];
  readonly paymentStatus?: string;
  readonly customerId?: string;
  /** Inclusive ISO 8601 bounds on the creation; with the sort `createdAt` only. */
  readonly from?: string;
  readonly to?: string;
}

export interface Orders extends Records<Order> {
  /** Deleted ones are in no list. With several filters the most selective index is read and the rest judged afterwards. */
  list(account: string, query: OrderQuery, page: PageRequest): Promise<Page<Order>>;
}

type Filter = 'none' | 'status' | 'payment_status' | 'customer_id';

/** One index per filter and sort: a page costs what it weighs, whatever the account weighs. */
const indexes: Record<OrderSort, Record<Filter, IndexName>> = {
  createdAt: { none: 'gsi1', status: 'gsi2', payment_status: 'gsi3', customer_id: 'gsi4' },
  updatedAt: { none: 'gsi5', status: 'gsi6', payment_status: 'gsi7', customer_id: 'gsi8' },
  deliveryDate: { none: 'gsi9', status: 'gsi10', payment_status: 'gsi11', customer_id: 'gsi12' },
};

/** Sorts below every date, so that orders without one come last and none drops out. */
const noDate = '0000-00-00';

const indexPartition = (account: string, filter: Filter, value = ''): string => partition('order', account, filter, value);

const spec: RecordSpec<Order> = {
  kind: 'order',
  name: 'order',
  entries(account, order) {
    if (order.deleted_at !== null) return {};
    const positions = { createdAt: order.created_at, updatedAt: order.updated_at, deliveryDate: order.delivery_date ?? noDate };
    const values = { none: '', status: order.status, payment_status: order.payment_status, customer_id: order.customer_id };
    const rows = (Object.keys(indexes) as OrderSort[]).flatMap((sort) =>
      (Object.keys(values) as Filter[]).map((filter) => {
        const value = values[filter];
        if (value === null) return {};
        return indexEntry(indexes[sort][filter], indexPartition(account, filter, value), `${positions[sort]}${separator}${order.id}`);
      }),
    );
    return Object.assign({}, ...rows) as Record<string, string>;
  },
};

/** The index to read and its partitions: by customer before by status before by payment status. */
const sourceOf = (
  account: string,
  { customerId, statuses, paymentStatus }: OrderQuery,
): { filter: Filter; partitions: readonly string[] } => {
  if (customerId !== undefined) return { filter: 'customer_id', partitions: [indexPartition(account, 'customer_id', customerId)] };
  if (statuses !== undefined) return { filter: 'status', partitions: statuses.map((status) => indexPartition(account, 'status', status)) };
  if (paymentStatus !== undefined)
    return { filter: 'payment_status', partitions: [indexPartition(account, 'payment_status', paymentStatus)] };
  return { filter: 'none', partitions: [indexPartition(account, 'none')] };
};

export const openOrders = (db: Db): Orders => ({
  ...openRecords(db, spec),
  async list(account, query, page) {
    const { statuses, paymentStatus, customerId, from, to } = query;
    const { filter, partitions } = sourceOf(account, query);
    const filters = [statuses, paymentStatus, customerId].filter((value) => value !== undefined).length;
    const keep = ({ status, payment_status }: Order): boolean =>
      (statuses === undefined || statuses.includes(status)) && (paymentStatus === undefined || payment_status === paymentStatus);
    const { records, next } = await queryMerged(
      db,
      {
        index: indexes[query.sort][filter],
        partitions,
        home: partition('order', account),
        ...(from === undefined ? {} : { from }),
        ...(to === undefined ? {} : { to }),
        ...(filters > 1 ? { keep: (item) => keep(item['view'] as Order) } : {}),
        isGone: (item) => (item['view'] as Order).deleted_at !== null,
      },
      page,
    );
    return { records: records.map((item) => item['view'] as Order), ...(next ? { next } : {}) };
  },
});
