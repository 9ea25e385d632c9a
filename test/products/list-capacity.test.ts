import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { isoFromMs } from '../../shared/core/time.ts';
import type { ListQuery } from '../../shared/table/lists.ts';
import { bulkPut } from '../support/bulk.ts';
import { expectFlatPages, limit, sizes } from '../support/flat-pages.ts';
import { type Capacity, startCapacity } from '../support/list-capacity.ts';
import { productOf } from '../support/products.ts';

const startMs = Date.UTC(2020, 0, 1);

const from = isoFromMs(startMs);
const shapes: readonly (ListQuery<'product'> & { readonly title: string })[] = [
  { title: 'all, newest first', sort: 'created' as const },
  { title: 'all, by update', sort: 'updated' as const, from },
  { title: 'storefront, newest first', sort: 'storefrontCreated' as const },
  { title: 'storefront, by update', sort: 'storefrontUpdated' as const, from },
].flatMap((shape) => [shape, { ...shape, title: `${shape.title}, one category`, where: { category: ['bread'] } }]);

const accountOf = (size: number): string => `acct_${String(size).padStart(26, '0')}`;

let capacity: Capacity;
beforeAll(async () => {
  capacity = await startCapacity();
  for (const size of sizes) {
    const makeAll = function* () {
      for (let i = 0; i < size; i++)
        yield capacity.store.products.createWrite(accountOf(size), productOf(startMs + i * 1_000, { description: 'Rye and wheat, 750 g' }));
    };
    await bulkPut(capacity.client, makeAll());
  }
});
afterAll(() => capacity.stop());

const read = async (size: number, query: ListQuery<'product'>, after?: { readonly position: string; readonly id: string }) => {
  capacity.wire.reset();
  const page = await capacity.store.products.list(accountOf(size), query, { limit, ...(after ? { after } : {}) });
  return { page, units: capacity.wire.calls.reduce((sum, call) => sum + call.capacityUnits, 0) };
};

const isJudged = ({ from: bound, where }: ListQuery<'product'>): boolean => bound !== undefined && where !== undefined;

test.each(shapes.filter((shape) => !isJudged(shape)))(
  'a page of 50 costs the same at 100 and at 3,000 products: $title',
  ({ title: _, ...query }) => expectFlatPages((size, after) => read(size, query, after), 5),
);

test.each(shapes.filter(isJudged))('a category by update reads at most 200 of many records: $title', async ({ title: _, ...query }) => {
  const { where: __, ...plain } = query;
  const { page, units } = await read(3_000, query);
  expect(page.records).toHaveLength(limit);
  expect(units).toBeLessThanOrEqual(4 * (await read(3_000, plain)).units + 2);
});

test('a search for an unknown name reads at most 200 of many records', async () => {
  const { units } = await read(3_000, { sort: 'storefrontCreated', search: 'zzz' });
  const page = await read(3_000, { sort: 'storefrontCreated' });
  expect(units).toBeLessThanOrEqual(4 * page.units + 2);
});
