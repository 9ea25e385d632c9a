import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hashKey } from '../../shared/auth/authenticate.ts';
import { randomId } from '../../shared/core/ids.ts';
import { type Route, routeKey } from '../../shared/core/routes.ts';
import { pendingDelivery } from '../../shared/domain/webhook/record.ts';
import { rateRules } from '../../shared/http/rate-limits.ts';
import { createTarget, createTenant, exhaust, routeOf, sampleBody, sampleProduct, send, type Tenant } from '../support/requests.ts';
import { allRoutes, type RequestOptions, startWorld, type TestResponse, type World } from '../support/world.ts';

/** Trips that follow one another in time, authentication, buckets, gates and idempotency included, with a key that the function knows. */
const limits = { GET: 1, POST: 2, PATCH: 2, DELETE: 2 } as const;
/** An order's number is taken when nothing but the commit can refuse the order any more; a search token is written nowhere. */
const others: Readonly<Record<string, number>> = { createOrder: 3, createSearchToken: 1 };
const allowed = ({ method, operation }: Route): number => others[operation] ?? limits[method];

const sent = { success: true, statusCode: 204, responseTimeMs: 1, error: null };

let world: World;
beforeAll(async () => {
  world = await startWorld({ sender: { send: async () => sent, close: () => undefined } });
});
afterAll(() => world.stop());

const measure = async (route: Route, request: () => Promise<TestResponse>): Promise<number> => {
  world.wire.reset();
  const { status } = await request();
  expect(status).toBe(route.status ?? 200);
  return world.wire.sequentialTrips();
};

const addProduct = (account: string, id: string): Promise<void> =>
  world.store.commit([world.store.products.createWrite(account, sampleProduct(world.clock.now(), { id }))]);

/** Twice what a list shows, so that a page of one is followed by another. */
const fill = async (route: Route, { key, account }: Tenant, id: string | undefined): Promise<void> => {
  const create = allRoutes.find(({ method, path }) => method === 'POST' && path === route.path);
  for (let i = 0; i < 2; i++) {
    world.clock.advance(1_000);
    if (create) await send(world, create, { key });
    if (route.operation === 'listProducts') await addProduct(account.id, `prd_${i}`);
    const nowMs = world.clock.now();
    if (route.operation === 'listWebhookEvents' && id)
      await world.store.deliveries.create(
        pendingDelivery({ id: randomId('evt', nowMs), account: account.id, endpoint: id, type: 'expense.created' }, nowMs),
        nowMs,
      );
  }
};

/** Its key is known to the function of the route, as that of any request but the first. */
const known = async (route: Route, members?: Parameters<typeof createTenant>[1]): Promise<Tenant> => {
  const tenant = await createTenant(world, members);
  await send(world, route, { key: tenant.key, ...(route.body ? { body: {} } : {}) });
  return tenant;
};

describe.each(allRoutes.map((route) => [routeKey(route), route] as const))('%s', (_, route) => {
  const measured = async ({ key }: Tenant, options: RequestOptions = {}): Promise<number> => {
    const id = await createTarget(world, route, key);
    return measure(route, () => send(world, route, { key, ...(id ? { id } : {}), headers: { 'Idempotency-Key': 'k' }, ...options }));
  };

  test(`takes ${allowed(route)} sequential trips to the tables`, async () => {
    expect(await measured(await known(route))).toBe(allowed(route));
  });

  if (route.keys === 'any') {
    test('takes as many with a publishable key', async () => {
      const tenant = await known(route);
      const key = await world.createKey(tenant.account.id, { type: 'publishable' });
      await send(world, route, { key, ...(route.body ? { body: {} } : {}) });
      expect(await measured(tenant, { key })).toBe(allowed(route));
    });
  }

  test('takes one more with a key that is new to the function', async () => {
    const { account, key } = await known(route);
    const id = await createTarget(world, route, key);
    const stranger = await world.createKey(account.id);
    expect(await measure(route, () => send(world, route, { key: stranger, ...(id ? { id } : {}) }))).toBe(allowed(route) + 1);
  });

  if (route.idempotent) {
    test('takes 1 for a replay, and 1 for a key used otherwise', async () => {
      const { key } = await createTenant(world);
      const options = { key, body: sampleBody(route), headers: { 'Idempotency-Key': 'k' } };
      await send(world, route, options);
      expect(await measure(route, () => send(world, route, options))).toBe(1);
      world.wire.reset();
      expect((await send(world, route, { ...options, body: { ...options.body, unknown: 1 } })).status).toBe(422);
      expect(world.wire.sequentialTrips()).toBe(1);
    });
  }
});

const lists = allRoutes.filter(
  ({ query, method }) => method === 'GET' && query && 'entries' in query && 'cursor' in (query.entries as object),
);

test.each(lists.map((route) => [routeKey(route), route] as const))('%s takes 1 for a page behind a cursor', async (_, route) => {
  const tenant = await createTenant(world);
  const { key } = tenant;
  const id = await createTarget(world, route, key);
  await fill(route, tenant, id);
  const options = { key, ...(id ? { id } : {}) };
  const { body } = await send(world, route, { ...options, query: '?limit=1' });
  expect(body.pagination.next_cursor).toEqual(expect.any(String));
  const query = `?limit=1&cursor=${encodeURIComponent(body.pagination.next_cursor)}`;
  expect(await measure(route, () => send(world, route, { ...options, query }))).toBe(1);
});

describe.each(['retrieveExpense', 'createExpense'].map(routeOf))('a refusal of $operation takes 1', (route) => {
  const refusal = async ({ key }: Tenant, options: RequestOptions = {}): Promise<[number, number]> => {
    world.wire.reset();
    const { status } = await send(world, route, { key, ...(route.body ? { body: {} } : {}), ...options });
    return [status, world.wire.sequentialTrips()];
  };

  test.each<[string, number, Parameters<typeof createTenant>[1]]>([
    ['by the plan', 403, { account: { plan: 'free' } }],
    ['by the scope', 403, { key: { scopes: ['orders:read'] } }],
    ['by what it asks for', route.body ? 400 : 404, {}],
  ])('%s', async (_, status, members) => {
    expect(await refusal(await known(route, members))).toEqual([status, 1]);
  });

  test('of a key that has been revoked, and of one that nobody has', async () => {
    const tenant = await known(route);
    await world.store.commit(
      world.store.apiKeys.updateWrites(
        { account: tenant.account.id, id: tenant.keyId, hash: hashKey(tenant.key) },
        { revoked_at: tenant.account.created_at, updated_at: tenant.account.created_at },
      ),
    );
    expect(await refusal(tenant)).toEqual([401, 1]);
    expect(await refusal({ ...tenant, key: `${tenant.key.slice(0, -4)}AAAA` })).toEqual([401, 1]);
  });

  test('of a bucket that is empty, and none while the function remembers that it is', async () => {
    const tenant = await known(route);
    await exhaust(world, route.method === 'GET' ? rateRules.read : rateRules.write, tenant.keyId);
    expect(await refusal(tenant)).toEqual([429, 1]);
    world.wire.reset();
    expect((await refusal(tenant))[0]).toBe(429);
    expect(world.wire.calls.map(({ operation }) => operation)).not.toContain('UpdateItem');
  });
});
