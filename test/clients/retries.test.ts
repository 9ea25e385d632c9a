import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { type CallOptions, type Client, ConnectionError, TimeoutError } from '../../clients/typescript/src/index.ts';
import { type Met, scripted } from './scripted.ts';
import { retryVectors } from './vectors.ts';

const ok: Met = [200, {}];
const errorBody = (code: string) => ({ error: { type: 'x', code, message: 'x' } });
const limited: Met = [429, { error: 'rate_limit_exceeded', message: 'x', retryAfter: 60 }, { 'retry-after': '60' }];
const unreachable = new TypeError('fetch failed');

type Call = (client: Client, options?: CallOptions) => Promise<unknown>;
const read: Call = (client, options) => client.orders.retrieve('ord_1', options);
const create: Call = (client, options) => client.expenses.create({ amount: 1, date: '2026-03-01', category: 'rent' }, options);
const calls: Readonly<Record<string, Call>> = {
  read,
  creation: create,
  'search token': (client, options) => client.products.createSearchToken(options),
  update: (client, options) => client.webhooks.update('whe_1', { enabled: true }, options),
  delete: (client, options) => client.webhooks.delete('whe_1', options),
  rotate_secret: (client, options) => client.webhooks.rotateSecret('whe_1', options),
  test: (client, options) => client.webhooks.test('whe_1', options),
};

const meet = (name: string): Met => {
  if (name === 'unreachable') return unreachable;
  const { status, body, headers } = retryVectors.answers[name] ?? {};
  if (status === undefined) throw new Error(`There is no answer ${name}.`);
  return [status, body, headers ?? {}];
};

const vectors = retryVectors.cases.flatMap((vector) => vector.calls.map((call) => [call, vector.says, vector] as const));

test.each(vectors)('a call of %s %s', async (call, _says, { met, waits, ends, max_retries, max_retry_after, random = 0.5 }) => {
  const { client, sent, waitsMs } = scripted(met.map(meet), { random: () => random, maxRetryAfterSeconds: max_retry_after });
  const end = calls[call]?.(client, max_retries === undefined ? {} : { maxRetries: max_retries });
  const failure = meet(ends);
  if (ends === 'ok') await end;
  else if (failure instanceof Error)
    await expect(end).rejects.toMatchObject({ name: 'ConnectionError', message: expect.stringContaining('https://us.bakery.test/api/v2') });
  else if (typeof failure !== 'string') await expect(end).rejects.toMatchObject({ name: 'ApiError', status: failure[0], body: failure[1] });
  expect([sent.length, waitsMs]).toEqual([met.length, waits.map((seconds) => seconds * 1000)]);
});

