import { beforeEach, describe, expect, test } from '@jest/globals';
import { routeOf } from '../../functions/groups.ts';
import type { Product } from '../../shared/domain/product/fields.ts';
import { listSample } from '../support/lists.ts';
import { saveProduct, writeProduct } from '../support/products.ts';
import { shared } from '../support/shared.ts';
import { openList } from '../support/walks.ts';
import { startWorld } from '../support/world.ts';

const world = shared(startWorld);
let account: string;
let key: string;
let products: readonly Product[];
beforeEach(async () => {
  account = (await world.createAccount()).id;
  key = await world.createKey(account);
  const made: Product[] = [];
  for (let i = 0; i < 6; i++) {
    world.clock.advance(1_000);
    made.push(await writeProduct(world, account, { name: `Loaf ${i}` }));
  }
  products = made.toReversed();
});

const list = (query: string, as = key) => world.request('GET', `/products?${query}`, { key: as });
const namesOf = ({ body }: { readonly body: any }) => body.data.map(({ name }: { name: string }) => name);

describe('updated_after', () => {
  test.each(['', 'yesterday', '2026-02-30', '1767225600', '2026-13-01T00:00:00Z'])(
    'updated_after is rejected if it is not a time: "%s"',
    async (value) => {
      const { status, body } = await list(`updated_after=${value}`);
      expect([status, body.error]).toEqual([400, expect.objectContaining({ code: 'invalid_value', field: 'updated_after' })]);
    },
  );
});

test('a cursor still works after its product left the storefront', async () => {
  const shopper = await world.createKey(account, { type: 'publishable' });
  const cursor = (await list('limit=2', shopper)).body.pagination.next_cursor;
  await saveProduct(world, account, products[1]?.id ?? '', { hidden: true });
  expect(namesOf(await list(`limit=2&cursor=${cursor}`, shopper))).toEqual(['Loaf 3', 'Loaf 2']);
});

test('a product is in the list while it is on the storefront', async () => {
  const shopper = await world.createKey(account, { type: 'publishable' });
  await saveProduct(world, account, products[0]?.id ?? '', { status: 'archived' });
  await saveProduct(world, account, products[1]?.id ?? '', { hidden: true });
  expect(namesOf(await list('', shopper))).toEqual(['Loaf 3', 'Loaf 2', 'Loaf 1', 'Loaf 0']);
  expect(namesOf(await list(''))).toHaveLength(6);
  await saveProduct(world, account, products[1]?.id ?? '', { hidden: false });
  expect(namesOf(await list('limit=1', shopper))).toEqual(['Loaf 4']);
});

test('a category or a name over 255 characters is rejected', async () => {
  for (const field of ['category', 'search']) {
    const { status, body } = await list(`${field}=${'x'.repeat(256)}`);
    expect([status, body.error]).toEqual([400, expect.objectContaining({ code: 'invalid_value', field })]);
  }
});

test('an item of the list equals the retrieved product', async () => {
  const [item] = (await list('limit=1', await world.createKey(account, { type: 'publishable' }))).body.data;
  expect(item).toEqual((await world.request('GET', `/products/${item.id}`, { key })).body);
});

test.each(['search=nothing%20has%20this', 'category=BREAD', 'category=', 'category=bre', 'updated_after=2030-01-01'])(
  'a filter without matches returns an empty list: %s',
  async (query) => {
    for (const as of [key, await world.createKey(account, { type: 'publishable' })]) expect(namesOf(await list(query, as))).toEqual([]);
  },
);

test('a page for a rare name may be empty with more to follow, and reads at most 200 records', async () => {
  const owner = await openList(world, routeOf('listProducts'));
  await listSample(routeOf('listProducts')).fill(owner, 330);
  const { data, pagination } = (await list('search=zzz', owner.key)).body;
  expect([data, pagination.has_more]).toEqual([[], true]);
  world.wire.reset();
  await list(`search=zzz&cursor=${pagination.next_cursor}`, owner.key);
  const query = world.wire.calls.find(({ operation }) => operation === 'Query');
  expect(query?.input['Limit']).toBe(201);
});
