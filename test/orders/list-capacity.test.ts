import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ListQuery, SortOf } from '../../shared/table/lists.ts';
import type { Place } from '../../shared/table/page.ts';
import { bulkPut } from '../support/bulk.ts';
import { expectFlatPages, limit, sizes } from '../support/flat-pages.ts';
import { type Capacity, startCapacity } from '../support/list-capacity.ts';
import { orderOf } from '../support/shop.ts';

const startMs = Date.UTC(2020, 0, 1);
const statuses = ['pending', 'confirmed', 'ready', 'dispatched'];

const filters: readonly (Partial<ListQuery<'order'>> & { readonly title: string })[] = [
  { title: 'no filter' },
  { title: 'one status', where: { status: ['pending'] } },
  { title: 'one payment status', where: { payment_status: ['paid'] } },
  { title: 'one customer', where: { customer_id: ['cus_1'] } },
  { title: 'in a range', from: new Date(startMs).toISOString(), to: new Date(startMs + 86_400_000 * 365).toISOString() },
];
const shapes = (['createdAt', 'updatedAt', 'deliveryDate'] as const satisfies readonly SortOf<'order'>[])
  .flatMap((sort) => filters.map((filter) => ({ ...filter, sort, title: `sort=${sort}, ${filter.title}` })))
  .filter(({ sort, from }) => from === undefined || sort === 'createdAt');

const accountOf = (size: number, name = ''): string => `acct_${name}${String(size).padStart(20, '0')}`;

let capacity: Capacity;
beforeAll(async () => {
  capacity = await startCapacity();
  const { store, client } = capacity;
  const load = (account: string, size: number, statusOf: (i: number) => string) =>
    bulkPut(
      client,
      (function* () {
        for (let i = 0; i < size; i++) {
          const members = { status: statusOf(i), payment_status: 'paid', customer_id: 'cus_1', delivery_date: '2026-03-12' };
          yield store.orders.createWrite(account, orderOf(startMs + i * 1_000, members));
        }
      })(),
    );
  for (const size of sizes) await load(accountOf(size), size, () => 'pending');
  await load(accountOf(600, 'mixed'), 600, (i) => statuses[i % 4] as string);
  await load(accountOf(600, 'rare'), 600, (i) => (i === 3 ? 'inquiry' : 'pending'));
});
afterAll(() => capacity.stop());

const read = async (account: string, query: ListQuery<'order'>, after?: Place) => {
  capacity.wire.reset();
  const page = await capacity.store.orders.list(account, query, { limit, ...(after ? { after } : {}) });
  return { page, units: capacity.wire.calls.reduce((sum, call) => sum + call.capacityUnits, 0) };
};

const isJudged = ({ sort, where }: ListQuery<'order'>): boolean => sort !== 'createdAt' && where !== undefined;

test.each(shapes.filter(isJudged))('a filter with another sort order reads at most 200 orders: $title', async ({ title: _, ...query }) => {
  const plain = await read(accountOf(3_000), { sort: query.sort });
  const { page, units } = await read(accountOf(3_000), query);
  expect(page.records).toHaveLength(limit);
  expect(units).toBeLessThanOrEqual(4 * plain.units + 2);
});

test.each(shapes.filter((shape) => !isJudged(shape)))(
  'a page of 50 costs the same at 100 and at 3,000 orders: $title',
  ({ title: _, ...query }) => expectFlatPages((size, after) => read(accountOf(size), query, after), 9),
);

test.each([2, 3, 4])('a page of %d statuses costs no more than as many pages of one', async (k) => {
  const account = accountOf(600, 'mixed');
  const one = await read(account, { sort: 'createdAt', where: { status: ['pending'] } });
  const several = await read(account, { sort: 'createdAt', where: { status: statuses.slice(0, k) } });
  expect([one.page.records.length, several.page.records.length]).toEqual([limit, limit]);
  expect(several.units).toBeLessThanOrEqual(k * one.units);
});

test.each<[string, ListQuery<'order'>]>([
  ['combined filters', { sort: 'createdAt', where: { customer_id: ['cus_1'], status: ['inquiry'] } }],
  ['a filter by update', { sort: 'updatedAt', where: { status: ['inquiry'] } }],
  ['a filter by delivery date', { sort: 'deliveryDate', where: { status: ['inquiry'] } }],
])('%s: pages may be empty although more follow, the rare order is found, and the list ends', async (_, query) => {
  const account = accountOf(600, 'rare');
  const plain = await read(account, { sort: 'createdAt' });
  const lengths: number[] = [];
  let after: Place | undefined;
  do {
    const { page, units } = await read(account, query, after);
    expect(units).toBeLessThanOrEqual(4 * plain.units + 2);
    lengths.push(page.records.length);
    after = page.next;
  } while (after);
  expect(lengths).toEqual([0, 0, 1]);
});
