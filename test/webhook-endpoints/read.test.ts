import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startWorld, type World } from '../support/world.ts';
import { newUrl, openShop, type Shop } from './shop.ts';

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
  test('returns 200 with the id, and the endpoint no longer exists', async () => {
    const { id } = await shop.endpoint();
    const response = await shop.call('DELETE', `/webhooks/${id}`);
    expect([response.status, response.body]).toEqual([200, { deleted: true, id }]);
    expect((await shop.call('GET', `/webhooks/${id}`)).status).toBe(404);
    expect((await shop.call('GET', '/webhooks')).body.data).toEqual([]);
  });

  test('succeeds for one of several simultaneous requests', async () => {
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

describe('a deleted endpoint', () => {
  const operations = [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/rotate-secret'],
    ['POST', '/test'],
    ['GET', '/events'],
  ] as const;
  const bodyOf = (method: string) => (method === 'PATCH' ? { description: 'x' } : undefined);

  test.each(operations)('%s /webhooks/{id}%s is 404 after a deletion', async (method, suffix) => {
    const { id } = await shop.endpoint();
    await shop.call('DELETE', `/webhooks/${id}`);
    expect((await shop.call(method, `/webhooks/${id}${suffix}`, bodyOf(method))).status).toBe(404);
  });
});

describe('GET /webhooks', () => {
  test('shows each endpoint without its secret and disabled_reason', async () => {
    const { secret: _, disabled_reason: __, ...item } = await shop.endpoint({ description: 'Ledger' });
    expect((await shop.call('GET', '/webhooks')).body.data).toEqual([item]);
  });

  test('continues after the cursor even if newer endpoints were added', async () => {
    const ids = await registerMany(3);
    const { next_cursor } = (await shop.call('GET', '/webhooks?limit=1')).body.pagination;
    await shop.endpoint();
    const { body } = await shop.call('GET', `/webhooks?limit=5&cursor=${next_cursor}`);
    expect(idsOf(body)).toEqual([ids[1], ids[0]]);
  });

  test('ignores unknown parameters', async () => {
    const { id } = await shop.endpoint({ url: newUrl() });
    expect(idsOf((await shop.call('GET', '/webhooks?status=disabled&enabled=false')).body)).toEqual([id]);
  });
});
