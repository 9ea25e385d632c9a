import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as v from 'valibot';
import { routeOf } from '../../functions/groups.ts';
import { type Route, routeKey } from '../../shared/core/routes.ts';
import { anyCharacter } from '../support/any-character.ts';
import { createTenant, leftovers, sampleBody, send } from '../support/requests.ts';
import { isFirstOfShape } from '../support/shapes.ts';
import { shared } from '../support/shared.ts';
import { allRoutes, type RequestOptions, startWorld, type TestResponse } from '../support/world.ts';

const sent = { success: true, statusCode: 204, responseTimeMs: 1, error: null };

const world = shared(() => startWorld({ sender: { send: async () => sent, close: () => undefined } }));
/** A key that is rejected on every request. */
let key: string;
beforeAll(async () => {
  ({ key } = await withKey());
});

const withKey = async (): Promise<{ key: string }> => ({ key: (await createTenant(world)).key });
const named = (routes: readonly Route[]) => routes.map((route) => [routeKey(route), route] as const);

/** Returns the beginning of a value, for a test's name, and the value. */
const labelled = (text: string) => [text.slice(0, 30), text] as const;

const envelope = (type: string, code: string, field?: string) => ({
  error: { type, code, message: expect.stringMatching(/\w/), ...(field === undefined ? {} : { field }) },
});

/**
 * Sends a request with an Idempotency-Key, a second after the previous one, and checks that it
 * leaves no trace.
 */
const sendRejected = async (route: Route, options: Parameters<typeof send>[2]): Promise<TestResponse> => {
  world.clock.advance(1_000);
  world.wire.reset();
  const response = await send(world, route, { key, headers: { 'Idempotency-Key': 'bad' }, ...options });
  expect(leftovers(world)).toEqual([]);
  return response;
};

const taken = async (route: Route, options: RequestOptions): Promise<void> => {
  const response = await send(world, route, { ...(await withKey()), ...options });
  expect(response.status).toBe(route.path.includes('{id}') ? 404 : (route.status ?? 200));
};

const oddTexts = ['\0', '\ud800', '__proto__', ' ', '<b>', '1e999', 'NaN', '9'.repeat(400), 'é'.repeat(300), '\u202e'];

const nested = (depth: number): unknown => (depth === 0 ? 1 : depth % 2 === 0 ? [nested(depth - 1)] : { a: nested(depth - 1) });
const maxBytes = 256 * 1024;

/** The reading of a body knows of a route only whether it takes an Idempotency-Key. */
const isFirstReader = (route: Route): boolean =>
  allRoutes.find(({ body, idempotent }) => body && idempotent === route.idempotent) === route;

describe.each(named(allRoutes.filter(isFirstReader)))('%s', (title, route) => {
  const json = (fields: object = {}): string => JSON.stringify({ ...sampleBody(route), ...fields });

  test.each([
    ['nothing', undefined],
    ['an empty text', ''],
    ['spaces', ' \n'],
    ['half an object', '{"amount":'],
    ['a comma too many', '{"a":1,}'],
    ['single quotes', "{'a':1}"],
    ['no JSON number', '{"a":NaN}'],
    ['two objects', '{}{}'],
    ['a comment', '{/* */}'],
    ['a control character in a text', '{"a":"\n"}'],
    ['a NUL', '{}\0'],
    ['a form', 'amount=1&date=2026-03-01'],
    ['100,000 open brackets', '['.repeat(100_000)],
  ])(`${title} rejects %s, which is not JSON`, async (_name, body) => {
    const { status, body: responseBody } = await sendRejected(route, { body });
    expect([status, responseBody]).toEqual([400, envelope('validation_error', 'invalid_json')]);
  });

  test.each([
    ['bytes that are no UTF-8', [0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]],
    ['a surrogate in UTF-8', [0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]],
    ['an image', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0]],
    ['no bytes', []],
  ])(`${title} rejects %s, which is not JSON`, async (_name, bytes) => {
    const { status, body } = await sendRejected(route, { bytes: Uint8Array.from(bytes) });
    expect([status, body]).toEqual([400, envelope('validation_error', 'invalid_json')]);
  });

  test.each(['[]', '[{}]', 'null', 'true', '"text"', '1', '[[[[]]]]', '['.repeat(100_000) + ']'.repeat(100_000)].map(labelled))(
    `${title} rejects %s, which is not an object`,
    async (_name, body) => {
      const { status, body: responseBody } = await sendRejected(route, { body });
      expect([status, responseBody]).toEqual([400, envelope('validation_error', 'invalid_value')]);
    },
  );

  test(`${title} rejects a body of one byte over 256 KiB`, async () => {
    const padded = json().padEnd(maxBytes + 1);
    const inBytes = JSON.stringify({ a: 'é'.repeat(maxBytes / 2) });
    for (const body of [padded, '{'.repeat(maxBytes + 1), inBytes]) {
      const { status, body: responseBody } = await sendRejected(route, { body });
      expect([status, responseBody]).toEqual([400, envelope('validation_error', 'invalid_value')]);
    }
  });

  test.each([
    ['21 levels', nested(20)],
    ['40 levels', nested(40)],
  ])(`${title} rejects %s of nesting, and names the field`, async (_name, deep) => {
    const { status, body } = await sendRejected(route, { body: { ...sampleBody(route), shallow: nested(19), deep } });
    expect([status, body]).toEqual([400, envelope('validation_error', 'invalid_value', 'deep')]);
  });

  test(`${title} rejects 40,000 levels of nesting`, async () => {
    const body = `{"deep":${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}}`;
    const { status, body: responseBody } = await sendRejected(route, { body });
    expect([status, responseBody]).toEqual([400, envelope('validation_error', 'invalid_value', 'deep')]);
  });

  test.each([
    ['of exactly 256 KiB', () => json().padEnd(maxBytes)],
    ['20 levels deep', () => json({ deep: nested(19) })],
    ['with a byte order mark', () => `\ufeff${json()}`],
    ['with a member twice, of which the last counts', () => `${json().slice(0, -1)},"x":1,"x":{}}`],
  ])(`${title} accepts a body %s`, async (_name, body) => {
    await taken(route, { body: body() });
  });

  test(`${title} accepts a body in base64`, async () => {
    await taken(route, { bytes: Buffer.from(json()) });
  });
});

