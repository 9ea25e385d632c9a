import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { routeOf } from '../../functions/groups.ts';
import { jsonLog } from '../../shared/core/log.ts';
import { type Route, routeKey } from '../../shared/core/routes.ts';
import { brokenConnection } from '../support/faults.ts';
import { createTarget, createTenant, sampleBody, send } from '../support/requests.ts';
import { shared } from '../support/shared.ts';
import { allRoutes, startWorld, type TestResponse } from '../support/world.ts';

const sent = { success: true, statusCode: 204, responseTimeMs: 1, error: null };

const world = shared(() => startWorld({ sender: { send: async () => sent, close: () => undefined } }));
afterEach(() => world.wire.intercept(undefined));

/** Returns the size of a line as written. */
const written = (line: Readonly<Record<string, unknown>>): string => {
  const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  jsonLog(line);
  const [[text] = []] = write.mock.calls;
  write.mockRestore();
  return String(text);
};

/** The one line of the request. */
const lineOf = async (request: () => Promise<TestResponse>): Promise<{ line: Record<string, unknown>; response: TestResponse }> => {
  world.log.length = 0;
  const response = await request();
  expect(world.log).toHaveLength(1);
  const line = world.log[0] ?? {};
  expect(line).toMatchObject({ rid: response.headers['X-Request-Id'], status: response.status });
  return { line, response };
};

describe.each(allRoutes.map((route) => [routeKey(route), route] as const))('%s', (title, route) => {
  test(`${title} logs one line of at most 300 bytes for a success, with request, operation, account and key`, async () => {
    const { key, keyId, account } = await createTenant(world);
    const id = await createTarget(world, route, key);
    const { line } = await lineOf(() => send(world, route, { key, ...(id ? { id } : {}) }));
    expect(Object.keys(line).filter((name) => line[name] !== undefined)).toEqual(['rid', 'op', 'status', 'ms', 'account', 'key']);
    expect(line).toMatchObject({ op: route.operation, status: route.status ?? 200, account: account.id, key: keyId });
    expect(Buffer.byteLength(written(line))).toBeLessThanOrEqual(300);
    expect(written(line)).toMatch(/^\{.*\}\n$/);
  });
});

const marker = 'zq7f';
/** Returns a request with the marker in every place that a caller can fill. */
const marked = (route: Route, key: string) =>
  send(world, route, {
    key,
    id: marker,
    query: `?${marker}=${marker}&cursor=${marker}`,
    headers: { 'Idempotency-Key': `${marker}-1`, 'User-Agent': marker, Cookie: marker, 'X-Marker': marker },
    ...(route.body ? { body: { ...sampleBody(route), description: marker, [marker]: marker } } : {}),
  });

describe.each(['createExpense', 'listExpenses', 'retrieveExpense', 'updateWebhook', 'listExpenseCategories'].map(routeOf))(
  'private data in the log of $operation',
  (route) => {
    const expectSilence = (line: unknown, key: string): void => {
      const text = JSON.stringify(line);
      expect(text).not.toContain(marker);
      expect(text).not.toContain(key.slice(-43));
      expect(text).not.toContain('svc_');
    };

    test(`${route.operation} logs nothing of key, path, query, headers or body if it is served or rejected`, async () => {
      const { key } = await createTenant(world);
      const { line } = await lineOf(() => marked(route, key));
      expectSilence(line, key);
    });

    test.each(['BatchGetItem', 'UpdateItem', 'Query', 'PutItem', 'TransactWriteItems'])(
      `${route.operation} logs nothing of key, path, query, headers or body if %s fails`,
      async (operation) => {
        const { key } = await createTenant(world);
        world.wire.intercept((call, send) => (call.operation === operation ? Promise.reject(brokenConnection()) : send()));
        const { line } = await lineOf(() => marked(route, key));
        expectSilence(line, key);
      },
    );

    test(`${route.operation} logs nothing of key, path, query, headers or body if its key is rejected`, async () => {
      const { key } = await createTenant(world, { key: { revoked_at: '2026-01-01T00:00:00.000Z' } });
      const { line } = await lineOf(() => marked(route, key));
      expectSilence(line, key);
    });
  },
);

describe('the log line of an error', () => {
  const list = routeOf('listExpenses');

  test.each([
    ['no key', async () => ({}), 'no authorization header'],
    ['a malformed key', async () => ({ key: 'nonsense' }), 'malformed key'],
    ['an unknown key', async () => ({ key: `svc_sk_live_us_${'a'.repeat(43)}` }), 'unknown key'],
    ['a key of another region', async () => ({ key: `svc_sk_live_eu_${'a'.repeat(43)}` }), 'key of another region'],
    ['a host of another region', async () => ({ host: 'eu.api.example.com' }), 'host of another region'],
    ['a key without an account', async () => ({ key: await world.createKey('acct_gone') }), 'key without an account'],
    [
      'a revoked key',
      async () => ({ key: (await createTenant(world, { key: { revoked_at: '2026-01-01T00:00:00.000Z' } })).key }),
      'revoked or expired key',
    ],
  ])('the log line of a request with %s has its code and reason', async (_, options, why) => {
    const request = await options();
    const { line, response } = await lineOf(() => send(world, list, request));
    expect(line).toMatchObject({ op: 'listExpenses', code: 'invalid_api_key', why });
    expect(response.text).not.toContain(why);
  });

  test('the log line of an account without the plan has plan_required and no reason', async () => {
    const { key } = await createTenant(world, { account: { plan: 'free' } });
    expect((await lineOf(() => send(world, list, { key }))).line).toMatchObject({ status: 403, code: 'plan_required' });
  });
});

test('the log line of a preflight has no data of the caller', async () => {
  const { line } = await lineOf(() => world.request('OPTIONS', '/reference/expense-categories', { headers: { Origin: marker } }));
  expect(line).toEqual({ rid: expect.any(String), op: 'preflight', status: 204, ms: expect.any(Number) });
});

test('the log line of a replay says so', async () => {
  const { key } = await createTenant(world);
  const route = routeOf('createExpense');
  const request = () => send(world, route, { key, headers: { 'Idempotency-Key': 'once' } });
  expect((await lineOf(request)).line).not.toHaveProperty('replay');
  expect((await lineOf(request)).line).toMatchObject({ status: 201, replay: true });
});