/** Runs a call against a server of Node's, which sends these bytes under the platform's own fetch. */
const callServer = async (call: Call, { encoding, content, breaks }: { encoding: string; content: Buffer; breaks?: true }) => {
  const keys: unknown[] = [];
  const server = createServer((request, response) => {
    keys.push(request.headers['idempotency-key']);
    response.writeHead(200, { 'content-encoding': encoding });
    if (breaks && keys.length === 1) response.write(content, () => response.destroy());
    else response.end(breaks ? '{}' : content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v2`;
  const { client } = scripted([], { baseUrl, fetch: globalThis.fetch });
  const failure = await call(client).then(
    () => undefined,
    (error: unknown) => error,
  );
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return { failure, keys };
};

const damaged = gzipSync('{"id":"exp_1"}');
damaged.writeUInt32LE(0, damaged.length - 8); // its checksum

test.each<[string, Buffer]>([
  ['gzip', Buffer.from('no gzip')],
  ['gzip', damaged],
  ['br', Buffer.from('no brotli')],
])('a 2xx with a body that %s cannot decode is an ApiError, and is not sent again', async (encoding, content) => {
  for (const call of Object.values(calls)) {
    const { failure, keys } = await callServer(call, { encoding, content });
    expect(failure).toMatchObject({ name: 'ApiError', status: 200, body: '' });
    expect(failure).toMatchObject({ message: expect.stringMatching(/may have succeeded\. Its body cannot be decoded: ./) });
    expect(keys).toHaveLength(1);
  }
});

test.each(Object.entries(calls))('a %s that gets a 2xx without JSON ends with an ApiError, and is not sent again', async (_, call) => {
  const { client, sent } = scripted([[200, '{"data":[']]);
  await expect(call(client)).rejects.toMatchObject({
    name: 'ApiError',
    message: "200 unknown: The response is not the service's JSON. The request may have succeeded.",
  });
  expect(sent).toHaveLength(1);
});

// Idempotency rules: a read runs again, a creation under its key; others may have been done.
test.each(Object.entries(calls))('a %s whose body breaks after its headers is retried if a second run is safe', async (name, call) => {
  const { failure, keys } = await callServer(call, { encoding: 'identity', content: Buffer.from('{"data":['), breaks: true });
  const isSafe = ['read', 'creation', 'search token'].includes(name);
  expect([keys.length, new Set(keys).size]).toEqual([isSafe ? 2 : 1, 1]);
  if (isSafe) expect(failure).toBeUndefined();
  else expect(failure).toBeInstanceOf(ConnectionError);
});

test('a Retry-After may be a date, as proxies write it', async () => {
  const inTenSeconds = new Date(Date.now() + 10_000).toUTCString();
  const { client, waitsMs } = scripted([[503, {}, { 'retry-after': inTenSeconds }], ok]);
  await read(client);
  expect(waitsMs).toEqual([expect.closeTo(9000, -4)]);
  expect(waitsMs[0]).toBeGreaterThan(1000);
});

describe('the Idempotency-Key', () => {
  test('a creation keeps one Idempotency-Key and body over its retries; the next call has another key', async () => {
    const { client, sent } = scripted([unreachable, [409, errorBody('request_in_flight')], [500, errorBody('internal_error')], ok]);
    await create(client);
    await create(client);
    const keys = sent.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect([keys.length, new Set(keys.slice(0, 4)).size, new Set(sent.map(({ body }) => body)).size]).toEqual([5, 1, 1]);
    expect(keys[4]).not.toBe(keys[0]);
  });

  test('a request has the Idempotency-Key that the caller passed', async () => {
    const { client, sent } = scripted([ok]);
    await client.orders.create({ items: [] }, { idempotencyKey: 'cart:7' });
    expect(sent[0]?.headers['idempotency-key']).toBe('cart:7');
  });
});

describe("the caller's signal", () => {
  test('an aborted signal sends nothing', async () => {
    const { client, sent } = scripted([ok]);
    await expect(read(client, { signal: AbortSignal.abort(new Error('closed')) })).rejects.toThrow('closed');
    expect(sent).toEqual([]);
  });

  test("the caller's signal ends a request that hangs, without a retry", async () => {
    const { client, sent } = scripted(['hang']);
    const controller = new AbortController();
    const reading = read(client, { signal: controller.signal });
    controller.abort(new Error('closed'));
    await expect(reading).rejects.toThrow('closed');
    expect(sent).toHaveLength(1);
  });

  test("the caller's signal ends a wait", async () => {
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

test('an attempt that exceeds timeoutMs is aborted and counts as no response', async () => {
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

test('an Idempotency-Key that is invalid in a header fails at once, and not as a network error', async () => {
  const { client, sent, waitsMs } = scripted([ok]);
  await expect(client.orders.create({ items: [] }, { idempotencyKey: 'line\nbreak' })).rejects.toMatchObject({ name: 'TypeError' });
  expect([sent, waitsMs]).toEqual([[], []]);
});

test.each(['svc_sk_live_us_a\nb', 'svc_sk_live_us_“a”', 'svc_sk_live_us_a b'])(
  'an invalid key (%j) fails at once with one sentence that does not quote it',
  (apiKey) => {
    const failing = () => scripted([ok], { apiKey });
    expect(failing).toThrow('This apiKey has not the form of a key (svc_sk_live_us_…): is it whole, and without quotes or spaces?');
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

test('a walk ends with an error if a cursor comes twice, because it would never end', async () => {
  const page = (next_cursor: string): Met => [200, { data: [{ id: next_cursor }], pagination: { has_more: true, next_cursor } }];
  for (const script of [[page('a')], [page('a'), page('b'), page('a')]]) {
    const { client, sent } = scripted(script);
    const walk = async () => {
      for await (const _ of client.orders.listAll());
    };
    await expect(walk()).rejects.toThrow('next_cursor came twice');
    expect(sent.length).toBeLessThan(4);
  }
});

test('a response that never ends is cut off and counts as no response of the service', async () => {
  const chunk = new Uint8Array(1024 * 1024).fill(0x61);
  let cancelled = false;
  const endless = () =>
    new ReadableStream({
      pull: (controller) => controller.enqueue(chunk),
      cancel() {
        cancelled = true;
      },
    });
  const { client } = scripted([], { fetch: async () => new Response(endless()) });
  await expect(read(client)).rejects.toMatchObject({ name: 'ApiError', status: 200, code: 'unknown' });
  expect(cancelled).toBe(true);
});

test('the client reads a response of 5 MB in characters of several bytes without a loss', async () => {
  const notes = '🍰'.repeat(1_250_000);
  const bytes = new TextEncoder().encode(JSON.stringify({ notes }));
  const inParts = () =>
    new ReadableStream({
      start(controller) {
        for (let at = 0; at < bytes.length; at += 65_537) controller.enqueue(bytes.subarray(at, at + 65_537));
        controller.close();
      },
    });
  const { client } = scripted([], { fetch: async () => new Response(inParts()) });
  expect(await read(client)).toEqual({ notes });
});
