import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { settlePayment } from '../../functions/checkout-page/settle.ts';
import { groupNames, routeOf } from '../../functions/groups.ts';
import { metricNames, metricSpecOf } from '../../lib/metrics.ts';
import { NoResponse } from '../../shared/core/aws-calls.ts';
import { randomId } from '../../shared/core/ids.ts';
import { rateRules } from '../../shared/http/rate-limits.ts';
import { openSecrets } from '../../shared/providers/secrets.ts';
import { type Dashboard, startDashboard } from '../actions/dashboard.ts';
import { approveCard, openCounter } from '../checkout-page/page.ts';
import { cake, openShop } from '../orders/shop.ts';
import { adminKey, useSearch } from '../search-sync/shop.ts';
import { brokenConnection, rejectWith, transactionConflict } from '../support/faults.ts';
import { createMeter, deployedFilters, type Meter } from '../support/metric-filters.ts';
import { createTarget, createTenant, exhaust, sampleProduct, send } from '../support/requests.ts';
import { startWorld, type World } from '../support/world.ts';
import { deliveryMetrics } from './delivery-metrics.ts';
import { synthesize } from './synthesize.ts';

/**
 * Feeds real log lines of the functions to the template's filters, so a field that is renamed on
 * one side fails here.
 */
let meter: Meter;
beforeAll(() => {
  meter = createMeter(deployedFilters(synthesize().templates.us));
});

/** All API functions log through the same middleware. */
const apiFunctions: readonly string[] = [...groupNames, 'fallback'];

/** Runs the work and returns what all metrics count in the lines that a function logged. */
const counted = async (world: Pick<World, 'log'>, source: string, run: () => Promise<unknown>): Promise<Record<string, number[]>> => {
  world.log.length = 0;
  await run();
  // The metric fields of a request's line fit into 300 bytes; a failure's cause may be longer.
  if (apiFunctions.includes(source))
    for (const line of world.log)
      if (Number(line['status']) < 500) expect(Buffer.byteLength(JSON.stringify(line))).toBeLessThanOrEqual(300);
  return meter.observe(source, world.log);
};

describe('deliveries', () => deliveryMetrics(counted));

describe('search', () => {
  const t = useSearch();

  test('a product that the search engine rejects counts as returned work', async () => {
    await t.configure(t.account, { admin_key: 'wrong' });
    await t.world.store.commit([t.world.store.products.createWrite(t.account, sampleProduct(t.world.clock.now()))]);
    const sync = () => t.sync({ account: t.account, product: 'prd_sample' });
    expect(await counted(t.world, 'search-sync', sync)).toEqual({ 'WorkRetried/search-sync': [1] });
    await t.configure(t.account, { admin_key: adminKey });
    expect(await counted(t.world, 'search-sync', sync)).toEqual({});
  });
});

