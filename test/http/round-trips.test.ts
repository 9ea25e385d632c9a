import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomId } from '../../shared/core/ids.ts';
import { type Route, routeKey } from '../../shared/core/routes.ts';
import { pendingDelivery } from '../../shared/domain/webhook.ts';
import { createTarget, createTenant, sampleBody, sampleProduct, send, type Tenant } from '../support/requests.ts';
import { allRoutes, startWorld, type TestResponse, type World } from '../support/world.ts';

/** Trips that follow one another in time, authentication, buckets, gates and idempotency included. */
const limits = { GET: 2, POST: 3, PATCH: 3, DELETE: 3 } as const;
/** An order's number is taken when nothing but the commit can refuse the order any more. */
const allowed = ({ method, operation }: Route): number => limits[method] + (operation === 'createOrder' ? 1 : 0);

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

describe.each(allRoutes.map((route) => [routeKey(route), route] as const))('%s', (_, route) => {
  test(`takes at most ${allowed(route)} sequential trips to the table`, async () => {
    const { key } = await createTenant(world);
    const id = await createTarget(world, route, key);
    const options = { key, ...(id ? { id } : {}), headers: { 'Idempotency-Key': 'k' } };
    expect(await measure(route, () => send(world, route, options))).toBeLessThanOrEqual(allowed(route));
  });

  if (route.idempotent) {
    test('takes 2 for a replay', async () => {
      const { key } = await createTenant(world);
      const options = { key, body: sampleBody(route), headers: { 'Idempotency-Key': 'k' } };
      await send(world, route, options);
      expect(await measure(route, () => send(world, route, options))).toBe(2);
    });
  }
});

const lists = allRoutes.filter(
  ({ query, method }) => method === 'GET' && query && 'entries' in query && 'cursor' in (query.entries as object),
);

test.each(lists.map((route) => [routeKey(route), route] as const))('%s takes 2 for a page behind a cursor', async (_, route) => {
  const tenant = await createTenant(world);
  const { key } = tenant;
  const id = await createTarget(world, route, key);
  await fill(route, tenant, id);
  const options = { key, ...(id ? { id } : {}) };
  const { body } = await send(world, route, { ...options, query: '?limit=1' });
  expect(body.pagination.next_cursor).toEqual(expect.any(String));
  const query = `?limit=1&cursor=${encodeURIComponent(body.pagination.next_cursor)}`;
  expect(await measure(route, () => send(world, route, { ...options, query }))).toBe(2);
});

test.each([401, 403, 404])('a refusal with %i costs no more than a success', async (status) => {
  const { key } = await createTenant(world, status === 403 ? { account: { plan: 'free' } } : {});
  world.wire.reset();
  const response = await world.request('GET', '/expenses/none', { key: status === 401 ? `${key.slice(0, -4)}AAAA` : key });
  expect(response.status).toBe(status);
  expect(world.wire.sequentialTrips()).toBeLessThanOrEqual(2);
});
