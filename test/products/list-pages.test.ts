import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { isoFromMs } from '../../shared/core/time.ts';
import { isStorefrontVisible, type Product } from '../../shared/domain/product/record.ts';
import { bulkPut } from '../support/bulk.ts';
import { productOf } from '../support/products.ts';
import { startWorld, type World } from '../support/world.ts';

const count = 330;
const firstMs = Date.UTC(2026, 0, 1);
const at = <Value>(values: readonly Value[], i: number): Value => values[i % values.length] as Value;

let world: World;
let account: string;
let products: readonly Product[];
let key: Record<'secret' | 'publishable', string>;
beforeAll(async () => {
  world = await startWorld();
  account = (await world.createAccount()).id;
  // Moments repeat, and in different orders, so that ties and both sorts show.
  products = Array.from({ length: count }, (_, i) =>
    productOf(firstMs + Math.floor(((i * 7) % count) / 4) * 1_000, {
      name: at(['Rye loaf', 'Lemon TART', 'Tartelette', 'Éclair', 'Bun'], Math.floor(i / 5)),
      category: at(['cakes', 'Cakes', null, 'bread#storefront', 'tea & coffee'], i),
      status: at(['active', 'active', 'active', 'draft', 'archived', 'deleted', 'active'], i),
      hidden: i % 13 === 0,
      updated_at: isoFromMs(firstMs + 86_400_000 + Math.floor(((i * 13) % count) / 4) * 1_000),
    }),
  );
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(world.engine.client));
  const neighbour = (await world.createAccount()).id;
  const writes = (owner: string, all: readonly Product[]) => all.map((product) => world.store.products.createWrite(owner, product));
  await bulkPut(client, [...writes(account, products), ...writes(neighbour, products.slice(0, 50))]);
  client.destroy();
});
beforeEach(async () => {
  key = { secret: await world.createKey(account), publishable: await world.createKey(account, { type: 'publishable' }) };
});
afterAll(() => world.stop());

type KeyType = 'secret' | 'publishable';
/** Addresses of their own, so that the public endpoints' limit is not what is met. */
let address = 0;
const list = (type: KeyType, query: string) =>
  world.request('GET', `/products?${query}`, { key: key[type], sourceIp: `2001:db8::${(++address).toString(16)}` });

const listAll = async (type: KeyType, query: string, limit: number) => {
  const pages: any[] = [];
  for (let cursor = ''; ; ) {
    const { status, body } = await list(type, `${query}&limit=${limit}${cursor}`);
    expect({ status, prev: body.pagination?.prev_cursor, limit: body.pagination?.limit }).toEqual({ status: 200, prev: null, limit });
    pages.push(body);
    if (!body.pagination.has_more) {
      expect(body.pagination.next_cursor).toBeNull();
      return pages;
    }
    cursor = `&cursor=${body.pagination.next_cursor}`;
  }
};
const idsOf = (pages: readonly any[]): string[] => pages.flatMap((page) => page.data.map((one: { id: string }) => one.id));

const byText = (a: string, b: string) => (a < b ? 1 : a > b ? -1 : 0);
const byCreation = (a: Product, b: Product) => byText(a.created_at, b.created_at) || byText(a.id, b.id);
const byUpdate = (a: Product, b: Product) => byText(a.updated_at, b.updated_at) || byText(a.id, b.id);
const since = isoFromMs(firstMs + 86_400_000 + 20_000);

const shapes = [
  { shape: 'newest first', query: '', order: byCreation, inRange: () => true },
  { shape: 'updated since', query: `updated_after=${since}`, order: byUpdate, inRange: (one: Product) => one.updated_at >= since },
] as const;
const filters = [
  { filter: 'no filter', narrowing: '', matches: () => true },
  { filter: 'a category', narrowing: '&category=cakes', matches: (one: Product) => one.category === 'cakes' },
  {
    filter: 'a category of odd letters',
    narrowing: `&category=${encodeURIComponent('bread#storefront')}`,
    matches: (one: Product) => one.category === 'bread#storefront',
  },
  { filter: 'a name in any case', narrowing: '&search=tart', matches: (one: Product) => /tart/i.test(one.name) },
  { filter: 'a name with accents', narrowing: `&search=${encodeURIComponent('éCLA')}`, matches: (one: Product) => one.name === 'Éclair' },
  {
    filter: 'a name in a category',
    narrowing: '&category=Cakes&search=BUN',
    matches: (one: Product) => one.category === 'Cakes' && one.name === 'Bun',
  },
] as const;
const views = [
  { type: 'secret', shows: (one: Product) => one.status !== 'deleted' },
  { type: 'publishable', shows: isStorefrontVisible },
] as const;

const rows = views.flatMap((view) =>
  shapes.flatMap((shape) =>
    filters.map((filter) => ({ title: `${view.type} key: ${shape.shape}, ${filter.filter}`, ...view, ...shape, ...filter })),
  ),
);

describe('every product once, in order, over all pages', () => {
  test.each(rows)('$title', async ({ type, query, narrowing, order, inRange, matches, shows }) => {
    const wanted = products.filter((one) => shows(one) && inRange(one) && matches(one)).toSorted(order);
    expect(wanted.length).toBeGreaterThan(5);
    expect(idsOf(await listAll(type, `${query}${narrowing}`, 17))).toEqual(wanted.map(({ id }) => id));
  });
});

test('an item of the list is what the product reads by itself', async () => {
  const [item] = (await list('publishable', 'limit=1')).body.data;
  expect(item).toEqual((await world.request('GET', `/products/${item.id}`, { key: key.secret })).body);
});

test.each([
  ['nothing', '', 50],
  ['101', 'limit=101', 100],
  ['100', 'limit=100', 100],
  ['0', 'limit=0', 1],
  ['a word', 'limit=many', 50],
])('with a limit of %s a page has as many as documented', async (_title, query, length) => {
  const { data, pagination } = (await list('secret', query)).body;
  expect(data).toHaveLength(length);
  expect(pagination).toEqual({ limit: length, has_more: true, next_cursor: expect.any(String), prev_cursor: null });
});

test.each(['search=nothing%20has%20this', 'category=CAKES', 'category=', 'category=bread', 'updated_after=2030-01-01'])(
  'what matches nothing ends in an empty list: %s',
  async (query) => {
    for (const type of ['secret', 'publishable'] as const) expect(idsOf(await listAll(type, query, 100))).toEqual([]);
  },
);

test('a rare name may leave a page short or empty with more behind it, and reads 200 records at most', async () => {
  const { data, pagination } = (await list('secret', 'search=zzz')).body;
  expect([data, pagination.has_more]).toEqual([[], true]);
  world.wire.reset();
  await list('secret', `search=zzz&cursor=${pagination.next_cursor}`);
  const query = world.wire.calls.find(({ operation }) => operation === 'Query');
  expect(query?.input['Limit']).toBe(201);
});

test('a page is read in one round trip, its cursor included', async () => {
  for (const type of ['secret', 'publishable'] as const) {
    const { pagination } = (await list(type, 'limit=5')).body;
    world.wire.reset();
    expect((await list(type, `limit=5&cursor=${pagination.next_cursor}`)).status).toBe(200);
    expect(world.wire.sequentialTrips()).toBe(1);
  }
});