describe('requests', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterEach(() => world.wire.intercept(undefined));
  afterAll(() => world.stop());

  test('requests that succeed count nothing', async () => {
    const { key } = await createTenant(world);
    expect(await counted(world, 'expenses', () => send(world, routeOf('createExpense'), { key }))).toEqual({});
  });

  test.each([
    ['api-read', 300, 'listExpenses', 'expenses'],
    ['api-write', 100, 'createExpense', 'expenses'],
    ['webhook-test', 10, 'testWebhook', 'webhooks'],
  ] as const)('requests over %s count one hit of that rule', async (name, limit, operation, group) => {
    const { key, keyId, account } = await createTenant(world);
    const id = await createTarget(world, routeOf(operation), key);
    await exhaust(world, { name, limit }, name === 'webhook-test' ? account.id : keyId);
    const request = () => send(world, routeOf(operation), { key, ...(id ? { id } : {}) });
    expect(await counted(world, group, request)).toEqual({ [`RateLimitHits/${name}`]: [1] });
  });

  test('requests over the limit of an address count one hit of api-public-ip', async () => {
    const { key } = await createTenant(world);
    await exhaust(world, rateRules.publicIp, '192.0.2.7');
    const request = () => send(world, routeOf('listExpenseCategories'), { key, sourceIp: '192.0.2.7' });
    expect(await counted(world, 'reference', request)).toEqual({ 'RateLimitHits/api-public-ip': [1] });
  });

  test.each([
    ['TableWriteAccountLimitExceeded', 'are admitted without a count', {}],
    ['TableWriteKeyRangeThroughputExceeded', 'are rejected without a count', { 'RateLimitHits/api-read': [1] }],
  ])('a request (%s) that %s counts only the rejection', async (reason, _what, observed) => {
    const { key } = await createTenant(world);
    const throttled = () => rejectWith('RequestLimitExceeded', { ThrottlingReasons: [{ reason }] });
    world.wire.intercept(async (call, next) => (call.operation === 'UpdateItem' ? throttled() : next()));
    expect(await counted(world, 'expenses', () => send(world, routeOf('listExpenses'), { key }))).toEqual(observed);
  });

  test('requests with a repeated Idempotency-Key count as replays, with another body as conflicts', async () => {
    const { key } = await createTenant(world);
    const body = { amount: 5, date: '2026-03-01', category: 'ingredients' };
    const post = (fields: object = {}) =>
      world.request('POST', '/expenses', { key, body: { ...body, ...fields }, headers: { 'Idempotency-Key': 'k' } });
    await post();
    expect(await counted(world, 'expenses', post)).toEqual({ IdempotencyReplays: [1] });
    expect(await counted(world, 'expenses', () => post({ amount: 6 }))).toEqual({ IdempotencyKeysReused: [1] });
  });

  test('requests that keep colliding on their Idempotency-Key count as a separate kind of conflict', async () => {
    const { key } = await createTenant(world);
    const request = () => send(world, routeOf('createExpense'), { key, headers: { 'Idempotency-Key': 'k' } });
    const observed = await counted(world, 'expenses', async () => {
      world.wire.intercept(async (call, next) => (call.operation === 'TransactWriteItems' ? transactionConflict() : next()));
      expect((await request()).body.error.code).toBe('request_in_flight');
      world.wire.intercept(undefined);
    });
    expect(observed).toEqual({ IdempotencyKeysInFlight: [1] });
  });

  test('requests with an interrupted commit count as internal errors', async () => {
    const { key } = await createTenant(world);
    const observed = await counted(world, 'expenses', async () => {
      world.wire.intercept((call, next) => (call.operation === 'TransactWriteItems' ? Promise.reject(brokenConnection()) : next()));
      expect((await send(world, routeOf('createExpense'), { key, headers: { 'Idempotency-Key': 'k' } })).status).toBe(500);
      world.wire.intercept(undefined);
    });
    expect(observed).toEqual({ ApiInternalErrors: [1], ServerErrorsLogged: [1] });
  });

  test('requests without a valid key count as rejected keys', async () => {
    expect(await counted(world, 'orders', () => world.request('GET', '/orders', { key: 'nonsense' }))).toEqual({ KeysRefused: [1] });
  });

  test("requests over the plan's order limit count as order-limit rejections", async () => {
    const shop = await openShop(world, { order_limit: 0 });
    expect(await counted(world, 'orders', () => shop.post({ items: [cake] }))).toEqual({ OrderLimitRefusals: [1] });
  });

  test('requests that are rejected for another reason count nothing', async () => {
    const { key } = await createTenant(world, { account: { plan: 'free' } });
    expect(await counted(world, 'expenses', () => send(world, routeOf('listExpenses'), { key }))).toEqual({});
    const { key: served } = await createTenant(world);
    expect(await counted(world, 'expenses', () => world.request('GET', '/expenses/none', { key: served }))).toEqual({});
    expect(await counted(world, 'expenses', () => world.request('POST', '/expenses', { key: served, body: '{' }))).toEqual({});
  });

  test('the checkout page counts one settlement, and a second payment as a duplicate', async () => {
    const counter = await openCounter(world);
    expect(await counted(world, 'checkout-page', () => counter.pay(approveCard))).toEqual({ CheckoutsSettled: [1] });
    expect(await counted(world, 'checkout-page', () => counter.pay(approveCard))).toEqual({});
    const services = { store: world.store, clock: world.clock, newId: randomId, log: (line: object) => world.log.push({ ...line }) };
    const approval = { gateway: 'sandbox', fee: 0, method: 'card' as const, method_details: null };
    const again = (transaction_id: string) =>
      settlePayment(services as never, counter.shop.account, counter.id, { ...approval, transaction_id });
    const first = (await counter.session()).payment?.transaction_id ?? '';
    expect(await counted(world, 'checkout-page', () => again(first))).toEqual({});
    expect(await counted(world, 'checkout-page', () => again('another'))).toEqual({ CheckoutPaymentsWithoutOrder: [1] });
  });

  test('the checkout page counts a fee that cannot be booked', async () => {
    const counter = await openCounter(world);
    const at = new Date(world.clock.now()).toISOString();
    const line = { order_id: 'ord_1', order_label: '#1', gateway: 'stripe', amount: 1, transaction_id: 't' };
    const foreign = { line, day: at.slice(0, 10), currency: 'EUR', at };
    await world.store.commit(world.store.gatewayFees.bookWrites(counter.shop.account.id, undefined, foreign));
    const expected = { CheckoutsSettled: [1], GatewayFeesUnbooked: [1] };
    expect(await counted(world, 'checkout-page', () => counter.pay(approveCard))).toEqual(expected);
  });

  test.each([
    [
      'Parameter Store does not respond',
      new NoResponse('400 ThrottlingException'),
      { SecretsUnreadable: [1], CheckoutPageInternalErrors: [1] },
    ],
    ['a merchant named a parameter that does not exist', new Error('400 ParameterNotFound'), {}],
  ])('the checkout page counts an unreadable secret only if no merchant caused it: %s', async (_, error, expected) => {
    const secrets = openSecrets({ clock: world.clock, log: (line) => void world.log.push({ ...line }), read: () => Promise.reject(error) });
    const run = () => secrets.resolve('acct_a', 'ssm:stripe/key', 'stripe').catch(() => undefined);
    expect(await counted(world, 'checkout-page', run)).toEqual(expected);
  });

  test('the checkout page counts an internal error for 500 and nothing for 404', async () => {
    const counter = await openCounter(world);
    world.wire.intercept(() => Promise.reject(brokenConnection()));
    const internal = { CheckoutPageInternalErrors: [1], ServerErrorsLogged: [1] };
    expect(await counted(world, 'checkout-page', () => counter.visit('GET', counter.path))).toEqual(internal);
    world.wire.intercept(undefined);
    expect(await counted(world, 'checkout-page', () => counter.visit('GET', '/checkout/acct_none/cs_none'))).toEqual({});
  });
});

