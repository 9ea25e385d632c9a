import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { routeOf } from '../../functions/groups.ts';
import { type Route, routeKey } from '../../shared/core/routes.ts';
import { listRoutes } from '../support/lists.ts';
import { createTarget, createTenant, sampleBody, send } from '../support/requests.ts';
import { allRoutes, type RequestOptions, startWorld, type TestResponse, type World } from '../support/world.ts';

/**
 * Cost of a request with a known secret key: DynamoDB calls and units. round-trips.test.ts counts
 * sequential trips.
 */
let world: World;
beforeAll(async () => {
  const sent = { success: true, statusCode: 204, responseTimeMs: 1, error: null };
  world = await startWorld({ sender: { send: async () => sent, close: () => undefined } });
});
afterAll(() => world.stop());

interface Cost {
  readonly calls: readonly string[];
  readonly readUnits: number;
  /** Units of the rate buckets. */
  readonly bucketUnits: number;
}

const costOf = async (request: () => Promise<TestResponse>): Promise<Cost> => {
  world.wire.measure();
  expect((await request()).status).toBeLessThan(300);
  const { calls } = world.wire;
  const units = (of: (call: (typeof calls)[number]) => boolean) => calls.filter(of).reduce((sum, call) => sum + call.capacityUnits, 0);
  return {
    calls: calls.map(({ operation }) => operation).sort(),
    readUnits: units(({ operation }) => operation === 'BatchGetItem' || operation === 'Query'),
    bucketUnits: units(({ input }) => input['TableName'] === world.tables.bucketsTableName),
  };
};

/**
 * Measures a request. The account has every record that the route can name, and the function knows
 * the key.
 */
const measured = async (route: Route, options: RequestOptions = {}): Promise<Cost> => {
  const { key } = await createTenant(world);
  const id = await createTarget(world, route, key);
  await send(world, route, { key, ...(route.body ? { body: {} } : {}) });
  // The first response also stores the day of the key's use.
  await send(world, routeOf('listTimeSlots'), { key });
  return costOf(() => send(world, route, { key, ...(id ? { id } : {}), ...options }));
};

const gets = allRoutes.filter(({ method }) => method === 'GET');
/** A route for publishable keys also counts in the bucket of the address. */
const buckets = ({ keys }: Route): readonly string[] => Array(keys === 'any' ? 2 : 1).fill('UpdateItem');

describe.each(gets.filter(({ path }) => path.endsWith('{id}')).map((route) => [routeKey(route), route] as const))('%s', (title, route) => {
  // An order's payments share a partition and are read with the order.
  const query = route.operation === 'retrieveOrder' ? ['Query'] : [];

  test(`${title} takes one batch and the buckets: 3 read units, and 1 write unit per bucket`, async () => {
    expect(await measured(route)).toEqual({
      calls: ['BatchGetItem', ...query, ...buckets(route)],
      readUnits: 3 + query.length,
      bucketUnits: buckets(route).length,
    });
  });
});

describe.each(listRoutes.map((route) => [routeKey(route), route] as const))('a page of %s', (title, route) => {
  test(`a page of ${title} takes one batch, one query and the buckets`, async () => {
    expect((await measured(route)).calls).toEqual(['BatchGetItem', 'Query', ...buckets(route)]);
  });
});

describe.each(
  gets.filter(({ path }) => path.startsWith('/reference/') || path === '/availability').map((route) => [routeKey(route), route] as const),
)('%s', (title, route) => {
  test(`${title} takes one batch and the buckets`, async () => {
    expect((await measured(route)).calls).toEqual(['BatchGetItem', ...buckets(route)]);
  });
});

describe('a POST with an Idempotency-Key', () => {
  const keyed = { headers: { 'Idempotency-Key': 'k' } };

  test.each(['createCheckout', 'createCustomer', 'createExpense', 'createWebhook'])(
    '%s takes one batch, one transaction and the buckets',
    async (operation) => {
      const route = routeOf(operation);
      expect((await measured(route, { ...keyed, body: sampleBody(route) })).calls).toEqual([
        'BatchGetItem',
        'TransactWriteItems',
        ...buckets(route),
      ]);
    },
  );

  test("POST /orders also takes the order's number, and reads all records that its body names in one batch", async () => {
    const { key } = await createTenant(world);
    const customer = await send(world, routeOf('createCustomer'), { key });
    await send(world, routeOf('createOrder'), { key, body: {} });
    await send(world, routeOf('listTimeSlots'), { key });
    const order = (body: object) =>
      costOf(() =>
        send(world, routeOf('createOrder'), { key, body, headers: { 'Idempotency-Key': JSON.stringify(body).length.toString() } }),
      );
    const items = [{ name: 'Cake', quantity: 1, unit_price: 250 }];
    const expected = ['BatchGetItem', 'TransactWriteItems', 'UpdateItem', 'UpdateItem'];
    expect((await order({ customer: { id: customer.body.id }, items })).calls).toEqual(expected);
    expect((await order({ items: [...items, { product_id: 'prd_sample', quantity: 2 }] })).calls).toEqual(expected);
  });

  test('a POST with an Idempotency-Key takes one batch and the buckets for a replay', async () => {
    const route = routeOf('createExpense');
    const { key } = await createTenant(world);
    const options = { key, body: sampleBody(route), ...keyed };
    await send(world, route, options);
    expect(await costOf(() => send(world, route, options))).toEqual({
      calls: ['BatchGetItem', 'UpdateItem'],
      readUnits: 3,
      bucketUnits: 1,
    });
  });
});

test('a key that is new to the function costs one call more, and its first response of the day one write', async () => {
  const { account } = await createTenant(world);
  const key = await world.createKey(account.id);
  const list = () => costOf(() => send(world, routeOf('listExpenses'), { key }));
  const [first, second] = [await list(), await list()];
  expect(first.calls).toEqual(['BatchGetItem', ...second.calls, 'PutItem'].sort());
  expect(first.readUnits).toBe(second.readUnits);
  world.clock.advance(86_400_000);
  expect((await list()).calls).toEqual([...second.calls, 'PutItem'].sort());
  expect(await list()).toEqual(second);
});
