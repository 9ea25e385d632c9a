import { beforeEach, describe, expect, test } from '@jest/globals';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';
import { openShop, type Shop } from './shop.ts';

const world = shared(startWorld);
let shop: Shop;
beforeEach(async () => {
  shop = await openShop(world);
});

describe('GET /webhooks/{id}', () => {
  test('GET /webhooks/{id} shows the created endpoint without its secret', async () => {
    const { secret: _, ...endpoint } = await shop.endpoint({ description: 'Ledger' });
    const response = await shop.call('GET', `/webhooks/${endpoint.id}`);
    expect([response.status, response.body]).toEqual([200, endpoint]);
  });
});

describe('DELETE /webhooks/{id}', () => {
  test('DELETE /webhooks/{id} returns 200 with the id, and the endpoint no longer exists', async () => {
    const { id } = await shop.endpoint();
    const response = await shop.call('DELETE', `/webhooks/${id}`);
    expect([response.status, response.body]).toEqual([200, { deleted: true, id }]);
    expect((await shop.call('GET', `/webhooks/${id}`)).status).toBe(404);
    expect((await shop.call('GET', '/webhooks')).body.data).toEqual([]);
  });

  test('DELETE /webhooks/{id} succeeds for one of several simultaneous requests', async () => {
    const { id } = await shop.endpoint();
    const responses = await Promise.all(Array.from({ length: 6 }, () => shop.call('DELETE', `/webhooks/${id}`)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404]);
  });

  test('DELETE /webhooks/{id} deletes a disabled endpoint', async () => {
    const { id } = await shop.endpoint();
    await shop.call('PATCH', `/webhooks/${id}`, { enabled: false });
    expect((await shop.call('DELETE', `/webhooks/${id}`)).status).toBe(200);
  });
});

describe('GET /webhooks', () => {
  test('GET /webhooks shows each endpoint without its secret and disabled_reason', async () => {
    const { secret: _, disabled_reason: __, ...item } = await shop.endpoint({ description: 'Ledger' });
    expect((await shop.call('GET', '/webhooks')).body.data).toEqual([item]);
  });
});
