import { describe, expect, test } from '@jest/globals';
import { randomId } from '../../shared/core/ids.ts';
import type { ListQuery } from '../../shared/table/lists.ts';
import type { ListPosition } from '../../shared/table/page.ts';
import { shared } from '../support/shared.ts';
import { orderOf } from '../support/shop.ts';
import { startWorld } from '../support/world.ts';

/** DynamoDB ends a query after 1 MB, so seven of these records fill one. */
const heavy = 'x'.repeat(140_000);

interface Sown {
  readonly status: string;
  readonly payment_status: string;
  readonly notes: string | null;
}

const sow = (status: string, isHeavy: boolean, isPaid: boolean): Sown => ({
  ...{ status, payment_status: isPaid ? 'paid' : 'pending', notes: isHeavy ? heavy : null },
});

/** Each layout lists orders from the oldest to the newest. */
const layouts: Readonly<Record<string, readonly Sown[]>> = {
  'one status is heavy, and few of its orders pass the filter': Array.from({ length: 24 }, (_, i) =>
    sow(i % 2 === 0 ? 'pending' : 'confirmed', i % 2 === 0, i % 6 === 0 || i % 4 === 1),
  ),
  'both statuses are heavy': Array.from({ length: 24 }, (_, i) => sow(i % 3 === 0 ? 'pending' : 'confirmed', true, i % 5 === 0)),
  'the newest orders of one status are heavy, and all of the other are older': Array.from({ length: 20 }, (_, i) =>
    sow(i < 8 ? 'confirmed' : 'pending', i >= 8, i % 7 !== 2 || i < 8),
  ),
  'the light orders of one status are newer than all heavy ones of the other': Array.from({ length: 20 }, (_, i) =>
    sow(i < 15 ? 'pending' : 'confirmed', i < 15, i < 3 || i >= 15),
  ),
  'every heavy order is filtered out': Array.from({ length: 24 }, (_, i) =>
    sow(i % 2 === 0 ? 'pending' : 'confirmed', i % 2 === 0, i % 2 === 1),
  ),
};

const world = shared(startWorld);

describe('a list that merges several partitions, each longer than a query of the table', () => {
  const fill = async (sown: readonly Sown[]) => {
    const { store, clock } = world;
    const account = randomId('acct', clock.now());
    const orders = sown.map((fields, i) => orderOf(clock.now() + 60_000 * i, fields));
    for (const order of orders) await store.commit([store.orders.createWrite(account, order)]);
    return { account, newestFirst: orders.toReversed() };
  };
  const readPages = async (account: string, query: ListQuery<'order'>, limit: number): Promise<readonly (readonly string[])[]> => {
    const pages: string[][] = [];
    let after: ListPosition | undefined;
    do {
      const page = await world.store.orders.list(account, query, { limit, ...(after ? { after } : {}) });
      pages.push(page.records.map(({ id }) => id));
      after = page.next;
    } while (after);
    return pages;
  };

  test.each(Object.entries(layouts))('every order is listed once and in order if %s', async (_, sown) => {
    const { account, newestFirst } = await fill(sown);
    const where = { status: ['pending', 'confirmed'] };
    const all = newestFirst.map(({ id }) => id);
    const paid = newestFirst.filter(({ payment_status }) => payment_status === 'paid').map(({ id }) => id);
    for (const limit of [2, 5, 100]) {
      const unfiltered = await readPages(account, { sort: 'createdAt', where }, limit);
      expect({ limit, ids: unfiltered.flat() }).toEqual({ limit, ids: all });
      const filtered = await readPages(account, { sort: 'createdAt', where: { ...where, payment_status: ['paid'] } }, limit);
      expect({ limit, ids: filtered.flat() }).toEqual({ limit, ids: paid });
      for (const page of [...unfiltered, ...filtered]) expect(page.length).toBeLessThanOrEqual(limit);
    }
    // More pages than the limit asks for: the end of a query ended some of them.
    const pages = await readPages(account, { sort: 'createdAt', where: { ...where, payment_status: ['paid'] } }, 100);
    expect(pages.length).toBeGreaterThan(1);
  });
});