describe.each(named(allRoutes.filter(({ body }) => body)))('%s', (title, route) => {
  const json = (fields: object = {}): string => JSON.stringify({ ...sampleBody(route), ...fields });

  test.each([
    ['with unknown members', () => json({ unknown: { a: [null, true, 'x'] } })],
    ['with __proto__', () => `{"__proto__":{"amount":-1,"url":"no"},${json().slice(1)}`],
    ['with constructor and toString', () => json({ constructor: { prototype: { a: 1 } }, toString: 1, hasOwnProperty: null, valueOf: [] })],
    ['with members of an empty and of an odd name', () => json({ '': 1, '\0': 2, '\ud800': 3, '💥': 4 })],
    ['with thousands of members', () => json(Object.fromEntries(Array.from({ length: 5_000 }, (_item, i) => [`m${i}`, i])))],
  ])(`${title} accepts a body %s`, async (_name, body) => {
    await taken(route, { body: body() });
  });

  test(`${title} returns success or a 400 with a field for any value in any field`, async () => {
    const names = Object.keys(sampleBody(route) ?? {});
    const odd = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom<unknown>(...oddTexts, -0, 1e308, 5e-324));
    const { key } = await withKey();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), odd, async (name, value) => {
        world.clock.advance(1_000);
        const { status, body } = await send(world, route, { key, body: { ...sampleBody(route), [name]: value } });
        expect([200, 201, 400, 404, 409]).toContain(status);
        if (status === 400) expect(body.error).toMatchObject({ type: 'validation_error', field: expect.any(String) });
      }),
      { numRuns: 20 },
    );
  });
});

describe.each(named(allRoutes.filter(({ method, body }) => method === 'POST' && !body)))('%s', (title, route) => {
  const status = route.path.includes('{id}') ? 404 : 201;

  test.each([
    ['no body', undefined],
    ['an empty body', ''],
    ['an empty object', '{}'],
    ['an object it does not know', '{"a":1}'],
  ])(`${title} accepts %s`, async (_name, body) => {
    expect((await send(world, route, { ...(await withKey()), body })).status).toBe(status);
  });

  test.each([
    ['{', 'invalid_json'],
    ['[]', 'invalid_value'],
    ['null', 'invalid_value'],
  ])(`${title} rejects %s`, async (body, code) => {
    const response = await sendRejected(route, { body });
    expect([response.status, response.body]).toEqual([400, envelope('validation_error', code)]);
  });
});

/** Ids that the reading of a request rejects. */
const impossibleIds = [
  ...['x'.repeat(256), 'x'.repeat(5_000), '..%2f..%2fetc%2fpasswd', '%00', '%20', '%', '%zz', '%c3%28', '%f0%9f%92%a5', 'a%23b'],
  ...["'%20OR%201=1", '{id}', '%7Bid%7D', 'null', 'undefined', '0', 'a~b', '%0d%0aX-Evil:1'],
];
/** Ids of which some name other items of the account's partitions. */
const unknownIds = ['__proto__', 'constructor', 'account', 'registry', 'gateway_fees_2026-03-05', 'exp_00000000000000000000000000'];

describe.each(named(allRoutes.filter(({ path }) => path.includes('{id}'))))('%s', (title, route) => {
  test.each([...(isFirstOfShape(route) ? impossibleIds : []), ...unknownIds].map(labelled))(
    `${title} returns 404 for the id %s`,
    async (_name, id) => {
      const { status, body } = await sendRejected(route, { id });
      expect([status, body]).toEqual([404, envelope('not_found', 'not_found')]);
    },
  );
});

