import { allRoutes, type GroupName, type groups } from '../../functions/groups.ts';
import type { Route } from '../../shared/core/routes.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import type { Customer } from '../../shared/domain/customer/fields.ts';
import type { Expense } from '../../shared/domain/expense/fields.ts';
import type { Order } from '../../shared/domain/order/fields.ts';
import { isStorefrontVisible, type Product } from '../../shared/domain/product/fields.ts';
import type { Write } from '../../shared/table/write.ts';
import { bulkPut } from './bulk.ts';
import type { ListOwner, ListSample } from './list-sample.ts';
import { productOf, saveProduct } from './products.ts';
import { changeExpense, expenseOf } from './records.ts';
import { customerOf, orderItemOf, orderOf } from './shop.ts';
import { deliveries, webhooks } from './webhook-lists.ts';
import type { World } from './world.ts';

const firstMs = Date.UTC(2026, 0, 1);
const dayMs = 86_400_000;
const at = <Value>(values: readonly Value[], i: number): Value => values[i % values.length] as Value;
/**
 * Returns a time after the first one. Each time occurs `ties` times; the order is shuffled by a
 * step that is coprime to the count.
 */
const moment = (i: number, count: number, step: number, ties: number, unitMs: number): number =>
  firstMs + Math.floor(((i * step) % count) / ties) * unitMs;

const inBulk =
  <Listed>(
    recordOf: (i: number, count: number, text: string | null) => Listed,
    writesOf: (store: World['store'], account: string, record: Listed) => readonly Write[],
  ) =>
  async ({ world, account }: ListOwner, count: number, text?: string): Promise<readonly Listed[]> => {
    const records = Array.from({ length: count }, (_, i) => recordOf(i, count, text ?? null));
    await bulkPut(
      world.engine,
      records.flatMap((record) => writesOf(world.store, account, record)),
    );
    return records;
  };

const dateOf = (days: number): number => firstMs / 1000 + days * 86_400;
const expenses: ListSample<Expense> = {
  fill: inBulk(
    (i, count, description) =>
      expenseOf(firstMs, {
        description,
        category: at(['ingredients', 'rent', 'other'], i),
        status: at(['submitted', 'draft', 'recorded', 'approved', 'weird status'], i),
        supplier: at([null, { id: 'sup_1', name: 'Mill' }, { id: null, name: 'Market' }, { id: 'sup#2', name: null }], i),
        date: moment(i, count, 7, 6, dayMs) / 1000 + at([0, 0, 3_600, 86_399], i),
        updated_at: isoFromMs(moment(i, count, 13, 4, 1_000)),
        deleted_at: i % 11 === 10 ? '2026-03-01T00:00:00.000Z' : null,
      }),
    ({ expenses }, account, expense) => [expenses.createWrite(account, expense)],
  ),
  shows: ({ deleted_at }) => deleted_at === null,
  sorts: [
    { query: '', by: ({ date }) => date },
    { query: `date_from=${isoFromMs(firstMs + 20 * dayMs)}`, by: ({ date }) => date, takes: ({ date }) => date >= dateOf(20) },
    { query: 'date_to=2026-01-31', by: ({ date }) => date, takes: ({ date }) => date < dateOf(31) },
    { query: 'date_to=2026-01-31T00:00:00Z', by: ({ date }) => date, takes: ({ date }) => date <= dateOf(30) },
    {
      query: `date_from=${dateOf(10)}&date_to=${isoFromMs(firstMs + 40 * dayMs)}`,
      by: ({ date }) => date,
      takes: ({ date }) => date >= dateOf(10) && date <= dateOf(40),
    },
    { query: 'order_by=updated_at', by: ({ updated_at }) => updated_at },
    {
      query: 'updated_after=2026-01-01T00:00:30Z',
      by: ({ updated_at }) => updated_at,
      takes: ({ updated_at }) => updated_at >= '2026-01-01T00:00:30.000Z',
    },
  ],
  defaultSort: 'order_by=date',
  filters: {
    'category=rent': ({ category }) => category === 'rent',
    'status=weird%20status': ({ status }) => status === 'weird status',
    'supplier_id=sup%232': ({ supplier }) => supplier?.id === 'sup#2',
    'supplier_id=sup_1': ({ supplier }) => supplier?.id === 'sup_1',
  },
  remove: ({ world, account }, { id }) => changeExpense(world, account, id, { deleted_at: '2026-03-10T09:00:00.000Z' }),
  change: {
    queries: ['order_by=updated_at', 'category=rent'],
    apply: ({ world, account }, { id }) => changeExpense(world, account, id, { category: 'taxes' }),
  },
};

