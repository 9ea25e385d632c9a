import { describe, expect, test } from '@jest/globals';
import { type CallOptions, type Client, ConnectionError, TimeoutError } from '../../clients/typescript/src/index.ts';
import { type Met, scripted } from './scripted.ts';

const ok: Met = [200, {}];
const refused = (code: string) => ({ error: { type: 'x', code, message: 'x' } });
const limited: Met = [429, { error: 'rate_limit_exceeded', message: 'x', retryAfter: 60 }, { 'retry-after': '60' }];
const unreachable = new TypeError('fetch failed');

type Call = (client: Client, options?: CallOptions) => Promise<unknown>;
const read: Call = (client, options) => client.orders.retrieve('ord_1', options);
const create: Call = (client, options) => client.expenses.create({ amount: 1, date: '2026-03-01', category: 'rent' }, options);
const mint: Call = (client, options) => client.products.createSearchToken(options);
const others: [string, Call][] = [
  ['update', (client, options) => client.webhooks.update('whe_1', { enabled: true }, options)],
  ['delete', (client, options) => client.webhooks.delete('whe_1', options)],
  ['rotateSecret', (client, options) => client.webhooks.rotateSecret('whe_1', options)],
  ['test', (client, options) => client.webhooks.test('whe_1', options)],
];

const repeatable: [string, Call][] = [
  ['read', read],
  ['creation', create],
  ['search token', mint],
];

describe.each(repeatable)('a %s', (_, call) => {
  test.each<[string, Met]>([
    ['500', [500, refused('internal_error')]],
    ['503', [503, refused('search_not_configured')]],
    ['a 502 that is no JSON', [502, '<html>']],
    ['no connection', unreachable],
  ])('is repeated after %s, with growing waits', async (_, met) => {
    const { client, sent, waitsMs } = scripted([met, met, met, ok]);
    await call(client);
    expect([sent.length, waitsMs]).toEqual([4, [375, 750, 1500]]);
  });

  test('gives up after four retries, with the last failure', async () => {
    const { client, sent } = scripted([[503, refused('search_not_configured')]]);
    await expect(call(client)).rejects.toMatchObject({ name: 'ApiError', status: 503 });
    expect(sent).toHaveLength(5);
  });

  test('is not repeated where maxRetries is 0', async () => {
    const { client, sent } = scripted([unreachable]);
    await expect(call(client, { maxRetries: 0 })).rejects.toThrow(ConnectionError);
    expect(sent).toHaveLength(1);
  });
});

describe.each(others)('webhooks.%s', (_, call) => {
  test.each<[string, Met]>([
    ['500', [500, refused('internal_error')]],
    ['503', [503, { message: 'Service Unavailable' }]],
    ['no connection', unreachable],
    ['409 request_in_flight', [409, refused('request_in_flight')]],
  ])('is not repeated after %s: it may have been done', async (_, met) => {
    const { client, sent } = scripted([met]);
    await expect(call(client)).rejects.toThrow();
    expect(sent).toHaveLength(1);
  });

  test('is repeated after 429, which comes before any work', async () => {
    const { client, sent, waitsMs } = scripted([limited, ok]);
    await call(client);
    expect([sent.length, waitsMs]).toEqual([2, [60_000]]);
  });
});

describe('Retry-After', () => {
  test('is waited for to the second', async () => {
    const { client, waitsMs } = scripted([[429, {}, { 'retry-after': '7' }], ok]);
    await read(client);
    expect(waitsMs).toEqual([7000]);
  });

  test('is read from the body where a browser may not see the header', async () => {
    const { client, waitsMs } = scripted([[429, { error: 'rate_limit_exceeded', message: 'x', retryAfter: 9 }], ok]);
    await read(client);
    expect(waitsMs).toEqual([9000]);
  });

  test('may be a date, as proxies write it', async () => {
    const inTenSeconds = new Date(Date.now() + 10_000).toUTCString();
    const { client, waitsMs } = scripted([
      [503, {}, { 'retry-after': inTenSeconds }],
      [503, {}, { 'retry-after': new Date(0).toUTCString() }],
      ok,
    ]);
    await read(client);
    expect(waitsMs).toEqual([expect.closeTo(9000, -4), 0]);
    expect(waitsMs[0]).toBeGreaterThan(1000);
  });

  test('of 0 is no wait, and counts as a retry', async () => {
    const { client, sent, waitsMs } = scripted([[429, {}, { 'retry-after': '0' }]]);
    await expect(read(client)).rejects.toMatchObject({ status: 429 });
    expect([sent.length, waitsMs]).toEqual([5, [0, 0, 0, 0]]);
  });

  test('beyond maxRetryAfterSeconds is thrown at once', async () => {
    const { client, sent } = scripted([limited], { maxRetryAfterSeconds: 59 });
    await expect(read(client)).rejects.toMatchObject({ code: 'rate_limit_exceeded', retryAfterSeconds: 60 });
    expect(sent).toHaveLength(1);
  });
});

