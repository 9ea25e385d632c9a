import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { routeOf } from '../../functions/groups.ts';
import { openCounter } from '../checkout-page/page.ts';
import { firedAlarms, type Sums } from '../support/alarm-states.ts';
import { brokenConnection } from '../support/faults.ts';
import { createMeter, deployedFilters, type Meter } from '../support/metric-filters.ts';
import { createTenant, send } from '../support/requests.ts';
import { startWorld, type World } from '../support/world.ts';
import { synthesize } from './synthesize.ts';

const responses = 'AWS/ApiGateway/5xx';
const [errors, throttles] = ['AWS/Lambda/Errors', 'AWS/Lambda/Throttles'];

describe('a 5xx that a function logs', () => {
  let world: World;
  let meter: Meter;
  beforeAll(async () => {
    world = await startWorld();
    meter = createMeter(deployedFilters(synthesize().templates.us));
  });
  afterAll(() => world.stop());

  /** Returns what AWS counts in a period with five such requests, from their responses and log lines. */
  const periodOf = async (source: string, request: () => Promise<{ status: number }>): Promise<Sums> => {
    world.log.length = 0;
    let failed = 0;
    for (let i = 0; i < 5; i++) if ((await request()).status >= 500) failed++;
    const counted = Object.entries(meter.observe(source, world.log)).map(([name, values]) => [
      `BakeryCommerce-us/${name}`,
      [values.length],
    ]);
    return { [responses]: [failed], ...Object.fromEntries(counted) };
  };
  const broken = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    world.wire.intercept(() => Promise.reject(brokenConnection()));
    try {
      return await work();
    } finally {
      world.wire.intercept(undefined);
    }
  };
  const repeated = (period: Sums): Sums => Object.fromEntries(Object.entries(period).map(([name, [sum = 0]]) => [name, [sum, sum, sum]]));

  test('an internal error of the API fires api-5xx', async () => {
    const { key } = await createTenant(world);
    const period = await broken(() => periodOf('expenses', () => send(world, routeOf('listExpenses'), { key })));
    expect(period).toMatchObject({ [responses]: [5] });
    expect(firedAlarms(period)).toEqual(['api-5xx']);
    expect(firedAlarms(repeated(period))).toEqual(['api-5xx']);
  });

  test('an internal error of the checkout page fires checkout-page-internal-errors', async () => {
    const counter = await openCounter(world);
    const period = await broken(() => periodOf('checkout-page', () => counter.visit('GET', counter.path)));
    expect(period).toMatchObject({ [responses]: [5] });
    expect(firedAlarms(repeated(period))).toEqual(['checkout-page-internal-errors']);
  });

  test('the specified search_not_configured fires no alarm, however often callers cause it', async () => {
    const { key, account } = await createTenant(world);
    await world.store.commit([world.store.accounts.putSettingsWrite(account.id, {})]);
    const period = await periodOf('products', () => send(world, routeOf('createSearchToken'), { key }));
    expect(period).toMatchObject({ [responses]: [5] });
    expect(firedAlarms(repeated(period))).toEqual([]);
  });

  test('the specified 500 for an expense of an account without a currency fires no alarm', async () => {
    const { id } = await world.createAccount({ currency: null });
    const key = await world.createKey(id);
    const body = { amount: 5, date: '2026-03-01', category: 'ingredients' };
    const period = await periodOf('expenses', () => world.request('POST', '/expenses', { key, body }));
    expect(period).toMatchObject({ [responses]: [5] });
    expect(firedAlarms(repeated(period))).toEqual([]);
  });

  test('a checkout page of a shop that cannot take payments fires no alarm', async () => {
    const counter = await openCounter(world);
    const secrets = { secret_key: 'ssm:stripe/none', webhook_secret: 'ssm:stripe/none' };
    await world.store.commit([
      world.store.accounts.putSettingsWrite(counter.shop.account.id, { checkout: { gateway: 'stripe', ...secrets } }),
    ]);
    const period = await periodOf('checkout-page', () => counter.visit('GET', counter.path));
    expect(period).toMatchObject({ [responses]: [5] });
    expect(firedAlarms(repeated(period))).toEqual([]);
  });
});

/** Every way to a 5xx that no function logs, with what AWS counts in each of three periods. */
const unlogged: readonly (readonly [way: string, counts: Sums, alarms: readonly string[]])[] = [
  ['a function that does not start', { [responses]: [5, 5, 5], [errors]: [5, 5, 5] }, ['gateway-5xx', 'function-errors']],
  [
    'a function that is killed: out of memory, out of time',
    { [responses]: [5, 0, 5], [errors]: [5, 0, 5] },
    ['gateway-5xx', 'function-errors'],
  ],
  ['a response that Lambda rejects', { [responses]: [5, 5, 0], [errors]: [5, 5, 0] }, ['gateway-5xx', 'function-errors']],
  ['a lasting lack of concurrency', { [responses]: [10, 10, 10], [throttles]: [10, 10, 10] }, ['gateway-5xx', 'function-throttles']],
  ['a lack of concurrency for ten minutes', { [responses]: [0, 10, 10], [throttles]: [0, 10, 10] }, ['gateway-5xx']],
  ['a function that the gateway may not or cannot invoke', { [responses]: [5, 5, 5] }, ['gateway-5xx']],
  ['a response that the gateway cannot read', { [responses]: [5, 5, 5] }, ['gateway-5xx']],
  ['rare crashes', { [responses]: [1, 1, 0], [errors]: [1, 1, 0] }, ['function-errors']],
];

test.each(unlogged)('%s fires an alarm', (_way, counts, alarms) => {
  expect([...firedAlarms(counts)].sort()).toEqual([...alarms].sort());
});

test('log lines that arrive a period late fire no alarm', () => {
  const logged = 'BakeryCommerce-us/ServerErrorsLogged';
  expect(firedAlarms({ [responses]: [500, 0, 0], [logged]: [0, 500, 0] })).toEqual([]);
});
