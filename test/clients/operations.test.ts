import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { type ClientOptions, createClient } from '../../clients/typescript/src/index.ts';
import { scripted } from './scripted.ts';

interface Operation {
  readonly parameters?: readonly { readonly $ref?: string }[];
}

const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as { paths: Record<string, Record<string, Operation>> };
const methods = ['get', 'post', 'put', 'patch', 'delete'];
const documented = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([method]) => methods.includes(method))
    .map(([method, { parameters = [] }]) => ({
      name: `${method.toUpperCase()} ${path}`,
      keyed: parameters.some(({ $ref }) => $ref === '#/components/parameters/IdempotencyKey'),
    })),
);

/**
 * Calls each method of the client, with an id first if its path needs one; every list has one page.
 */
const calls = async () => {
  const { client, sent } = scripted([[200, { data: [], pagination: { has_more: false, next_cursor: null } }]]);
  for (const resource of Object.values(client))
    for (const [name, method] of Object.entries(resource) as [string, (...args: unknown[]) => unknown][]) {
      if (name.startsWith('listAll')) continue;
      const withId = /^(retrieve|update|delete|rotateSecret|test|listEvents)$/.test(name) && resource !== client.availability;
      await method(...(withId ? ['an id', {}] : [{}]));
    }
  return sent;
};

test('the client has one method for every operation of the document, and no other', async () => {
  const made = (await calls()).map(
    ({ method, url }) => `${method} ${new URL(url).pathname.replace('/api/v2', '').replace('an%20id', '{id}')}`,
  );
  expect(made.sort()).toEqual(documented.map(({ name }) => name).sort());
});

test('exactly the operations that take an Idempotency-Key carry one', async () => {
  const carrying = (await calls()).filter(({ headers }) => headers['idempotency-key'] !== undefined);
  expect(carrying.map(({ method, url }) => `${method} ${new URL(url).pathname.replace('/api/v2', '')}`).sort()).toEqual(
    documented.flatMap(({ name, keyed }) => (keyed ? [name] : [])).sort(),
  );
});

test('a request omits undefined parameters, joins an array by commas and sends an id as one segment', async () => {
  const { client, sent } = scripted([[200, {}]]);
  await client.orders.list({ status: ['pending', 'ready'], limit: 5, ...({ sort: undefined } as object) });
  await client.orders.retrieve('a/b?c');
  expect(sent.map(({ url }) => url.replace('https://us.bakery.test/api/v2', ''))).toEqual([
    '/orders?status=pending%2Cready&limit=5',
    '/orders/a%2Fb%3Fc',
  ]);
});

test.each(['', '.', '..'])('an id "%s", which would name another resource, is rejected without a request', async (id) => {
  const { client, sent } = scripted([[200, {}]]);
  await expect(client.webhooks.delete(id)).rejects.toThrow(TypeError);
  expect(sent).toEqual([]);
});

test.each([
  [{ apiKey: 'svc_sk_live_au_x', domain: 'bakery.test' }, 'https://au.bakery.test/api/v2'],
  [{ apiKey: 'svc_test_eu_x', domain: 'bakery.test' }, 'https://eu.bakery.test/api/v2'],
  [{ apiKey: 'svc_pk_live_us_x', baseUrl: 'http://127.0.0.1:4001/api/v2/' }, 'http://127.0.0.1:4001/api/v2'],
  [{ apiKey: 'svc_sk_live_us_x', baseUrl: 'http://us.localhost:4000/api/v2' }, 'http://us.localhost:4000/api/v2'],
  [{ apiKey: 'svc_sk_live_us_x', baseUrl: 'https://bakery.example/us./api/v2' }, 'https://bakery.example/us./api/v2'],
] as [ClientOptions, string][])('the client with %j sends requests to %s', async (options, base) => {
  const urls: string[] = [];
  const fetch = async (url: string) => {
    urls.push(url);
    return new Response('{}');
  };
  const client = createClient({ ...options, fetch });
  await client.reference.listBlockedDates();
  expect(urls).toEqual([`${base}/reference/blocked-dates`]);
});

const noKey = 'This apiKey has not the form of a key (svc_sk_live_us_…): is it whole, and without quotes or spaces?';

test.each<[ClientOptions, string]>([
  [{ apiKey: '', baseUrl: 'http://x' }, 'An apiKey is needed: the secret key of a server, or the publishable one of a browser.'],
  [{ apiKey: 'no key', domain: 'bakery.test' }, noKey],
  [{ apiKey: 'sk_live_0123', baseUrl: 'http://x' }, noKey],
  [
    { apiKey: 'svc_sk_live_us_x' } as ClientOptions,
    "Give the address of the service: domain: 'api.example.com', or baseUrl with /api/v2 at its end.",
  ],
  [
    { apiKey: 'svc_sk_live_eu_x', baseUrl: 'https://us.api.example.com/api/v2/' },
    'The key is of the region eu, but baseUrl is the host of us: use https://eu.api.example.com/api/v2, or a key of us.',
  ],
  [
    { apiKey: 'svc_pk_live_au_x', baseUrl: 'http://us.localhost:4000/api/v2' },
    'The key is of the region au, but baseUrl is the host of us: use http://au.localhost:4000/api/v2, or a key of us.',
  ],
])('options that cannot work are rejected in one sentence: %j', (options, sentence) => {
  expect(() => createClient(options)).toThrow(new TypeError(sentence));
});
