import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Capacity, listShapes, startCapacity } from '../../bench/measure/list-capacity.ts';
import type { ListPosition, Page, PageRequest } from '../../shared/table/page.ts';
import type { Store } from '../../shared/table/store.ts';
import type { Write } from '../../shared/table/write.ts';
import { bulkPut } from '../support/bulk.ts';
import { productOf } from '../support/products.ts';
import { expenseOf } from '../support/records.ts';
import { customerOf, orderOf } from '../support/shop.ts';

/** Read units of list pages in small and large accounts. bench/list-capacity.ts measures larger ones. */
const sizes = [100, 1_000] as const;
const limit = 50;
const startMs = Date.UTC(2020, 0, 1);
const from = new Date(startMs).toISOString();

interface Shape {
  readonly title: string;
  /** `any`: each list has its own query. */
  readonly query: any;
  /** Whether a filter is evaluated after the read, because the sort order has no index with it. */
  readonly isFiltered?: boolean;
}

interface List {
  readonly write: (store: Store, account: string, i: number) => readonly Write[];
  readonly read: (store: Store, account: string, query: any, page: PageRequest) => Promise<Page<{ readonly id: string }>>;
  /** Greatest cost of a first page. */
  readonly most: number;
  readonly shapes: readonly Shape[];
}

const orderFilters = [{ status: ['pending'] }, { payment_status: ['paid'] }, { customer_id: ['cus_1'] }];
const categories = [undefined, { category: ['bread'] }];

const lists: Readonly<Record<string, List>> = {
  expenses: {
    write: ({ expenses }, account, i) => {
      const fields = { date: startMs / 1000 + i, category: 'rent', supplier: { id: 'sup_1', name: 'Mill' } };
      return [expenses.createWrite(account, expenseOf(startMs + i * 1_000, fields))];
    },
    read: ({ expenses }, ...page) => expenses.list(...page),
    most: 5,
    shapes: listShapes.map(({ title, query }) => ({ title, query, isFiltered: query.sort === 'updated_at' && query.where !== undefined })),
  },
  orders: {
    write: ({ orders }, account, i) => {
      const fields = { status: 'pending', payment_status: 'paid', customer_id: 'cus_1', delivery_date: '2026-03-12' };
      return [orders.createWrite(account, orderOf(startMs + i * 1_000, fields))];
    },
    read: ({ orders }, ...page) => orders.list(...page),
    most: 9,
    shapes: [
      ...['createdAt', 'updatedAt', 'deliveryDate'].flatMap((sort) => [
        { title: `by ${sort}`, query: { sort } },
        ...orderFilters.map((where) => ({
          title: `by ${sort}, one ${Object.keys(where)[0]}`,
          query: { sort, where },
          isFiltered: sort !== 'createdAt',
        })),
      ]),
      { title: 'in a range', query: { sort: 'createdAt', from, to: new Date(startMs + 86_400_000 * 365).toISOString() } },
    ],
  },
  customers: {
    write: ({ customers }, account, i) => customers.createWrites(account, customerOf(startMs + i * 1_000)),
    read: ({ customers }, ...page) => customers.list(...page),
    most: 5,
    shapes: [
      { title: 'newest first', query: { sort: 'created' } },
      { title: 'by update', query: { sort: 'updated', from } },
      { title: 'by an unknown name', query: { sort: 'created', search: 'zzz' }, isFiltered: true },
    ],
  },
  products: {
    write: ({ products }, account, i) => [products.createWrite(account, productOf(startMs + i * 1_000))],
    read: ({ products }, ...page) => products.list(...page),
    most: 5,
    shapes: [
      ...['created', 'updated', 'storefrontCreated', 'storefrontUpdated'].flatMap((sort) =>
        categories.map((where) => {
          const isByUpdate = /updated/i.test(sort);
          const query = { sort, ...(where && { where }), ...(isByUpdate && { from }) };
          return { title: `by ${sort}${where ? ', one category' : ''}`, query, isFiltered: isByUpdate && where !== undefined };
        }),
      ),
      { title: 'by an unknown name', query: { sort: 'storefrontCreated', search: 'zzz' }, isFiltered: true },
    ],
  },
};

const accountOf = (size: number): string => `acct_${String(size).padStart(26, '0')}`;

describe.each(Object.entries(lists))('a page of 50 %s', (title, { write, read, most, shapes }) => {
  let capacity: Capacity;
  beforeAll(async () => {
    capacity = await startCapacity();
    for (const size of sizes) {
      const writes = Array.from({ length: size }, (_one, i) => write(capacity.store, accountOf(size), i));
      await bulkPut(capacity.engine, writes.flat());
    }
  });
  afterAll(() => capacity.stop());

  const costOf = async (size: number, query: object, after?: ListPosition) => {
    capacity.wire.measure();
    const page = await read(capacity.store, accountOf(size), query, { limit, ...(after ? { after } : {}) });
    return { page, units: capacity.wire.calls.reduce((sum, call) => sum + call.capacityUnits, 0) };
  };

  test.each(shapes.filter(({ isFiltered }) => !isFiltered))(
    `a page of 50 ${title} costs the same among 100 and 1,000: $title`,
    async ({ query }) => {
      const units: number[][] = [];
      for (const size of sizes) {
        const first = await costOf(size, query);
        const second = await costOf(size, query, first.page.next);
        expect([first.page.records.length, second.page.records.length]).toEqual([limit, limit]);
        units.push([first.units, second.units]);
      }
      const [[fewFirst = 0, fewSecond = 0] = [], [manyFirst = 0, manySecond = 0] = []] = units;
      expect(Math.abs(fewFirst - manyFirst)).toBeLessThanOrEqual(1);
      expect(Math.abs(fewSecond - manySecond)).toBeLessThanOrEqual(1);
      expect(manyFirst).toBeLessThanOrEqual(most);
    },
  );

  const filtered = shapes.filter(({ isFiltered }) => isFiltered);
  test.each(filtered)(`a page of 50 ${title} that is filtered after the read takes at most 200 records: $title`, async ({ query }) => {
    const { where, search, ...plain } = query;
    const { page, units } = await costOf(1_000, query);
    expect(page.records).toHaveLength(search === undefined ? limit : 0);
    expect(page.next).toBeDefined();
    expect(units).toBeLessThanOrEqual(4 * (await costOf(1_000, plain)).units + 2);
  });
});

test.each([2, 3, 4])('a page of 50 orders of %d statuses costs no more than a page of each', async (k) => {
  const capacity = await startCapacity();
  try {
    const { orders } = capacity.store;
    const statuses = ['pending', 'confirmed', 'ready', 'dispatched'];
    const writes = Array.from({ length: 600 }, (_, i) =>
      orders.createWrite('acct_mixed', orderOf(startMs + i * 1_000, { status: statuses[i % 4] as string })),
    );
    await bulkPut(capacity.engine, writes);
    const unitsOf = async (status: readonly string[]) => {
      capacity.wire.measure();
      expect((await orders.list('acct_mixed', { sort: 'createdAt', where: { status } }, { limit })).records).toHaveLength(limit);
      return capacity.wire.calls.reduce((sum, call) => sum + call.capacityUnits, 0);
    };
    let ofEach = 0;
    for (const status of statuses.slice(0, k)) ofEach += await unitsOf([status]);
    expect(await unitsOf(statuses.slice(0, k))).toBeLessThanOrEqual(ofEach);
  } finally {
    await capacity.stop();
  }
});