describe('dashboard actions', () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await startDashboard();
  });
  afterAll(() => dashboard.stop());

  test('dashboard actions count an internal error for 500 and nothing for a rejection', async () => {
    const world = { log: dashboard.lines };
    const account = await dashboard.openAccount();
    const call = () => dashboard.call({ action: 'account.get', account });
    expect(await counted(world, 'actions', call)).toEqual({});
    expect(await counted(world, 'actions', () => dashboard.call({ action: 'nothing.known' }))).toEqual({});
    dashboard.wire.intercept(() => Promise.reject(brokenConnection()));
    expect(await counted(world, 'actions', call)).toEqual({ ActionInternalErrors: [1] });
    dashboard.wire.intercept(undefined);
  });

  test('dashboard actions count a passed check once it has parked, and nothing if it cannot', async () => {
    const world = { log: dashboard.lines };
    const call = () => dashboard.call({ action: 'stream.check_parking' });
    expect(await counted(world, 'actions', call)).toEqual({ ChecksPassed: [1] });
    dashboard.parked.set = () => dashboard.parked;
    expect(await counted(world, 'actions', call)).toEqual({});
  });
});

test('these tests counted every metric and every value of a dimension at least once', () => {
  const expected = metricNames.flatMap((name) => metricSpecOf(name).dimension?.values.map((value) => `${name}/${value}`) ?? [name]);
  expect([...meter.observed].sort()).toEqual(expected.sort());
});

test('no line has a field that Lambda or CloudWatch reserves', () => {
  const written = [...apiFunctions, 'checkout-page', 'actions', 'fan-out', 'deliver', 'search-sync', 'sweep'].flatMap(meter.fieldsOf);
  expect(written).toContain('op');
  for (const name of ['level', 'timestamp', '_aws']) expect(written).not.toContain(name);
});
