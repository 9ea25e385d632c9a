import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startWorld, type World } from '../support/world.ts';
import { openShop, type Shop } from './shop.ts';
import { isSignedWith } from './signature.ts';

const dayMs = 24 * 3_600_000;

let world: World;
let receiver: Receiver;
let shop: Shop;
beforeAll(async () => {
  [world, receiver] = await Promise.all([startWorld(), startReceiver()]);
});
beforeEach(async () => {
  shop = await openShop(world);
});
afterAll(() => Promise.all([receiver.stop(), world.stop()]));

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

  test.each([undefined, '{}', '{"secret":"whsec_mine"}'])(
    'POST /webhooks/{id}/rotate-secret accepts the body %j and chooses the secret itself',
    async (body) => {
      const { id } = await shop.endpoint();
      const response = await rotate(id, body);
      expect([response.status, response.body.secret === 'whsec_mine']).toEqual([200, false]);
    },
  );

  test('POST /webhooks/{id}/rotate-secret rotates a disabled endpoint too', async () => {
    const { id } = await shop.endpoint();
    await shop.call('PATCH', `/webhooks/${id}`, { enabled: false });
    expect((await rotate(id)).status).toBe(200);
  });

  test('POST /webhooks/{id}/rotate-secret returns to concurrent requests only secrets that are valid afterwards', async () => {
    const { id, secret } = await shop.endpoint();
    const responses = await Promise.all([rotate(id), rotate(id)]);
    const issued = responses.filter(({ status }) => status === 200).map(({ body }) => body.secret);
    const refused = responses.filter(({ status }) => status !== 200).map(({ status, body }) => [status, body.error.code]);
    const endpoint = await world.store.endpoints.get(shop.account, id);
    const valid = [endpoint?.secret, endpoint?.previous_secret];
    expect(issued.length).toBeGreaterThan(0);
    expect(issued.filter((one) => !valid.includes(one))).toEqual([]);
    expect(refused).toEqual(issued.length === 1 ? [[409, 'conflict']] : []);
    expect(valid).toContain(issued.length === 1 ? secret : issued[0]);
  });

  test('POST /webhooks/{id}/rotate-secret returns the stored secret to a retry after a lost response', async () => {
    const { id, secret } = await shop.endpoint();
    let lost = 0;
    world.wire.intercept(async (call, send) => {
      const answer = await send();
      if (JSON.stringify(call.input).includes('whsec_') && lost++ === 0) throw Object.assign(new Error('lost'), { code: 'ECONNRESET' });
      return answer;
    });
    const response = await rotate(id).finally(() => world.wire.intercept(undefined));
    const endpoint = await world.store.endpoints.get(shop.account, id);
    expect([lost > 0, response.status, endpoint?.secret, endpoint?.previous_secret]).toEqual([true, 200, response.body.secret, secret]);
  });
});

describe('the signatures of a delivery', () => {
  /** The headers and body of one test delivery. */
  const deliver = async (id: string) => {
    const before = hook.requests.length;
    expect((await shop.call('POST', `/webhooks/${id}/test`)).body.success).toBe(true);
    const request = hook.requests[before];
    if (!request) throw new Error('Nothing arrived.');
    const { 'x-webhook-signature': signature, 'x-webhook-signature-previous': previous } = request.headers;
    return { body: request.body, signature: String(signature), previous: previous === undefined ? undefined : String(previous) };
  };
  let hook: ReturnType<Receiver['hook']>;
  beforeEach(() => {
    hook = receiver.hook();
  });

  test('the signatures of a delivery do not use the oldest secret after a second rotation', async () => {
    const { id, secret: first } = await shop.endpoint({ url: hook.url });
    const { secret: second } = (await rotate(id)).body;
    world.clock.advance(3_600_000);
    const { secret: third, previous_secret_expires_at } = (await rotate(id)).body;
    const { body, signature, previous = '' } = await deliver(id);
    expect([signature, previous].map((header) => [first, second, third].filter((secret) => isSignedWith(secret, header, body)))).toEqual([
      [third],
      [second],
    ]);
    expect(previous_secret_expires_at).toBe(new Date(world.clock.now() + dayMs).toISOString());
  });
});
