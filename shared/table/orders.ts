import type { Order } from '../domain/order/record.ts';
import type { Db } from './client.ts';
import { indexEntry, partition, timePosition } from './keys.ts';
import { packOrder } from './packed-orders.ts';
import { type Page, type PageRequest, queryMerged, separator } from './page.ts';
import { openRecords, type RecordSpec, type Records } from './records.ts';
import type { IndexName } from './schema.ts';
import type { Item } from './write.ts';

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
  /** Deleted ones are in no list. One filter by creation has an index of its own; what has none is judged after the read. */
  list(account: string, query: OrderQuery, page: PageRequest): Promise<Page<Order>>;
}

type Filter = 'none' | 'status' | 'payment_status' | 'customer_id';

/** By creation, which is what most ask for, a page costs what it shows: one index per filter. Each other order has one for all. */
const indexes = {
  createdAt: { none: 'gsi1', status: 'gsi2', payment_status: 'gsi3', customer_id: 'gsi4' },
  updatedAt: { none: 'gsi5' },
  deliveryDate: { none: 'gsi6' },
} as const satisfies Record<OrderSort, Partial<Record<Filter, IndexName>>>;

/** Sorts below every date, so that orders without one come last and none drops out. */
const noDate = '0000-00-00';

const indexPartition = (account: string, value?: string): string => partition('order', account, ...(value === undefined ? [] : [value]));

const spec: RecordSpec<Order> = {
  kind: 'order',
  name: 'order',
  pack: packOrder,
  entries(account, order) {
    if (order.deleted_at !== null) return {};
    const entry = (index: IndexName, value: string | undefined, position: string) =>
      indexEntry(index, indexPartition(account, value), `${position}${separator}${order.id}`);
    const created = timePosition(order.created_at);
    const { createdAt, updatedAt, deliveryDate } = indexes;
    return {
      ...entry(createdAt.none, undefined, created),
      ...entry(createdAt.status, order.status, created),
      ...entry(createdAt.payment_status, order.payment_status, created),
      ...(order.customer_id === null ? {} : entry(createdAt.customer_id, order.customer_id, created)),
      ...entry(updatedAt.none, undefined, timePosition(order.updated_at)),
      ...entry(deliveryDate.none, undefined, order.delivery_date ?? noDate),
    };
  },
};

/** By creation the index of the most selective filter: customer before status before payment status. */
const sourceOf = (
  account: string,
  { sort, customerId, statuses, paymentStatus }: OrderQuery,
): { readonly index: IndexName; readonly partitions: readonly string[]; readonly filter: Filter } => {
  const source = (filter: keyof typeof indexes.createdAt, values: readonly string[]) => ({
    index: indexes.createdAt[filter],
    partitions: values.map((value) => indexPartition(account, value)),
    filter,
  });
  if (sort !== 'createdAt') return { index: indexes[sort].none, partitions: [indexPartition(account)], filter: 'none' };
  if (customerId !== undefined) return source('customer_id', [customerId]);
  if (statuses !== undefined) return source('status', statuses);
  if (paymentStatus !== undefined) return source('payment_status', [paymentStatus]);
  return { index: indexes.createdAt.none, partitions: [indexPartition(account)], filter: 'none' };
};

export const openOrders = (db: Db): Orders => ({
  ...openRecords(db, spec),
  async list(account, query, page) {
    const { statuses, paymentStatus, customerId, from, to } = query;
    const { index, partitions, filter } = sourceOf(account, query);
    const asked: readonly (readonly [Filter, readonly unknown[] | undefined])[] = [
      ['status', statuses],
      ['payment_status', paymentStatus === undefined ? undefined : [paymentStatus]],
      ['customer_id', customerId === undefined ? undefined : [customerId]],
    ];
    const judged = asked.filter(([name, values]) => values !== undefined && name !== filter);
    const keep = (item: Item): boolean => judged.every(([name, values]) => values?.includes((item['view'] as Item)[name]));
    const { records, next } = await queryMerged(
      db,
      {
        index,
        partitions,
        home: partition('order', account),
        ...(from === undefined ? {} : { from: timePosition(from) }),
        ...(to === undefined ? {} : { to: timePosition(to) }),
        ...(judged.length > 0 ? { keep } : {}),
        isGone: (item) => (item['view'] as Order).deleted_at !== null,
      },
      page,
    );
    return { records: records.map((item) => item['view'] as Order), ...(next ? { next } : {}) };
  },
});
