import { beforeEach, describe, expect, test } from '@jest/globals';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';
import { openShop, type Shop } from './shop.ts';

// Guarantee 19 (docs/guarantees.md)

const dayMs = 24 * 3_600_000;

const world = shared(startWorld);
let shop: Shop;
beforeEach(async () => {
  shop = await openShop(world);
});

const rotate = (id: string, body?: unknown) => shop.call('POST', `/webhooks/${id}/rotate-secret`, body);

describe('POST /webhooks/{id}/rotate-secret', () => {
  test('POST /webhooks/{id}/rotate-secret returns 200 with a new secret; the old one expires in 24 hours', async () => {
    const { id, secret } = await shop.endpoint();
    world.clock.advance(1_000);
    const response = await rotate(id);
    expect([response.status, response.body]).toEqual([
      200,
      {
        id,
        secret: expect.stringMatching(/^whsec_[\w-]{43}$/),
        previous_secret_expires_at: new Date(world.clock.now() + dayMs).toISOString(),
      },
    ]);
    expect(response.body.secret).not.toBe(secret);
  });

  test('POST /webhooks/{id}/rotate-secret changes only updated_at in later reads', async () => {
    const { secret: _, ...endpoint } = await shop.endpoint();
    world.clock.advance(1_000);
    await rotate(endpoint.id);
    expect((await shop.call('GET', `/webhooks/${endpoint.id}`)).body).toEqual({
      ...endpoint,
      updated_at: new Date(world.clock.now()).toISOString(),
    });
  });

  test('POST /webhooks/{id}/rotate-secret replaces the oldest secret in a second rotation', async () => {
    const { id } = await shop.endpoint();
    const { secret: second } = (await rotate(id)).body;
    world.clock.advance(3_600_000);
    const { secret: third, previous_secret_expires_at } = (await rotate(id)).body;
    expect(await world.store.endpoints.get(shop.account, id)).toMatchObject({ secret: third, previous_secret: second });
    expect(previous_secret_expires_at).toBe(new Date(world.clock.now() + dayMs).toISOString());
  });

  test('POST /webhooks/{id}/rotate-secret rotates a disabled endpoint too', async () => {
    const { id } = await shop.endpoint();
    await shop.call('PATCH', `/webhooks/${id}`, { enabled: false });
    expect((await rotate(id)).status).toBe(200);
  });

  test('POST /webhooks/{id}/rotate-secret returns to concurrent requests only secrets that are valid afterwards', async () => {
    const { id, secret } = await shop.endpoint();
    const responses = await Promise.all([rotate(id), rotate(id)]);
    const issued = responses.filter(({ status }) => status === 200).map(({ body }) => body.secret);
    const rejected = responses.filter(({ status }) => status !== 200).map(({ status, body }) => [status, body.error.code]);
    const endpoint = await world.store.endpoints.get(shop.account, id);
    const valid = [endpoint?.secret, endpoint?.previous_secret];
    expect(issued.length).toBeGreaterThan(0);
    expect(issued.filter((one) => !valid.includes(one))).toEqual([]);
    expect(rejected).toEqual(issued.length === 1 ? [[409, 'conflict']] : []);
    expect(valid).toContain(issued.length === 1 ? secret : issued[0]);
  });

  test('POST /webhooks/{id}/rotate-secret returns the stored secret to a retry after a lost response', async () => {
    const { id, secret } = await shop.endpoint();
    let lost = 0;
    world.wire.intercept(async (call, send) => {
      const response = await send();
      if (JSON.stringify(call.input).includes('whsec_') && lost++ === 0) throw Object.assign(new Error('lost'), { code: 'ECONNRESET' });
      return response;
    });
    const response = await rotate(id).finally(() => world.wire.intercept(undefined));
    const endpoint = await world.store.endpoints.get(shop.account, id);
    expect([lost > 0, response.status, endpoint?.secret, endpoint?.previous_secret]).toEqual([true, 200, response.body.secret, secret]);
  });
});
