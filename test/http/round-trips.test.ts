import { describe, expect, test } from '@jest/globals';
import { routeOf } from '../../functions/groups.ts';
import { hashKey } from '../../shared/auth/authenticate.ts';
import { type Route, routeKey } from '../../shared/core/routes.ts';
import { rateRules } from '../../shared/http/rate-limits.ts';
import { listRoutes, listSample } from '../support/lists.ts';
import { createTarget, createTenant, exhaust, sampleBody, send, type Tenant } from '../support/requests.ts';
import { shared } from '../support/shared.ts';
import { askPage, openList } from '../support/walks.ts';
import { allRoutes, type RequestOptions, startWorld, type TestResponse } from '../support/world.ts';

/**
 * Sequential round trips of a request with a known key, including authentication, rate limits,
 * checks and idempotency. test/costs has all calls and units of every route.
 */
const limits = { GET: 1, POST: 2, PATCH: 2, DELETE: 2 } as const;
/**
 * An order takes its number only after all other checks, which is a trip more. A search token is
 * not stored, which is a trip less.
 */
const others: Readonly<Record<string, number>> = { createOrder: 3, createSearchToken: 1 };
const allowed = ({ method, operation }: Route): number => others[operation] ?? limits[method];

const sent = { success: true, statusCode: 204, responseTimeMs: 1, error: null };

const world = shared(() => startWorld({ sender: { send: async () => sent, close: () => undefined } }));

const measure = async (route: Route, request: () => Promise<TestResponse>): Promise<number> => {
  world.wire.reset();
  const { status } = await request();
  expect(status).toBe(route.status ?? 200);
  return world.wire.sequentialTrips();
};

/** Stores the day of the key's use, which the first response would do otherwise. */
const useToday = (key: string) => send(world, routeOf('listTimeSlots'), { key });

/** Opens an account with a key that the route's function knows. */
const known = async (route: Route, overrides?: Parameters<typeof createTenant>[1]): Promise<Tenant> => {
  const tenant = await createTenant(world, overrides);
  await send(world, route, { key: tenant.key, ...(route.body ? { body: {} } : {}) });
  await useToday(tenant.key);
  return tenant;
};

describe.each(allRoutes.map((route) => [routeKey(route), route] as const))('%s', (title, route) => {
  const measured = async ({ key }: Tenant, options: RequestOptions = {}): Promise<number> => {
    const id = await createTarget(world, route, key);
    return measure(route, () => send(world, route, { key, ...(id ? { id } : {}), headers: { 'Idempotency-Key': 'k' }, ...options }));
  };

  test(`${title} takes ${allowed(route)} sequential trips to the tables`, async () => {
    expect(await measured(await known(route))).toBe(allowed(route));
  });

  if (route.keys === 'any') {
    test(`${title} takes as many trips with a publishable key`, async () => {
      const tenant = await known(route);
      const key = await world.createKey(tenant.account.id, { type: 'publishable' });
      await send(world, route, { key, ...(route.body ? { body: {} } : {}) });
      await useToday(key);
      expect(await measured(tenant, { key })).toBe(allowed(route));
    });
  }

  test(`${title} takes one more trip with a key that is new to the function, and one to store its use`, async () => {
    const { account, key } = await known(route);
    const id = await createTarget(world, route, key);
    const stranger = await world.createKey(account.id);
    expect(await measure(route, () => send(world, route, { key: stranger, ...(id ? { id } : {}) }))).toBe(allowed(route) + 2);
  });

  if (route.idempotent) {
    test(`${title} takes 1 trip for a replay, and 1 for a reused Idempotency-Key`, async () => {
      const { key } = await createTenant(world);
      const options = { key, body: sampleBody(route), headers: { 'Idempotency-Key': 'k' } };
      await send(world, route, options);
      expect(await measure(route, () => send(world, route, options))).toBe(1);
      const buckets = Array(route.keys === 'any' ? 2 : 1).fill('UpdateItem');
      expect(world.wire.calls.map(({ operation }) => operation).sort()).toEqual(['BatchGetItem', ...buckets]);
      world.wire.reset();
      expect((await send(world, route, { ...options, body: { ...options.body, unknown: 1 } })).status).toBe(422);
      expect(world.wire.sequentialTrips()).toBe(1);
    });
  }
});

describe.each(listRoutes.map((route) => [routeKey(route), route] as const))('%s', (title, route) => {
  test.each(route.keys === 'any' ? (['secret', 'publishable'] as const) : (['secret'] as const))(
    `${title} takes 1 trip for a page after a cursor with a %s key`,
    async (type) => {
      const owner = await openList(world, route);
      await listSample(route).fill(owner, 6);
      const key = await world.createKey(owner.account, { type });
      const { body } = await askPage(owner, route, 'limit=1', { key });
      const next = `limit=1&cursor=${body.pagination.next_cursor}`;
      expect(await measure(route, () => askPage(owner, route, next, { key }))).toBe(1);
    },
  );
});

describe.each(['retrieveExpense', 'createExpense'].map(routeOf))('rejections by $operation', (route) => {
  const statusAndTrips = async ({ key }: Tenant, options: RequestOptions = {}): Promise<[number, number]> => {
    world.wire.reset();
    const { status } = await send(world, route, { key, ...(route.body ? { body: {} } : {}), ...options });
    return [status, world.wire.sequentialTrips()];
  };

  test.each<[string, number, Parameters<typeof createTenant>[1]]>([
    ['by the plan', 403, { account: { plan: 'free' } }],
    ['by the scope', 403, { key: { scopes: ['orders:read'] } }],
    ['by what it asks for', route.body ? 400 : 404, {}],
  ])(`${route.operation} takes 1 trip for a rejection %s`, async (_, status, overrides) => {
    expect(await statusAndTrips(await known(route, overrides))).toEqual([status, 1]);
  });

  test(`${route.operation} takes 1 trip to reject a revoked and an unknown key`, async () => {
    const tenant = await known(route);
    await world.store.commit(
      world.store.apiKeys.updateWrites(
        { account: tenant.account.id, id: tenant.keyId, hash: hashKey(tenant.key), expires_at: null, revoked_at: null },
        { revoked_at: tenant.account.created_at, updated_at: tenant.account.created_at },
      ),
    );
    expect(await statusAndTrips(tenant)).toEqual([401, 1]);
    expect(await statusAndTrips({ ...tenant, key: `${tenant.key.slice(0, -4)}AAAA` })).toEqual([401, 1]);
  });

  test(`${route.operation} takes 1 trip for an empty bucket, and none while the function remembers it`, async () => {
    const tenant = await known(route);
    await exhaust(world, route.method === 'GET' ? rateRules.read : rateRules.write, tenant.keyId);
    expect(await statusAndTrips(tenant)).toEqual([429, 1]);
    world.wire.reset();
    expect((await statusAndTrips(tenant))[0]).toBe(429);
    expect(world.wire.calls.map(({ operation }) => operation)).not.toContain('UpdateItem');
  });
});
