import { ApiError } from '../core/errors.ts';
import { type Customer, customerName, emailKey } from '../domain/customer.ts';
import type { TotalsDelta } from '../domain/customer-totals.ts';
import type { Db } from './client.ts';
import { indexEntry, partition } from './keys.ts';
import { type Page, type PageRequest, queryMerged, separator } from './page.ts';
import { openRecords, type RecordSpec, type Stored } from './records.ts';
import type { IndexName } from './schema.ts';
import type { Write } from './write.ts';

export interface CustomerQuery {
  /** Inclusive ISO 8601; orders by update. */
  readonly updatedAfter?: string;
  readonly email?: string;
  /** Part of the name, in any case; judged after the read. */
  readonly search?: string;
}

/** What an order adds to its customer's totals, or takes back. */
export interface TotalsChange extends TotalsDelta {
  /** Set where an order is new. */
  readonly lastOrderDate?: string;
  /** Nothing new is made for a person who was erased: they are as good as gone. */
  readonly forNewOrder?: true;
}

export interface Customers {
  get(account: string, id: string): Promise<Stored<Customer> | undefined>;
  /** The id that holds the email, in any case; consistent. */
  findByEmail(account: string, email: string): Promise<string | undefined>;
  list(account: string, query: CustomerQuery, page: PageRequest): Promise<Page<Customer>>;
  /** `taken` is the refusal where another customer has the email; 409 unless said otherwise. */
  createWrites(account: string, customer: Customer, taken?: () => Error): readonly Write[];
  replaceWrites(account: string, before: Stored<Customer>, after: Customer): readonly Write[];
  /** Changes the totals without a save: no event, no `updated_at`. */
  totalsWrite(account: string, id: string, change: TotalsChange, gone: () => Error): Write;
}

type Order = 'created' | 'updated';
const indexes: Record<Order, Record<'none' | 'email', IndexName>> = {
  created: { none: 'gsi1', email: 'gsi2' },
  updated: { none: 'gsi3', email: 'gsi4' },
};

const indexPartition = (account: string, filter: 'none' | 'email', value = ''): string => partition('customer', account, filter, value);

const spec: RecordSpec<Customer> = {
  kind: 'customer',
  name: 'customer',
  silent: ['total_orders', 'total_spent', 'last_order_date'],
  entries(account, { id, email, created_at, updated_at }) {
    const [created, updated] = [`${created_at}${separator}${id}`, `${updated_at}${separator}${id}`];
    const byEmail = email === null ? undefined : indexPartition(account, 'email', emailKey(email));
    return {
      ...indexEntry(indexes.created.none, indexPartition(account, 'none'), created),
      ...indexEntry(indexes.updated.none, indexPartition(account, 'none'), updated),
      ...(byEmail === undefined
        ? {}
        : { ...indexEntry(indexes.created.email, byEmail, created), ...indexEntry(indexes.updated.email, byEmail, updated) }),
    };
  },
};

const emailItemKey = (account: string, email: string) => ({ pk: partition('customerEmail', account), sk: emailKey(email) });
const emailTaken = (): ApiError => new ApiError('conflict', 'A customer with this email exists.', { field: 'email' });

export const openCustomers = (db: Db): Customers => {
  const records = openRecords(db, spec);
  const claim = (account: string, email: string, customer: string, refuse: () => Error): Write => ({
    item: {
      Put: { TableName: db.table, Item: { ...emailItemKey(account, email), customer }, ConditionExpression: 'attribute_not_exists(pk)' },
    },
    refuse,
  });
  const release = (account: string, email: string): Write => ({
    item: { Delete: { TableName: db.table, Key: emailItemKey(account, email) } },
  });
  return {
    get: records.get,
    findByEmail: async (account, email) => (await db.get(emailItemKey(account, email)))?.['customer'] as string | undefined,
    async list(account, { updatedAfter, email, search }, page) {
      const wanted = search?.toLowerCase();
      const { records: items, next } = await queryMerged(
        db,
        {
          index: indexes[updatedAfter === undefined ? 'created' : 'updated'][email === undefined ? 'none' : 'email'],
          partitions: [email === undefined ? indexPartition(account, 'none') : indexPartition(account, 'email', emailKey(email))],
          home: partition('customer', account),
          ...(updatedAfter === undefined ? {} : { from: updatedAfter }),
          ...(wanted === undefined
            ? {}
            : { keep: (item) => (customerName(item['view'] as Customer) ?? '').toLowerCase().includes(wanted) }),
          isGone: () => false,
        },
        page,
      );
      return { records: items.map((item) => item['view'] as Customer), ...(next ? { next } : {}) };
    },
    createWrites: (account, customer, taken = emailTaken) => [
      records.createWrite(account, customer),
      ...(customer.email === null ? [] : [claim(account, customer.email, customer.id, taken)]),
    ],
    replaceWrites(account, { record: before, revision }, after) {
      const moved = (before.email && emailKey(before.email)) !== (after.email && emailKey(after.email));
      return [
        records.replaceWrite(account, after, revision),
        ...(moved && before.email !== null ? [release(account, before.email)] : []),
        ...(moved && after.email !== null ? [claim(account, after.email, after.id, emailTaken)] : []),
      ];
    },
    totalsWrite: (account, id, { orders, spent, lastOrderDate, forNewOrder }, gone) => ({
      item: {
        Update: {
          TableName: db.table,
          Key: { pk: partition('customer', account), sk: id },
          UpdateExpression: [
            'SET #view.total_orders = #view.total_orders + :orders, #view.total_spent = #view.total_spent + :spent',
            ...(lastOrderDate === undefined ? [] : ['#view.last_order_date = :last']),
          ].join(', '),
          ConditionExpression: `attribute_exists(pk)${forNewOrder ? ' AND attribute_not_exists(#view.erased_at)' : ''}`,
          ExpressionAttributeNames: { '#view': 'view' },
          ExpressionAttributeValues: {
            ':orders': orders,
            ':spent': spent,
            ...(lastOrderDate === undefined ? {} : { ':last': lastOrderDate }),
          },
        },
      },
      refuse: gone,
    }),
  };
};
