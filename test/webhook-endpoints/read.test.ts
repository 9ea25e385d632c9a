import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startWorld, type World } from '../support/world.ts';
import { newUrl, openShop, refusal, type Shop } from './shop.ts';

let world: World;
let shop: Shop;
beforeAll(async () => {
  world = await startWorld();
});
beforeEach(async () => {
  shop = await openShop(world);
});
afterAll(() => world.stop());

/** Registers endpoints a second apart, oldest first. */
const registerMany = async (count: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    ids.push((await shop.endpoint()).id);
    world.clock.advance(1_000);
  }
  return ids;
};

const idsOf = (body: { data: { id: string }[] }): string[] => body.data.map(({ id }) => id);

describe('GET /webhooks/{id}', () => {
  test('shows the created endpoint without its secret', async () => {
    const { secret: _, ...endpoint } = await shop.endpoint({ description: 'Ledger' });
    const response = await shop.call('GET', `/webhooks/${endpoint.id}`);
    expect([response.status, response.body]).toEqual([200, endpoint]);
  });
});

describe('DELETE /webhooks/{id}', () => {
  test('answers 200 with the id, and the endpoint is gone for good', async () => {
    const { id } = await shop.endpoint();
    const response = await shop.call('DELETE', `/webhooks/${id}`);
    expect([response.status, response.body]).toEqual([200, { deleted: true, id }]);
    expect((await shop.call('GET', `/webhooks/${id}`)).status).toBe(404);
    expect((await shop.call('GET', '/webhooks')).body.data).toEqual([]);
  });

  test('succeeds once of several at the same time', async () => {
    const { id } = await shop.endpoint();
    const responses = await Promise.all(Array.from({ length: 6 }, () => shop.call('DELETE', `/webhooks/${id}`)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404]);
  });

  test('deletes a disabled endpoint', async () => {
    const { id } = await shop.endpoint();
    await shop.call('PATCH', `/webhooks/${id}`, { enabled: false });
    expect((await shop.call('DELETE', `/webhooks/${id}`)).status).toBe(200);
  });
});

describe('what is not there', () => {
  const operations = [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/rotate-secret'],
    ['POST', '/test'],
    ['GET', '/events'],
  ] as const;
  const absent = [
    'whe_0000000000000000000000000',
    'nope',
    'registry',
    'a%20b',
    '%00',
    '%F0%9F%8D%9E',
    '..%2Fwebhooks',
    'x'.repeat(300),
    'a%23b',
  ];
  const bodyOf = (method: string) => (method === 'PATCH' ? { description: 'x' } : undefined);

  test.each(operations)('%s /webhooks/{id}%s is 404 for ids that name nothing', async (method, suffix) => {
    for (const id of absent) {
      const response = await shop.call(method, `/webhooks/${id}${suffix}`, bodyOf(method));
      expect([id, response.status, response.body]).toEqual([id, 404, refusal('not_found')]);
    }
  });

  test.each(operations)("%s /webhooks/{id}%s is 404 for another account's endpoint, and leaves it alone", async (method, suffix) => {
    const other = await openShop(world);
    const { secret, ...endpoint } = await other.endpoint();
    const response = await shop.call(method, `/webhooks/${endpoint.id}${suffix}`, bodyOf(method));
    expect([response.status, response.body]).toEqual([404, refusal('not_found')]);
    expect((await other.call('GET', `/webhooks/${endpoint.id}`)).body).toEqual(endpoint);
    expect((await world.store.endpoints.get(other.account, endpoint.id))?.secret).toBe(secret);
  });

  test.each(operations)('%s /webhooks/{id}%s is 404 after a deletion', async (method, suffix) => {
    const { id } = await shop.endpoint();
    await shop.call('DELETE', `/webhooks/${id}`);
    expect((await shop.call(method, `/webhooks/${id}${suffix}`, bodyOf(method))).status).toBe(404);
  });
});