const products: ListSample<Product> = {
  fill: inBulk(
    (i, count, description) =>
      productOf(moment(i, count, 7, 4, 1_000), {
        description,
        name: at(['Rye loaf', 'Lemon TART', 'Tartelette', 'Éclair', 'Bun'], Math.floor(i / 5)),
        category: at(['cakes', 'Cakes', null, 'bread#storefront', 'tea & coffee'], i),
        status: at(['active', 'active', 'active', 'draft', 'archived', 'active', 'deleted'], i),
        hidden: i % 13 === 12,
        updated_at: isoFromMs(moment(i, count, 13, 4, 1_000) + dayMs),
      }),
    ({ products }, account, product) => [products.createWrite(account, product)],
  ),
  shows: (product, keyType) => (keyType === 'secret' ? product.status !== 'deleted' : isStorefrontVisible(product)),
  sorts: [
    { query: '', by: ({ created_at }) => created_at },
    { query: 'updated_after=2026-01-01', by: ({ updated_at }) => updated_at },
    {
      query: 'updated_after=2026-01-02T00:00:20Z',
      by: ({ updated_at }) => updated_at,
      takes: ({ updated_at }) => updated_at >= '2026-01-02T00:00:20.000Z',
    },
  ],
  filters: {
    'category=cakes': ({ category }) => category === 'cakes',
    'category=bread%23storefront': ({ category }) => category === 'bread#storefront',
    'search=tart': ({ name }) => /tart/i.test(name),
    'search=%C3%A9CLA': ({ name }) => name === 'Éclair',
    'category=Cakes&search=BUN': ({ category, name }) => category === 'Cakes' && name === 'Bun',
  },
  remove: ({ world, account }, { id }) => saveProduct(world, account, id, { status: 'deleted' }),
  change: {
    queries: ['updated_after=2026-01-01', 'category=cakes'],
    apply: ({ world, account }, { id }) => saveProduct(world, account, id, { category: 'buns' }),
  },
};

const fullName = ({ first_name, last_name }: Customer) => `${first_name ?? ''} ${last_name ?? ''}`.trim().toLowerCase();
const customers: ListSample<Customer> = {
  fill: inBulk(
    (i, count, notes) => {
      const createdMs = firstMs + Math.floor(i / 2) * 1_000;
      return customerOf(createdMs, {
        notes,
        first_name: at(['Ada', 'Bo', 'Cléa', null], i),
        last_name: i % 3 === 0 ? 'Miller' : null,
        email: i % 5 === 0 ? null : `Person${i}@Example.com`,
        external_id: at([null, 'till 7', null, 'a#1'], i),
        updated_at: isoFromMs(moment(i, count, 13, 4, 1_000)),
      });
    },
    ({ customers }, account, customer) => customers.createWrites(account, customer),
  ),
  sorts: [
    { query: '', by: ({ created_at }) => created_at },
    { query: 'updated_after=2026-01-01', by: ({ updated_at }) => updated_at },
    {
      query: 'updated_after=2026-01-01T00:00:20Z',
      by: ({ updated_at }) => updated_at,
      takes: ({ updated_at }) => updated_at >= '2026-01-01T00:00:20.000Z',
    },
  ],
  filters: {
    'search=ADA': (customer) => fullName(customer).includes('ada'),
    'search=a%20mill': (customer) => fullName(customer).includes('a mill'),
    'search=CL%C3%89A': (customer) => fullName(customer).includes('cléa'),
    'external_id=a%231': ({ external_id }) => external_id === 'a#1',
    'external_id=till%207&search=bo': (customer) => customer.external_id === 'till 7' && fullName(customer).includes('bo'),
    'external_id=': () => false,
    'email=PERSON7@example.com': ({ email }) => email === 'Person7@Example.com',
  },
  change: {
    queries: ['', 'updated_after=2026-01-01', 'search=ADA'],
    async apply({ world: { store, clock }, account }, { id }) {
      const stored = await store.customers.get(account, id);
      if (!stored) throw new Error(`No customer ${id}.`);
      const after = { ...stored.record, first_name: 'Zoe', updated_at: isoFromMs(clock.now()) };
      await store.commit(store.customers.replaceWrites(account, stored, after));
    },
  },
};

