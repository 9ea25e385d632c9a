import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Receiver, type ReceiverResponse, startReceiver } from '../support/receiver.ts';
import { createEndpoint } from '../support/records.ts';
import { startWorld, type World } from '../support/world.ts';
import { errorBody, openShop, type Shop } from './shop.ts';
import { isSignedWith } from './signature.ts';

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

const send = (id: string, body?: unknown) => shop.call('POST', `/webhooks/${id}/test`, body);

describe('the outcome of a webhook test', () => {
  test.each([
    ['200', 200, null],
    ['302', 302, 'redirect_not_followed'],
    ['500', 500, 'http_error'],
  ] as const)('the outcome of a webhook test of a response %s', async (_status, receiverResponse, error) => {
    const hook = receiver.hook(receiverResponse);
    const { id } = await shop.endpoint({ url: hook.url });
    const response = await send(id);
    expect([response.status, response.body]).toEqual([
      200,
      { success: error === null, status_code: receiverResponse, response_time_ms: expect.any(Number), error },
    ]);
    expect([Number.isInteger(response.body.response_time_ms), hook.requests.length]).toEqual([true, 1]);
  });

  test.each([
    ['a connection that is cut', 'cut'],
    ['a port without a listener', undefined],
  ] as const)('the outcome of a webhook test of %s is no_response with null status and time', async (_how, receiverResponse) => {
    const url = receiverResponse ? receiver.hook(receiverResponse as ReceiverResponse).url : 'http://127.0.0.1:1/hook';
    const { id } = await shop.endpoint({ url });
    expect((await send(id)).body).toEqual({ success: false, status_code: null, response_time_ms: null, error: 'no_response' });
  });

  test.each(['https://10.0.0.1/hook', 'http://hooks.example.com/hook', 'https://user@hooks.example.com/hook'])(
    'a webhook test of a stored URL that the rules now reject, %s, has the outcome invalid_url',
    async (url) => {
      const { id } = await createEndpoint(world, shop.account, url);
      expect((await send(id)).body).toEqual({ success: false, status_code: null, response_time_ms: null, error: 'invalid_url' });
    },
  );
});

describe('a webhook test', () => {
  test('a webhook test sends one webhook.test in the envelope of events', async () => {
    const hook = receiver.hook();
    const { id } = await shop.endpoint({ url: hook.url });
    await send(id);
    const body = JSON.parse(hook.requests[0]?.body.toString() ?? '');
    expect(body).toEqual({
      id: expect.stringMatching(/^evt_\w+$/),
      type: 'webhook.test',
      created: Math.floor(world.clock.now() / 1000),
      api_version: 'v1',
      data: { object: { message: expect.stringMatching(/./), timestamp: new Date(world.clock.now()).toISOString() } },
      tenant_id: shop.account,
    });
  });

  test('a webhook test sends the same message each time, with a new event id', async () => {
    const hook = receiver.hook();
    const { id } = await shop.endpoint({ url: hook.url });
    await send(id);
    await send(id);
    const [one, two] = hook.requests.map(({ body }) => JSON.parse(body.toString()));
    expect([one.data.object.message, one.id === two.id]).toEqual([two.data.object.message, false]);
  });

  test('a webhook test has the headers of every delivery, signed over the raw body', async () => {
    const hook = receiver.hook();
    const { id, secret } = await shop.endpoint({ url: hook.url });
    await send(id);
    const { headers, body } = hook.requests[0] ?? { headers: {}, body: Buffer.alloc(0) };
    const event = JSON.parse(body.toString());
    const seconds = String(Math.floor(world.clock.now() / 1000));
    expect(headers).toMatchObject({
      'x-webhook-id': event.id,
      'idempotency-key': event.id,
      'x-webhook-timestamp': seconds,
      'user-agent': 'BakeryCommerce-Webhooks/1.0',
      accept: '*/*',
      'content-type': 'application/json',
    });
    const signature = String(headers['x-webhook-signature']);
    expect([signature.startsWith(`t=${seconds},`), isSignedWith(secret, signature, body)]).toEqual([true, true]);
    expect(Object.keys(headers)).not.toContain('x-webhook-signature-previous');
    expect(JSON.stringify(headers)).not.toContain(id);
  });

  test.each([200, 500, 'cut'] as const)('a webhook test that ends in %s is not retried, recorded or counted', async (receiverResponse) => {
    const hook = receiver.hook(receiverResponse);
    const { secret: _, ...endpoint } = await shop.endpoint({ url: hook.url });
    await send(endpoint.id);
    expect((await shop.call('GET', `/webhooks/${endpoint.id}`)).body).toEqual(endpoint);
    expect((await shop.call('GET', `/webhooks/${endpoint.id}/events`)).body.data).toEqual([]);
    expect(hook.requests).toHaveLength(1);
  });

  test('a webhook test is sent even if the endpoint does not subscribe to its type', async () => {
    const hook = receiver.hook();
    const { id } = await shop.endpoint({ url: hook.url, events: ['inventory.low'] });
    expect((await send(id)).body.success).toBe(true);
  });

  test('a webhook test of a disabled endpoint is rejected with 409 and sends nothing', async () => {
    const hook = receiver.hook();
    const { id } = await shop.endpoint({ url: hook.url });
    await shop.call('PATCH', `/webhooks/${id}`, { enabled: false });
    const response = await send(id);
    expect([response.status, response.body, hook.requests.length]).toEqual([409, errorBody('conflict'), 0]);
  });
});

