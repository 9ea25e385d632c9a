import { describe, expect, test } from '@jest/globals';
import { routeOf } from '../../functions/groups.ts';
import type { Route } from '../../shared/core/routes.ts';
import { createTenant, exhaust, send, type Tenant } from '../support/requests.ts';
import { shared } from '../support/shared.ts';
import { type RequestOptions, startWorld, type TestResponse } from '../support/world.ts';

// Guarantee 9 (docs/guarantees.md)

const world = shared(startWorld);

const windowMs = 60_000;
const read = routeOf('listExpenseCategories');
const write = routeOf('updateWebhook');

/** Sends requests in waves of 20, as many as the sockets allow. */
const times = async (count: number, route: Route, options: RequestOptions): Promise<TestResponse[]> => {
  const responses: TestResponse[] = [];
  for (let remaining = count; remaining > 0; remaining -= 20)
    responses.push(...(await Promise.all(Array.from({ length: Math.min(20, remaining) }, () => send(world, route, options)))));
  return responses;
};

const countRejected = (responses: readonly TestResponse[]): number => responses.filter(({ status }) => status === 429).length;

const fresh = async (): Promise<Tenant> => {
  world.clock.advance(windowMs - (world.clock.now() % windowMs));
  return createTenant(world);
};

test.each([
  ['300 reads of a key', read, 300],
  ['100 writes of a key', write, 100],
])('%s pass in one window, and the next is rejected', async (_, route, limit) => {
  const { key } = await fresh();
  expect(countRejected(await times(limit, route, { key }))).toBe(0);
  expect((await send(world, route, { key })).status).toBe(429);
});

test('exactly 100 of 110 simultaneous writes pass', async () => {
  const { key } = await fresh();
  expect(countRejected(await times(110, write, { key }))).toBe(10);
});

test('120 requests of an address pass in one window, whatever their keys, and the next is rejected', async () => {
  const { key } = await fresh();
  const { key: other } = await createTenant(world, { key: { type: 'publishable' } });
  const sourceIp = '203.0.113.7';
  expect(countRejected(await times(60, read, { key, sourceIp }))).toBe(0);
  expect(countRejected(await times(30, read, { key: other, sourceIp }))).toBe(0);
  expect((await times(30, read, { sourceIp })).map(({ status }) => status)).toEqual(Array(30).fill(401));
  expect((await send(world, read, { key: other, sourceIp })).headers['X-RateLimit-Rule']).toBe('api-public-ip');
});

describe('an empty bucket', () => {
  const rules = { read: { name: 'api-read', limit: 300 }, write: { name: 'api-write', limit: 100 } };

  test('an empty bucket is full again exactly when its window ends, as X-RateLimit-Reset says', async () => {
    const { key, keyId } = await fresh();
    world.clock.advance(12_345);
    await exhaust(world, rules.read, keyId);
    const { headers } = await send(world, read, { key });
    const resetMs = Number(headers['X-RateLimit-Reset']) * 1000;
    expect(resetMs - world.clock.now()).toBe(windowMs - 12_345);
    world.clock.advance(resetMs - world.clock.now() - 1);
    expect((await send(world, read, { key })).status).toBe(429);
    world.clock.advance(1);
    expect((await send(world, read, { key })).status).toBe(200);
  });

  test('an empty bucket of writes does not affect reads, nor one of reads writes', async () => {
    const [one, two] = [await fresh(), await createTenant(world)];
    await exhaust(world, rules.write, one.keyId);
    await exhaust(world, rules.read, two.keyId);
    expect((await send(world, read, { key: one.key })).status).toBe(200);
    expect((await send(world, write, { key: two.key })).status).toBe(404);
  });

  test('an empty bucket of one key does not affect another key of the account', async () => {
    const { account, keyId } = await fresh();
    await exhaust(world, rules.read, keyId);
    expect((await send(world, read, { key: await world.createKey(account.id) })).status).toBe(200);
  });

  test('an empty bucket ignores forwarding headers', async () => {
    const { key } = await fresh();
    const sourceIp = '203.0.113.9';
    await exhaust(world, { name: 'api-public-ip', limit: 120 }, sourceIp);
    const headers = {
      'X-Forwarded-For': '198.51.100.1',
      Forwarded: 'for=198.51.100.1',
      'X-Real-IP': '198.51.100.1',
      'True-Client-IP': '198.51.100.1',
      'CF-Connecting-IP': '198.51.100.1',
    };
    expect((await send(world, read, { key, sourceIp, headers })).status).toBe(429);
    expect((await send(world, read, { key, headers: { 'X-Forwarded-For': sourceIp } })).status).toBe(200);
  });
});

describe('an address behind an edge', () => {
  const header = (address: string) => ({ 'CloudFront-Viewer-Address': address });
  const [shared, limit] = ['203.0.113.12', { name: 'api-public-ip', limit: 120 }];

  test.each([
    ['IPv4', '198.51.100.20:46532', '198.51.100.20'],
    ['IPv6', '2001:db8:7::1:46532', '2001:db8:7::1'],
  ])('an address behind an edge of %s has a bucket of its own, whatever the port', async (_, viewer, address) => {
    const { key } = await fresh();
    await exhaust(world, limit, shared);
    const ask = (sent: string) => send(world, read, { key, sourceIp: shared, headers: header(sent), throughEdge: true });
    expect((await ask(viewer)).status).toBe(200);
    await exhaust(world, limit, address);
    expect((await ask(viewer)).status).toBe(429);
    expect((await ask(viewer.replace('46532', '1024'))).status).toBe(429);
  });

  test("an address behind an edge counts nothing if the edge's secret was not in the request", async () => {
    const { key } = await fresh();
    await exhaust(world, limit, '203.0.113.13');
    expect((await send(world, read, { key, sourceIp: '203.0.113.13', headers: header('198.51.100.21:1') })).status).toBe(429);
  });

  test('an address behind an edge is the one that the gateway sees if the edge names none', async () => {
    const { key } = await fresh();
    await exhaust(world, limit, '203.0.113.14');
    expect((await send(world, read, { key, sourceIp: '203.0.113.14', throughEdge: true })).status).toBe(429);
  });
});

test('routes for secret keys do not count by address', async () => {
  const { key } = await fresh();
  const sourceIp = '203.0.113.11';
  await exhaust(world, { name: 'api-public-ip', limit: 120 }, sourceIp);
  expect((await send(world, routeOf('listExpenses'), { key, sourceIp })).status).toBe(200);
});

test.each([
  ['read', 'listExpenses', '300'],
  ['read that browsers may make', 'listExpenseCategories', '300'],
  ['write', 'createExpense', '100'],
])("a successful %s returns its key's limit, but not the remaining number or the rule", async (_, operation, limit) => {
  const { key } = await fresh();
  const { headers } = await send(world, routeOf(operation), { key });
  const names = Object.keys(headers).filter((name) => /ratelimit|retry/i.test(name));
  expect([names, headers['X-RateLimit-Limit']]).toEqual([['X-RateLimit-Limit'], limit]);
});

test('requests that are rejected after the bucket was counted count like all others', async () => {
  const { key } = await fresh();
  const invalid = await times(100, routeOf('createExpense'), { key, body: {} });
  expect(new Set(invalid.map(({ status }) => status))).toEqual(new Set([400]));
  expect((await send(world, routeOf('createExpense'), { key })).status).toBe(429);
});