const saveOrder = async ({ world: { store, clock }, account }: ListOwner, { id }: Order, fields: Partial<Order>): Promise<void> => {
  const stored = await store.orders.get(account, id);
  if (!stored) throw new Error(`No order ${id}.`);
  const order = { ...stored.record, ...fields, updated_at: isoFromMs(clock.now()) };
  await store.commit([store.orders.replaceWrite(account, order, stored)]);
};
const orders: ListSample<Order> = {
  fill: inBulk(
    (i, count, notes) =>
      orderOf(firstMs, {
        items: [orderItemOf({ notes })],
        order_number: i + 1,
        status: at(['pending', 'confirmed', 'ready', 'cancelled'], i),
        payment_status: at(['pending', 'paid', 'legacy_import'], i),
        customer_id: i % 5 === 0 ? null : `cus_${i % 2}`,
        external_id: at([null, null, 'till 7', 'a#1'], i),
        delivery_date: i % 5 === 1 ? null : `2026-0${1 + (i % 9)}-1${i % 10}`,
        created_at: isoFromMs(firstMs + Math.floor(i / 2) * 3_600_000),
        updated_at: isoFromMs(moment(i, count, 13, 4, 1_000)),
        deleted_at: i % 17 === 16 ? isoFromMs(firstMs) : null,
      }),
    ({ orders }, account, order) => [orders.createWrite(account, order)],
  ),
  shows: ({ deleted_at }) => deleted_at === null,
  sorts: [
    { query: '', by: ({ created_at }) => created_at },
    { query: 'created_after=2026-01-02', by: ({ created_at }) => created_at, takes: ({ created_at }) => created_at >= '2026-01-02' },
    { query: 'sort=updatedAt', by: ({ updated_at }) => updated_at },
    { query: 'sort=deliveryDate', by: ({ delivery_date }) => delivery_date ?? '' },
  ],
  defaultSort: 'sort=createdAt',
  filters: {
    'status=ready': ({ status }) => status === 'ready',
    'status=draft': () => false,
    'status=pending,%20cancelled,pending': ({ status }) => ['pending', 'cancelled'].includes(status),
    'status=pending,confirmed,ready,cancelled,draft': () => true,
    'payment_status=paid': ({ payment_status }) => payment_status === 'paid',
    'payment_status=legacy_import': ({ payment_status }) => payment_status === 'legacy_import',
    'payment_status=nobody_has_it': () => false,
    'external_id=a%231': ({ external_id }) => external_id === 'a#1',
    'external_id=%20till+7': ({ external_id }) => external_id === 'till 7',
    'external_id=till%207&status=ready': ({ external_id, status }) => external_id === 'till 7' && status === 'ready',
    'external_id=till': () => false,
    'customer_id=cus_1': ({ customer_id }) => customer_id === 'cus_1',
    'customer_id=cus_': () => false,
    'customer_id=cus_0&status=pending,ready': (o) => o.customer_id === 'cus_0' && ['pending', 'ready'].includes(o.status),
    'customer_id=cus_0&payment_status=paid': (o) => o.customer_id === 'cus_0' && o.payment_status === 'paid',
    'status=ready,confirmed&payment_status=paid': (o) => ['ready', 'confirmed'].includes(o.status) && o.payment_status === 'paid',
    'customer_id=cus_1&status=confirmed&payment_status=pending': (o) =>
      o.customer_id === 'cus_1' && o.status === 'confirmed' && o.payment_status === 'pending',
  },
  remove: (owner, order) => saveOrder(owner, order, { deleted_at: isoFromMs(firstMs) }),
  change: {
    queries: ['sort=updatedAt', 'sort=deliveryDate', 'payment_status=paid'],
    apply: (owner, order) => saveOrder(owner, order, { payment_status: 'refunded', delivery_date: '2027-01-01' }),
  },
};

type AnyRoute = (typeof groups)[GroupName][number];
type ListOperation = Extract<AnyRoute, { readonly query: { readonly entries: { readonly cursor: unknown } } }>['operation'];

const samples: Readonly<Record<ListOperation, ListSample<any>>> = {
  listCustomers: customers,
  listExpenses: expenses,
  listOrders: orders,
  listProducts: products,
  listWebhooks: webhooks,
  listWebhookEvents: deliveries,
};

const isList = ({ query }: Route): boolean => query !== undefined && 'entries' in query && 'cursor' in (query.entries as object);
/** Every route with paginated responses. */
export const listRoutes = allRoutes.filter(isList);

/** Throws if a list has no sample. */
export const listSample = ({ operation }: Route): ListSample<any> => {
  const sample: ListSample<any> | undefined = Object.hasOwn(samples, operation) ? samples[operation as ListOperation] : undefined;
  if (!sample) throw new Error(`No list sample for ${operation}.`);
  return sample;
};