test.each<[string, Met]>([
  ['plan_required', [403, { error: 'plan_required', feature: 'rest-api' }]],
  ['account_inactive', [403, { error: 'account_inactive', status: 'suspended' }]],
  ['limit_reached', [403, refused('limit_reached')]],
  ['invalid_value', [400, refused('invalid_value')]],
  ['conflict', [409, refused('conflict')]],
  ['idempotency_key_reused', [422, refused('idempotency_key_reused')]],
])('%s is final', async (code, met) => {
  const { client, sent } = scripted([met]);
  await expect(create(client)).rejects.toMatchObject({ code });
  expect(sent).toHaveLength(1);
});

describe('the Idempotency-Key', () => {
  test('of a creation is made once and kept over its retries, body and all; the next call has another', async () => {
    const { client, sent } = scripted([unreachable, [409, refused('request_in_flight')], [500, refused('internal_error')], ok]);
    await create(client);
    await create(client);
    const keys = sent.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect([keys.length, new Set(keys.slice(0, 4)).size, new Set(sent.map(({ body }) => body)).size]).toEqual([5, 1, 1]);
    expect(keys[4]).not.toBe(keys[0]);
  });

  test('is the given one', async () => {
    const { client, sent } = scripted([ok]);
    await client.orders.create({ items: [] }, { idempotencyKey: 'cart:7' });
    expect(sent[0]?.headers['idempotency-key']).toBe('cart:7');
  });
});

test('the jitter keeps every wait between half and the whole of its step', async () => {
  const waitsWith = async (random: () => number) => {
    const { client, waitsMs } = scripted([unreachable], { random, maxRetries: 7 });
    await expect(read(client)).rejects.toThrow();
    return waitsMs;
  };
  expect(await waitsWith(() => 0)).toEqual([250, 500, 1000, 2000, 4000, 4000, 4000]);
  expect(await waitsWith(() => 1)).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000]);
});

describe("the caller's signal", () => {
  test('already aborted sends nothing', async () => {
    const { client, sent } = scripted([ok]);
    await expect(read(client, { signal: AbortSignal.abort(new Error('closed')) })).rejects.toThrow('closed');
    expect(sent).toEqual([]);
  });

  test('ends a request that hangs, for good', async () => {
    const { client, sent } = scripted(['hang']);
    const controller = new AbortController();
    const reading = read(client, { signal: controller.signal });
    controller.abort(new Error('closed'));
    await expect(reading).rejects.toThrow('closed');
    expect(sent).toHaveLength(1);
  });

  test('ends a wait', async () => {
    const controller = new AbortController();
    const { client, sent } = scripted([limited], { wait: undefined });
    const reading = read(client, {
      signal: controller.signal,
      onResponse: () => setImmediate(() => controller.abort(new Error('closed'))),
    });
    await expect(reading).rejects.toThrow('closed');
    expect(sent).toHaveLength(1);
  });
});

test('an attempt that takes longer than timeoutMs is ended and counts as no answer', async () => {
  const { client, sent } = scripted(['hang', 'hang', ok], { timeoutMs: 1 });
  await read(client);
  expect(sent).toHaveLength(3);
  await expect(read(scripted(['hang'], { timeoutMs: 1, maxRetries: 0 }).client)).rejects.toThrow(TimeoutError);
});

test('a timeoutMs of Infinity never ends an attempt', async () => {
  const { client, sent } = scripted(['hang'], { timeoutMs: Number.POSITIVE_INFINITY });
  const controller = new AbortController();
  const reading = read(client, { signal: controller.signal });
  setTimeout(() => controller.abort(new Error('closed')), 20);
  await expect(reading).rejects.toThrow('closed');
  expect(sent).toHaveLength(1);
});

test('a maxRetries that is no number retries nothing, rather than for ever', async () => {
  const { client, sent } = scripted([unreachable], { maxRetries: Number('four') });
  await expect(read(client)).rejects.toThrow(ConnectionError);
  expect(sent).toHaveLength(1);
});

test('an Idempotency-Key that no header can carry is told at once, and not taken for a broken network', async () => {
  const { client, sent, waitsMs } = scripted([ok]);
  await expect(client.orders.create({ items: [] }, { idempotencyKey: 'line\nbreak' })).rejects.toMatchObject({ name: 'TypeError' });
  expect([sent, waitsMs]).toEqual([[], []]);
});

test.each(['svc_sk_live_us_a\nb', 'svc_sk_live_us_“a”', 'svc_sk_live_us_a b'])(
  'a key that is none (%j) is told at once, without quoting it',
  (apiKey) => {
    const failing = () => scripted([ok], { apiKey });
    expect(failing).toThrow('apiKey');
    expect(failing).not.toThrow('svc_sk');
  },
);

test('the line break that a file or a shell left behind a key does no harm', async () => {
  const { client } = scripted([ok], {
    apiKey: 'svc_sk_live_us_key\n',
    fetch: async (_, init) => Response.json([...new Headers(init.headers)]),
  });
  expect(await client.orders.retrieve('ord_1')).toContainEqual(['authorization', 'Bearer svc_sk_live_us_key']);
});

test.each([null, undefined, ''])(
  'a page that has more, but no cursor (%j), ends a walk with an error instead of beginning again',
  async (next_cursor) => {
    const { client, sent } = scripted([[200, { data: [], pagination: { has_more: true, next_cursor } }]]);
    await expect(client.orders.listAll().next()).rejects.toThrow('next_cursor');
    expect(sent).toHaveLength(1);
  },
);