/** The reading of a query is the same for all routes. What is unknown is ignored by the route's own schema. */
const garbage = [
  ...['?__proto__=1', '?constructor=1&toString=2', '?=', '?&&&', '?%', '?%zz=%', '?a=%ff%fe', '?limit', '?limit=', '?limit=%00'],
  ...['?limit=-1', '?limit=1e9', '?limit=abc', '?limit[]=1', '?limit=1&limit=x', '?unknown=%F0%9F%92%A5', `?a=${'x'.repeat(8_000)}`],
];

describe.each(named(allRoutes.filter(({ method, path }) => method === 'GET' && !path.includes('{id}'))))('%s', (title, route) => {
  const queries = (isFirstOfShape(route) ? garbage : garbage.slice(0, 2)).map(labelled);
  test.each(queries)(`${title} ignores the query %s`, async (_name, query) => {
    const required = route.operation === 'getAvailability' ? '&date=2026-03-12' : '';
    world.clock.advance(1_000);
    const { status } = await send(world, route, { key, query: query + required });
    expect(status).toBe(200);
  });

  const names = route.query && 'entries' in route.query ? Object.keys(route.query.entries as object) : [];
  if (names.length === 0) return;

  test(`${title} returns success or a 400 for any value of any parameter`, async () => {
    const { key } = await withKey();
    const odd = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.constantFrom('', ' ', '\0', '-1', '1e400', '9'.repeat(300), '٣', '%', '__proto__'),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), odd, async (name, value) => {
        const query = `?${name}=${encodeURIComponent(value.toWellFormed())}`;
        const response = await send(world, route, { key, query });
        expect([200, 400]).toContain(response.status);
        if (response.status === 400) expect(response.body.error).toMatchObject({ type: 'validation_error', message: expect.any(String) });
      }),
      { numRuns: 20 },
    );
  });
});

const withPlus = '2026-03-05T10:20:30+02:00';
const timeParameters = allRoutes.flatMap((route) => {
  const entries = route.query && 'entries' in route.query ? (route.query.entries as Record<string, v.GenericSchema>) : {};
  // `limit` also becomes a number, but a small one.
  const times = Object.keys(entries).filter((name) => Number(v.safeParse(entries[name] ?? v.never(), withPlus).output) > 1e9);
  return times.map((name) => [routeKey(route), name, route] as const);
});

test('the lists have the time parameters of the specification', () => {
  const names = new Set(timeParameters.map(([, name]) => name));
  expect([...names].sort()).toEqual(['created_after', 'created_before', 'date_from', 'date_to', 'updated_after']);
});

test.each(timeParameters)('%s reads a space in %s as a plus sign', async (_, name, route) => {
  for (const text of [withPlus, withPlus.replace('+', '%20'), withPlus.replace('+', '%2B')])
    expect((await send(world, route, { ...(await withKey()), query: `?${name}=${text}` })).status).toBe(200);
  for (const text of ['2026-03-05%2010:20', '2026-03-05T10:20Z%2002:00'])
    expect((await sendRejected(route, { query: `?${name}=${text}` })).body).toEqual(envelope('validation_error', 'invalid_value', name));
});

describe('repeated parameters', () => {
  const list = routeOf('listExpenses');

  test.each([
    ['?limit=7&limit=9', 7],
    ['?limit=7&a=1&limit=x', 7],
    ['?limit=7&limit[]=9', 7],
    ['?%6cimit=7&limit=9', 7],
    ['?limit=&limit=9', 50],
  ])('a repeated parameter has its first value: %s', async (query, limit) => {
    expect((await send(world, list, { ...(await withKey()), query })).body.pagination.limit).toBe(limit);
  });

  test('a repeated parameter with an invalid first value is rejected', async () => {
    const { status, body } = await sendRejected(list, { query: '?order_by=no&order_by=date' });
    expect([status, body]).toEqual([400, envelope('validation_error', 'invalid_value', 'order_by')]);
  });
});

test.each([
  ['a text', 'text'],
  ['an unparseable text', '{'],
  ['300 KB', 'x'.repeat(300_000)],
])('a GET ignores a body of %s', async (_, body) => {
  expect((await send(world, routeOf('listExpenses'), { ...(await withKey()), body })).status).toBe(200);
});

test.each([
  ['Content-Type', 'text/plain'],
  ['Content-Type', ''],
  ['Accept', 'text/html'],
  ['Accept-Encoding', 'nonsense'],
  ['Content-Length', '-1'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['X-Forwarded-Host', 'eu.api.example.com'],
  ['X-Request-Id', 'mine'],
])('the header %s: %s has no effect', async (name, value) => {
  const response = await send(world, routeOf('createExpense'), { ...(await withKey()), headers: { [name]: value } });
  expect(response.status).toBe(201);
  expect(response.headers['X-Request-Id']).toMatch(/^req-/);
});
