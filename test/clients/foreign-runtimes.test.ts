import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { type Client, type ClientOptions, ConnectionError, createClient, verifyWebhook } from '../../clients/typescript/src/index.ts';
import { scripted } from './scripted.ts';

// Parts that runtimes leave out: React Native, polyfills, implementations of fetch that wrap others.

const create = (client: Client, options = {}) => client.expenses.create({ amount: 1, date: '2026-11-01', category: 'rent' }, options);

/** A signal of abort-controller 3: without `reason`, `throwIfAborted` and `AbortSignal.any`. */
const plainSignal = () => {
  const { signal, ...controller } = (() => {
    const own = new AbortController();
    const plain = {
      get aborted() {
        return own.signal.aborted;
      },
      addEventListener: own.signal.addEventListener.bind(own.signal),
      removeEventListener: own.signal.removeEventListener.bind(own.signal),
    } as unknown as AbortSignal;
    return { signal: plain, abort: () => own.abort() };
  })();
  return { signal, ...controller };
};

test('a call with a signal that has neither reason nor throwIfAborted is sent', async () => {
  const { client, sent } = scripted([[201, { id: 'exp_1' }]]);
  expect(await create(client, { signal: plainSignal().signal })).toEqual({ id: 'exp_1' });
  expect(sent).toHaveLength(1);
});

test('a call whose signal without reason is aborted ends with an AbortError, and is not sent again', async () => {
  const { client, sent } = scripted(['hang']);
  const { signal, abort } = plainSignal();
  const creating = create(client, { signal });
  await Promise.resolve();
  abort();
  await expect(creating).rejects.toMatchObject({ name: 'AbortError' });
  expect(sent.length).toBeLessThanOrEqual(1);
});

test('a call with a controller in place of its signal fails before it is sent', async () => {
  const { client, sent } = scripted([[201, {}]]);
  await expect(create(client, { signal: new AbortController() as unknown as AbortSignal })).rejects.toThrow(/^signal is no AbortSignal/);
  expect(sent).toEqual([]);
});

const fetching = (response: unknown) => {
  let calls = 0;
  const fetch = async () => {
    calls += 1;
    return response as Response;
  };
  return { ...scripted([], { fetch }), calls: () => calls };
};
const headers = { get: () => null };
const text = async () => '{"id":"exp_1"}';
const streamOf = (chunks: readonly unknown[]) =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });

test.each<[string, object]>([
  ['a body without getReader, as node-fetch returns it', { status: 201, ok: true, headers, text, body: { pipe: () => undefined } }],
  ['no body, as React Native returns it', { status: 201, ok: true, headers, text }],
  ['no ok', { status: 201, headers, text }],
  ['a body of text', { status: 201, headers, body: streamOf(['{"id":', '"exp_1"}']) }],
])('a response with %s is read', async (_, response) => {
  expect(await create(fetching(response).client)).toEqual({ id: 'exp_1' });
});

test('a stream without text is cancelled, so that its connection is free', async () => {
  let isCancelled = false;
  const cancel = () => {
    isCancelled = true;
  };
  const body = new ReadableStream({ pull: (controller) => controller.enqueue({}), cancel });
  await expect(create(fetching({ status: 201, headers, body }).client)).rejects.toThrow('an unread text()');
  expect(isCancelled).toBe(true);
});

test.each<[string, unknown]>([
  ['status', { headers, text }],
  ['headers.get()', { status: 201, headers: { 'x-request-id': '1' }, text }],
  ['an unread text()', { status: 201, headers, body: 'x' }],
  ['an unread text()', { status: 201, headers, text, bodyUsed: true }],
  ['an unread text()', { status: 201, headers, text: async () => ({ id: 'exp_1' }) }],
  ['an unread text()', { status: 201, headers, body: streamOf([{ id: 'exp_1' }]) }],
  ['status and headers.get() and an unread text()', undefined],
])('a response without %s fails with its name, and the request is not sent again', async (missing, response) => {
  const { client, calls } = fetching(response);
  const failure = await create(client).catch((error: unknown) => error);
  expect(failure).not.toBeInstanceOf(ConnectionError);
  expect(failure).toMatchObject({ name: 'TypeError', message: expect.stringContaining(`without ${missing}.`) });
  expect(calls()).toBe(1);
});

/** Runs with another value of a global of the runtime. */
const having = async <Result>(name: 'crypto' | 'fetch' | 'location', value: unknown, run: () => Promise<Result>): Promise<Result> => {
  const descriptor = Object.getOwnPropertyDescriptor(globalThis, name) ?? { configurable: true, value: undefined };
  Object.defineProperty(globalThis, name, { configurable: true, writable: true, value });
  try {
    return await run();
  } finally {
    Object.defineProperty(globalThis, name, descriptor);
  }
};

test('a call in a runtime without fetch fails before it is sent, and says what to pass', async () => {
  const { client, waitsMs } = scripted([], { fetch: undefined });
  await having('fetch', undefined, () => expect(create(client)).rejects.toThrow(/^This runtime has no fetch/));
  expect(waitsMs).toEqual([]);
});

test('a call whose fetch ignores its signal ends after its timeout, or with the signal of the caller', async () => {
  const { client } = scripted([], { fetch: () => new Promise(() => {}), maxRetries: 0 });
  await expect(create(client, { timeoutMs: 1 })).rejects.toMatchObject({ name: 'TimeoutError' });
  const controller = new AbortController();
  const creating = create(client, { signal: controller.signal });
  controller.abort(new Error('mine'));
  await expect(creating).rejects.toThrow('mine');
});

