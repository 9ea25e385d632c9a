import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { routeOf } from '../../lib/groups.ts';
import { rateRules, webhookTestRule } from '../../shared/http/rate-limits.ts';
import { startDashboard } from '../actions/dashboard.ts';
import { brokenConnection, refusal } from '../support/faults.ts';
import { createTarget, createTenant, exhaust, leftovers, send, type Tenant } from '../support/requests.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterEach(() => world.wire.intercept(undefined));
afterAll(() => world.stop());

/** DynamoDB's throttling errors, for a key, a table or an account. */
const throttles = [
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'RequestThrottledException',
  'TooManyRequestsException',
] as const;

const cases = [
  { rule: rateRules.read, operation: 'listExpenses' },
  { rule: rateRules.write, operation: 'createExpense' },
  { rule: rateRules.write, operation: 'deleteWebhook' },
  { rule: rateRules.publicIp, operation: 'listExpenseCategories' },
  { rule: webhookTestRule, operation: 'testWebhook' },
] as const;

const subjectOf = (rule: { readonly name: string }, { account, keyId }: Tenant, sourceIp: string): string =>
  ({ [webhookTestRule.name]: account.id, [rateRules.publicIp.name]: sourceIp })[rule.name] ?? keyId;

const bucketOf = (rule: { readonly name: string }) => (call: { readonly input: Record<string, unknown> }) =>
  String((call.input['Key'] as { pk?: { S?: string } } | undefined)?.pk?.S).startsWith(`${rule.name}#`);

/** Throttles the bucket of a rule at every try of the SDK. */
const throttle = (rule: { readonly name: string }, type: string): void => {
  const isBucket = bucketOf(rule);
  world.wire.intercept(async (call, pass) => (isBucket(call) ? refusal(type) : pass()));
};

const withoutRequestId = ({ 'X-Request-Id': _, ...headers }: Readonly<Record<string, string>>) => headers;

describe.each(cases)('$operation with a throttled bucket of $rule.name', ({ rule, operation }) => {
  const prepare = async () => {
    const tenant = await createTenant(world);
    const id = await createTarget(world, routeOf(operation), tenant.key);
    const sourceIp = `2001:db8:1::${tenant.keyId.replace('key_', '')}`;
    const ask = () =>
      send(world, routeOf(operation), { key: tenant.key, sourceIp, headers: { 'Idempotency-Key': 'k' }, ...(id ? { id } : {}) });
    return { tenant, sourceIp, ask };
  };

  test.each(throttles)('(%s) returns exactly the 429 of an empty bucket', async (type) => {
    const { tenant, sourceIp, ask } = await prepare();
    throttle(rule, type);
    const throttled = await ask();
    world.wire.intercept(undefined);
    await exhaust(world, rule, subjectOf(rule, tenant, sourceIp));
    const full = await ask();
    expect(full.status).toBe(429);
    expect([throttled.status, throttled.text, withoutRequestId(throttled.headers)]).toEqual([
      429,
      full.text,
      withoutRequestId(full.headers),
    ]);
  });

  test('leaves no trace, and succeeds as soon as the bucket can be counted', async () => {
    const { ask } = await prepare();
    throttle(rule, 'ThrottlingException');
    world.wire.reset();
    expect((await ask()).status).toBe(429);
    expect(leftovers(world)).toEqual([]);
    world.wire.intercept(undefined);
    expect((await ask()).status).toBeLessThan(429);
  });

  test('has the reason in its short log line, unlike an empty bucket', async () => {
    const { tenant, sourceIp, ask } = await prepare();
    throttle(rule, 'ThrottlingException');
    world.log.length = 0;
    await ask();
    world.wire.intercept(undefined);
    await exhaust(world, rule, subjectOf(rule, tenant, sourceIp));
    await ask();
    const [throttled, full, ...others] = world.log;
    expect(throttled).toMatchObject({
      status: 429,
      code: 'rate_limit_exceeded',
      rule: rule.name,
      why: 'bucket throttled: ThrottlingException',
    });
    expect(full).toMatchObject({ status: 429, code: 'rate_limit_exceeded', rule: rule.name });
    expect(full?.['why']).toBeUndefined();
    expect([others, throttled]).toEqual([[], expect.not.objectContaining({ error: expect.anything() })]);
    expect(Buffer.byteLength(JSON.stringify(throttled))).toBeLessThanOrEqual(300);
  });

  test.each(['InternalServerError', 'AccessDeniedException', 'ResourceNotFoundException'])(
    '(%s) returns 500, because the error is not throttling',
    async (type) => {
      const { ask } = await prepare();
      const isBucket = bucketOf(rule);
      world.wire.intercept(async (call, pass) => (isBucket(call) ? refusal(type, {}, type === 'InternalServerError' ? 500 : 400) : pass()));
      expect((await ask()).status).toBe(500);
    },
  );

  test('(a broken connection) returns 500', async () => {
    const { ask } = await prepare();
    const isBucket = bucketOf(rule);
    world.wire.intercept(async (call, pass) => (isBucket(call) ? Promise.reject(brokenConnection()) : pass()));
    expect((await ask()).status).toBe(500);
  });
});

test('an invalid key is rejected by a throttled bucket of its address as by an empty one', async () => {
  throttle(rateRules.publicIp, 'ThrottlingException');
  expect((await send(world, routeOf('listExpenseCategories'), { key: 'nonsense' })).headers['X-RateLimit-Rule']).toBe('api-public-ip');
});

test("the dashboard's test of an endpoint fails with limit_reached if its bucket is throttled, and the log line has the reason", async () => {
  const dashboard = await startDashboard();
  try {
    const account = await dashboard.openAccount();
    const { id } = await dashboard.act('webhook.create', account, { url: 'https://hooks.example.com/a', events: ['expense.created'] });
    const isBucket = bucketOf(webhookTestRule);
    dashboard.wire.intercept(async (call, pass) => (isBucket(call) ? refusal('ThrottlingException') : pass()));
    expect(await dashboard.refused('webhook.test', account, { id })).toMatchObject({ status: 403, code: 'limit_reached', max: 10 });
    expect(dashboard.lines.at(-1)).toMatchObject({ code: 'limit_reached', why: 'bucket throttled: ThrottlingException' });
  } finally {
    await dashboard.stop();
  }
});
