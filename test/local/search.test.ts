import { beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from 'typesense';
import { find as findIn } from '../../local/search.ts';
import { systemClock } from '../../shared/core/clock.ts';
import { scopedSearchKey, storefrontLimits } from '../../shared/domain/product/search.ts';
import type { HttpResponse } from '../support/http.ts';
import { actIn, startJourney } from '../support/journey.ts';
import { shared } from '../support/shared.ts';

let aheadMs = 0;
const clock = { ...systemClock, now: () => Date.now() + aheadMs };

const journey = shared(() => startJourney({ regions: ['us', 'eu'], seed: true, clock }));
let token: any;
beforeAll(async () => {
  token = (await mint('us')).body;
});

const mint = (region: 'us' | 'eu', key = journey.runtime.demo[region]?.publishableKey ?? '') =>
  journey.request(`${journey.runtime.urls[region]}/api/v2/products/search-token`, 'POST', { key });
const act = (action: string, input: unknown) => actIn(journey.runtime, 'us', action, input, journey.runtime.demo.us?.account);

/** Sends a search like a browser, with the token's values. */
const search = (query: string, key: string = token.token): Promise<HttpResponse> =>
  journey.request(`${token.host}/collections/${token.collection}/documents/search?${query}`, 'GET', {
    headers: { 'x-typesense-api-key': key },
  });
const names = ({ body }: HttpResponse): string[] => body.hits.map(({ document }: any) => document.name);
const find = async (q: string, more = ''): Promise<string[]> => names(await search(`q=${q}&query_by=name,description${more}`));

/** What shoppers see of the demo, the cheapest first. */
const byPrice = [
  ...['Baguette', 'Butter croissant', 'Cinnamon roll', 'Sourdough loaf', 'Country rye', 'Lemon tart', 'Chocolate cake'],
  'Celebration cake',
];

test("the demo's publishable key gets a token, with which a search finds what the storefront shows and nothing else", async () => {
  expect((await mint('us')).status).toBe(201);
  const { status, body } = await search('q=*');
  expect([status, body.found, body.out_of, body.page]).toEqual([200, 8, 8, 1]);
  expect(names({ body } as HttpResponse).sort()).toEqual([...byPrice].sort());
  const { document, highlights } = (await search('q=LEM&query_by=name')).body.hits[0];
  expect([document.id, document.name, document.price, highlights]).toEqual([expect.stringMatching(/^prd_/), 'Lemon tart', 32, []]);
  expect(await find('two+days')).toEqual(['Sourdough loaf']);
  for (const hidden of ['pumpkin', 'staff']) expect(await find(hidden)).toEqual([]);
});

test("the engine's own client searches with the token, one search and several", async () => {
  const { hostname, port } = new URL(token.host);
  const client = new Client({ nodes: [{ host: hostname, port: Number(port), protocol: 'http' }], apiKey: token.token });
  const { hits } = await client.collections(token.collection).documents().search({ q: 'tart', query_by: 'name' });
  expect(hits?.map(({ document }: any) => document.name)).toEqual(['Lemon tart']);
  const { results } = await client.multiSearch.perform(
    { searches: [{ q: 'loaf' }, { q: 'celebration', per_page: 1 }, { q: 'loaf', facet_by: 'category' } as any] },
    { collection: token.collection, query_by: 'name' } as any,
  );
  expect(results.map((result: any) => result.hits?.map(({ document }: any) => document.name) ?? result.code)).toEqual([
    ['Sourdough loaf'],
    ['Celebration cake'],
    400,
  ]);
});

test('a long hostile filter is rejected at once', () => {
  const hostile = ['x:=', ' ', 'a ', '`'].map((unit) => `x:=a${unit.repeat(50_000)}!`);
  for (const filter_by of hostile) expect(() => findIn([], { q: '*', filter_by })).toThrow('field:=value');
});

test('the local search filters, pages and sorts as requested', async () => {
  expect((await find('*', '&filter_by=category:=cakes')).sort()).toEqual(['Celebration cake', 'Chocolate cake', 'Lemon tart']);
  expect(await find('*', '&filter_by=category:=cakes%20%26%26%20tags:=wedding')).toEqual(['Celebration cake']);
  expect(await find('*', '&sort_by=price:asc')).toEqual(byPrice);
  expect(await find('*', '&sort_by=price:asc&per_page=3&page=3')).toEqual(byPrice.slice(6));
});

test('a product of the dashboard is found once it is saved, under its new name, and no more once it is hidden', async () => {
  const { id } = await act('product.create', { name: 'Rösti', price: 9 });
  expect(await find('rosti')).toEqual(['Rösti']);
  await act('product.update', { id, name: 'Hash brown' });
  expect([await find('rosti'), await find('hash')]).toEqual([[], ['Hash brown']]);
  await act('product.update', { id, storefront_visible: false });
  expect(await find('hash')).toEqual([]);
});

describe('a key', () => {
  const limits = (account = '') => storefrontLimits(account, Math.floor(Date.now() / 1000) + 60);
  test.each<[string, () => string | Promise<string>]>([
    ['that is missing', () => ''],
    ['that is none', () => 'nonsense'],
    ['made of another search key', () => scopedSearchKey('another', limits(journey.runtime.demo.us?.account))],
    ['of another region', async () => (await mint('eu')).body.token],
    [
      'that was told to find another account',
      () => {
        const raw = Buffer.from(token.token, 'base64').toString();
        return Buffer.from(raw.replace(/acct_\w+/, journey.runtime.demo.eu?.account ?? '')).toString('base64');
      },
    ],
  ])('the local search rejects %s with 401', async (_title, keyOf) => {
    const { status, body, headers } = await search('q=*', await keyOf());
    expect([status, body]).toEqual([401, { message: expect.stringContaining('x-typesense-api-key') }]);
    expect(headers['access-control-allow-origin']).toBe('*');
  });

  test('the local search rejects an expired key with 401, and says so', async () => {
    expect((await search('q=*')).status).toBe(200);
    aheadMs = 901_000;
    const { status, body } = await search('q=*');
    aheadMs = 0;
    expect([status, body.message]).toEqual([401, expect.stringContaining('expired')]);
  });

  test("a search key finds its own account's products only, whatever the search filters by", async () => {
    const merchant = await journey.merchant();
    await merchant.act('settings.put', {
      search: { provider: 'typesense', host: token.host, collection: 'products', search_key: 'us-stand-in-search-key' },
    });
    await merchant.act('product.create', { name: 'Theirs', price: 1 });
    const theirs = (await mint('us', merchant.key)).body.token;
    expect(names(await search('q=*', theirs))).toEqual(['Theirs']);
    expect(await find('*', `&filter_by=account:=${merchant.account}`)).toEqual([]);
    const [demo, pinned] = [await find('*'), (await search('q=*', theirs)).body.hits[0].document.id];
    expect(await find('*', `&pinned_hits=${pinned}:1&filter_curated_hits=false`)).toEqual(demo);
  });
});

test.each([
  ['query_by=name', 400, '`q`'],
  ['q=tart', 400, 'search fields'],
  ['q=tart&query_by=supplier', 404, '`supplier`'],
  ['q=*&facet_by=category', 400, 'stand-in'],
  ['q=*&sort_by=name:asc', 400, 'stand-in'],
  ['q=*&filter_by=price:<10', 400, 'stand-in'],
  ['q=*&per_page=many', 400, '`per_page`'],
  ['q=*&per_page=251', 422, '250'],
])('a search for %s is %d and says why', async (query, status, why) => {
  const response = await search(query);
  expect([response.status, response.body]).toEqual([status, { message: expect.stringContaining(why) }]);
});

test('a browser on any origin may ask, and nothing can be written', async () => {
  const documents = `${token.host}/collections/${token.collection}/documents`;
  const { status, headers } = await journey.request(`${documents}/search`, 'OPTIONS');
  expect([status, headers['access-control-allow-origin']]).toEqual([204, '*']);
  expect(headers['access-control-allow-headers']).toContain('x-typesense-api-key');
  const key = { 'x-typesense-api-key': token.token };
  const written = await journey.request(`${documents}?action=upsert`, 'POST', { headers: key, body: { id: 'x' } });
  expect([written.status, written.body.message]).toEqual([400, expect.stringContaining('stand-in')]);
  const other = await journey.request(`${token.host}/collections/cakes/documents/search?q=*`, 'GET', { headers: key });
  expect(other.status).toBe(404);
});
