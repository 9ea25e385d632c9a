import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { CustomerQuery } from '../../shared/table/customers.ts';
import type { Place } from '../../shared/table/page.ts';
import { bulkPut } from '../support/bulk.ts';
import { expectFlatPages, limit, sizes } from '../support/flat-pages.ts';
import { type Capacity, startCapacity } from '../support/list-capacity.ts';
import { customerOf } from '../support/shop.ts';

const startMs = Date.UTC(2020, 0, 1);
const accountOf = (size: number): string => `acct_${String(size).padStart(26, '0')}`;

let capacity: Capacity;
beforeAll(async () => {
  capacity = await startCapacity();
  for (const size of sizes) {
    const makeAll = function* () {
      for (let i = 0; i < size; i++) yield* capacity.store.customers.createWrites(accountOf(size), customerOf(startMs + i * 1_000));
    };
    await bulkPut(capacity.client, makeAll());
  }
});
afterAll(() => capacity.stop());

const read = async (size: number, query: CustomerQuery, after?: Place) => {
  capacity.wire.reset();
  const page = await capacity.store.customers.list(accountOf(size), query, { limit, ...(after ? { after } : {}) });
  return { page, units: capacity.wire.calls.reduce((sum, call) => sum + call.capacityUnits, 0) };
};

const from = new Date(startMs).toISOString();
test.each<CustomerQuery & { title: string }>([
  { title: 'newest first', sort: 'created' },
  { title: 'by update', sort: 'updated', from },
])('a page of 50 costs the same at 100 and at 3,000 customers: $title', ({ title: _, ...query }) =>
  expectFlatPages((size, after) => read(size, query, after), 5),
);

test('a list by email costs two reads, whatever its other filters and the number of customers', async () => {
  const [customer] = (await read(3_000, { sort: 'created' })).page.records;
  for (const query of [{}, { from }, { search: 'ada' }, { from, search: 'ada' }]) {
    const { page, units } = await read(3_000, { sort: 'updated', email: customer?.email ?? '', ...query });
    expect([page, units]).toEqual([{ records: [customer] }, 2]);
  }
});

test('a search for an unknown name reads at most 200 customers', async () => {
  const { page, units } = await read(3_000, { sort: 'created', search: 'zzz' });
  expect([page.records, page.next]).toEqual([[], expect.anything()]);
  expect(units).toBeLessThanOrEqual(4 * (await read(3_000, { sort: 'created' })).units + 2);
});