describe('GET /webhooks', () => {
  test('is an empty list envelope where there is nothing', async () => {
    const { status, body } = await shop.call('GET', '/webhooks');
    expect([status, body]).toEqual([200, { data: [], pagination: { limit: 50, has_more: false, next_cursor: null, prev_cursor: null } }]);
  });

  test('shows each endpoint without secret and disabled_reason', async () => {
    const { secret: _, disabled_reason: __, ...item } = await shop.endpoint({ description: 'Ledger' });
    expect((await shop.call('GET', '/webhooks')).body.data).toEqual([item]);
  });

  test('is newest first', async () => {
    const ids = await registerMany(10);
    const { body } = await shop.call('GET', '/webhooks');
    expect([idsOf(body), body.pagination.has_more]).toEqual([ids.toReversed(), false]);
  });

  test("shows nothing of another account's", async () => {
    await (await openShop(world)).endpoint();
    expect((await shop.call('GET', '/webhooks')).body.data).toEqual([]);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])('pages by %i through all ten, each once', async (limit) => {
    const ids = await registerMany(10);
    const seen: string[] = [];
    let pages = 0;
    let cursor = '';
    for (let more = true; more; pages++) {
      const { body } = await shop.call('GET', `/webhooks?limit=${limit}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      expect([body.pagination.limit, body.pagination.prev_cursor]).toEqual([limit, null]);
      seen.push(...idsOf(body));
      more = body.pagination.has_more;
      cursor = body.pagination.next_cursor;
    }
    expect([seen, pages, cursor]).toEqual([ids.toReversed(), Math.ceil(10 / limit), null]);
  });

  test('takes any limit: none, odd, too small and too large ones', async () => {
    const limits = { '': 50, '0': 1, '-3': 1, '101': 100, '7': 7, abc: 50, '2.9': 2 };
    for (const [limit, taken] of Object.entries(limits)) {
      const { body } = await shop.call('GET', `/webhooks?limit=${limit}`);
      expect([limit, body.pagination.limit]).toEqual([limit, taken]);
    }
  });

  test('continues behind the cursor although endpoints were added in front', async () => {
    const ids = await registerMany(3);
    const { next_cursor } = (await shop.call('GET', '/webhooks?limit=1')).body.pagination;
    await shop.endpoint();
    const { body } = await shop.call('GET', `/webhooks?limit=5&cursor=${next_cursor}`);
    expect(idsOf(body)).toEqual([ids[1], ids[0]]);
  });

  test('refuses a cursor whose endpoint was deleted', async () => {
    const ids = await registerMany(3);
    const { next_cursor } = (await shop.call('GET', '/webhooks?limit=1')).body.pagination;
    await shop.call('DELETE', `/webhooks/${ids[2]}`);
    const response = await shop.call('GET', `/webhooks?cursor=${next_cursor}`);
    expect([response.status, response.body]).toEqual([400, refusal('invalid_cursor', 'cursor')]);
  });

  test("refuses another account's cursor", async () => {
    await registerMany(2);
    const { next_cursor } = (await shop.call('GET', '/webhooks?limit=1')).body.pagination;
    const response = await (await openShop(world)).call('GET', `/webhooks?cursor=${next_cursor}`);
    expect([response.status, response.body]).toEqual([400, refusal('invalid_cursor', 'cursor')]);
  });

  test.each(['garbage', '%00', 'eyJhIjoxfQ', 'WzEsIiIsIiIsIiJd', 'x'.repeat(3_000), ''])('refuses the cursor %j', async (cursor) => {
    const response = await shop.call('GET', `/webhooks?cursor=${cursor}`);
    expect([response.status, response.body]).toEqual([400, refusal('invalid_cursor', 'cursor')]);
  });

  test('ignores parameters it does not know', async () => {
    const { id } = await shop.endpoint({ url: newUrl() });
    expect(idsOf((await shop.call('GET', '/webhooks?status=disabled&enabled=false')).body)).toEqual([id]);
  });
});