test.each<[string, object]>([
  ['timeoutMs', { timeoutMs: Number.NaN }],
  ['timeoutMs', { timeoutMs: 0 }],
  ['maxRetries', { maxRetries: '2' }],
  ['maxRetries', { maxRetries: -1 }],
  ['maxRetryAfterSeconds', { maxRetryAfterSeconds: Number('sixty') }],
  ['onResponse', { onResponse: {} }],
])('an invalid %s in %p fails with its name before a request is sent, of a client and of a call', async (name, options) => {
  const message = new RegExp(`^${name} must be a `);
  expect(() => scripted([], options)).toThrow(message);
  const { client, sent } = scripted([[201, {}]]);
  await expect(create(client, options)).rejects.toThrow(message);
  expect(sent).toEqual([]);
});

test('the fetch of the caller is called without this, which browsers reject', async () => {
  let receiver: unknown;
  const { client } = scripted([], {
    async fetch(this: unknown) {
      receiver = this;
      return new Response('{}');
    },
  });
  await create(client);
  expect(receiver).toBeUndefined();
});

test.each([undefined, {}])(
  'a creation in a runtime with %j as crypto needs the key of the caller, and fails before it is sent',
  async (value) => {
    const { client, sent } = scripted([[201, {}]]);
    await having('crypto', value, async () => {
      await expect(create(client)).rejects.toThrow(/^This runtime has no crypto\.getRandomValues/);
      expect(sent).toEqual([]);
      await create(client, { idempotencyKey: 'rent-2026-11' });
    });
    expect(sent).toMatchObject([{ headers: { 'idempotency-key': 'rent-2026-11' } }]);
  },
);

test('verifyWebhook in a runtime without crypto.subtle fails with a TypeError, which blames no delivery', async () => {
  const verifying = () => verifyWebhook({ rawBody: '{}', headers: { 'x-webhook-signature': `t=1,v1=${'0'.repeat(64)}` }, secrets: 's' });
  await having('crypto', {}, () => expect(verifying()).rejects.toThrow(/^This runtime has no crypto\.subtle/));
});

test('a query is sent without URLSearchParams, whose methods React Native lacks', async () => {
  const { client, sent } = scripted([[200, { data: [], pagination: {} }]]);
  const { URLSearchParams } = globalThis;
  (globalThis as { URLSearchParams?: unknown }).URLSearchParams = undefined;
  await client.orders.list({ status: ['ready', 'pending'], created_after: '2026-01-01T00:00:00+01:00', cursor: 'a b&c' }).finally(() => {
    globalThis.URLSearchParams = URLSearchParams;
  });
  expect(sent[0]?.url).toMatch(/\?status=ready%2Cpending&created_after=2026-01-01T00%3A00%3A00%2B01%3A00&cursor=a%20b%26c$/);
});

test('a callback of the caller that throws ends the call, and the request is not sent again', async () => {
  const { client, sent } = scripted([[201, { id: 'exp_1' }]]);
  const onResponse = () => {
    throw new TypeError('mine');
  };
  await expect(create(client, { onResponse })).rejects.toThrow('mine');
  expect(sent).toHaveLength(1);
});

test('no file of the client has a lookbehind, which Safari before 16.4 cannot load', () => {
  for (const file of globSync('clients/typescript/src/**/*.ts'))
    expect({ file, has: /\(\?<[=!]/.test(readFileSync(file, 'utf8')) }).toEqual({ file, has: false });
});

test.each<[string, RegExp]>([
  ['https://api.example.com', /^domain is a host name/],
  ['api.example.com/api', /^domain is a host name/],
  ['api.exa\nmple.com', /^domain is a host name/],
  ['api.example.com:99999', /^domain has no valid port/],
])('createClient rejects the domain %j', (domain, message) => {
  expect(() => createClient({ apiKey: 'svc_sk_live_us_key', domain })).toThrow(message);
});

test.each<[string, RegExp]>([
  ['us.localhost:4000', /^baseUrl is no address/],
  ['http://us.local host/api/v2', /^baseUrl is no address/],
  ['http://us.localhost:99999/api/v2', /^baseUrl has no valid port/],
  ['http://us.localhost:x/api/v2', /^baseUrl has no valid port/],
  ['http://user:password@us.localhost/api/v2', /^baseUrl is no address/],
  ['http://999.1.1.1/api/v2', /^baseUrl is no address/],
  ['http://us.local|host/api/v2', /^baseUrl is no address/],
  ['/api/v2', /^baseUrl is no address/],
])('createClient rejects the base URL %j', (baseUrl, message) => {
  expect(() => createClient({ apiKey: 'svc_sk_live_us_key', baseUrl })).toThrow(message);
});

test.each([
  ['baseUrl', new URL('https://us.api.example.com/api/v2')],
  ['baseUrl', null],
  ['domain', 5],
])('createClient rejects a %s that is no text (%p)', (name, value) => {
  const options = { apiKey: 'svc_sk_live_us_key', [name]: value } as unknown as ClientOptions;
  expect(() => createClient(options)).toThrow(new TypeError(`${name} must be a text.`));
});

test('createClient accepts a path as base URL with a fetch of the caller, or in a page, also in a frame without an address', async () => {
  const options = { apiKey: 'svc_sk_live_us_key', baseUrl: '/api/v2' };
  createClient({ ...options, fetch: globalThis.fetch });
  await having('location', { href: 'about:srcdoc' }, async () => createClient(options));
  expect(() => createClient({ ...options, baseUrl: '/api/v2?a=1', fetch: globalThis.fetch })).toThrow(/^baseUrl is no address/);
});

test.each(['http://[::1]:4001/api/v2/', 'https://us.api.example.com/api/v2'])('createClient accepts the base URL %s', (baseUrl) => {
  expect(() => createClient({ apiKey: 'svc_sk_live_us_key', baseUrl })).not.toThrow();
});