/** Moves the clock when the endpoint of a test has been read and the test is counted. */
const delayTest = (ms: number) =>
  world.wire.intercept(async ({ operation, input }, make) => {
    if (operation === 'UpdateItem' && JSON.stringify(input).includes('webhook-test#')) world.clock.advance(ms);
    return make();
  });

test.each([
  [10_000, 200, 1],
  [7_200_000, 500, 0],
])(
  'a webhook test that Lambda suspended for %d ms after it read the endpoint returns %d and sends %d requests',
  async (ms, status, sent) => {
    const hook = receiver.hook();
    const { id } = await shop.endpoint({ url: hook.url });
    delayTest(ms);
    try {
      expect([(await send(id)).status, hook.requests.length]).toEqual([status, sent]);
    } finally {
      world.wire.intercept(undefined);
    }
  },
);

test("a webhook test takes at most 25 seconds, so that the caller gets a response before the gateway's timeout", async () => {
  const timeouts: number[] = [];
  const sender = {
    send: async ({ timeoutMs }: { timeoutMs: number }) => {
      timeouts.push(timeoutMs);
      return { success: false, statusCode: null, responseTimeMs: null, error: 'no_response' as const };
    },
    close: () => {},
  };
  const other = await startWorld({ sender });
  try {
    const slow = await openShop(other);
    const { id } = await slow.endpoint();
    const { status, body } = await slow.call('POST', `/webhooks/${id}/test`);
    expect([timeouts, status, body.error]).toEqual([[25_000], 200, 'no_response']);
  } finally {
    await other.stop();
  }
});

describe('webhook tests per account and minute', () => {
  const startMinute = () => world.clock.advance(60_000 - (world.clock.now() % 60_000));
  const sendMany = async (id: string, count: number) => {
    const statuses: number[] = [];
    for (let i = 0; i < count; i++) statuses.push((await send(id)).status);
    return statuses;
  };

  test('the eleventh webhook test of an account in a minute gets 429 and sends nothing', async () => {
    startMinute();
    const hooks = [receiver.hook(), receiver.hook()];
    const [one, two] = [await shop.endpoint({ url: hooks[0]?.url }), await shop.endpoint({ url: hooks[1]?.url })];
    expect([...(await sendMany(one.id, 5)), ...(await sendMany(two.id, 5))]).toEqual(Array(10).fill(200));
    const { status, headers, body } = await send(two.id);
    expect([status, body]).toEqual([429, { error: 'rate_limit_exceeded', message: expect.any(String), retryAfter: 60 }]);
    expect(headers).toMatchObject({
      'Retry-After': '60',
      'X-RateLimit-Limit': '10',
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': String(world.clock.now() / 1000 + 60),
    });
    expect(Object.keys(headers)).not.toContain('X-RateLimit-Rule');
    expect(hooks.map(({ requests }) => requests.length)).toEqual([5, 5]);
  });

  test('webhook tests are counted over all keys of the account, and separately from other accounts', async () => {
    startMinute();
    const { id } = await shop.endpoint({ url: receiver.hook().url });
    await sendMany(id, 10);
    const key = await world.createKey(shop.account);
    expect((await world.request('POST', `/webhooks/${id}/test`, { key })).status).toBe(429);
    const other = await openShop(world);
    const { id: theirs } = await other.endpoint({ url: receiver.hook().url });
    expect((await other.call('POST', `/webhooks/${theirs}/test`)).status).toBe(200);
  });

  test('webhook tests do not limit other requests, and return the headers of the write limit', async () => {
    startMinute();
    const { id } = await shop.endpoint({ url: receiver.hook().url });
    expect((await send(id)).headers['X-RateLimit-Limit']).toBe('100');
    await sendMany(id, 10);
    expect((await shop.call('PATCH', `/webhooks/${id}`, { description: 'x' })).status).toBe(200);
  });
});
