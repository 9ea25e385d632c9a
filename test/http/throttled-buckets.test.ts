import { afterEach, describe, expect, test } from '@jest/globals';
import { routeOf } from '../../functions/groups.ts';
import { rateRules, webhookTestRule } from '../../shared/http/rate-limits.ts';
import { startDashboard } from '../actions/dashboard.ts';
import { rejectWith } from '../support/faults.ts';
import { createTarget, createTenant, exhaust, leftovers, send, type Tenant } from '../support/requests.ts';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';

const world = shared(startWorld);
afterEach(() => world.wire.intercept(undefined));

/** A throttling error with its reason, in the field that DynamoDB's model gives the error. */
interface Throttling {
  readonly type: string;
  readonly reason: string | undefined;
}

const keyRange = 'TableWriteKeyRangeThroughputExceeded';

/** Errors about the bucket's own range of keys. */
const ofKeyRange: readonly Throttling[] = ['ThrottlingException', 'ProvisionedThroughputExceededException', 'RequestLimitExceeded'].map(
  (type) => ({ type, reason: keyRange }),
);

/** Errors about the table or the AWS account. They say nothing about the bucket. */
const ofTable: readonly Throttling[] = [
  { type: 'ThrottlingException', reason: 'TableWriteAccountLimitExceeded' },
  { type: 'ProvisionedThroughputExceededException', reason: 'TableWriteProvisionedThroughputExceeded' },
  { type: 'RequestLimitExceeded', reason: 'TableWriteMaxOnDemandThroughputExceeded' },
  { type: 'ThrottlingException', reason: undefined },
  { type: 'RequestThrottledException', reason: undefined },
  { type: 'TooManyRequestsException', reason: undefined },
];

const throttled = ({ type, reason }: Throttling) => {
  const reasons = reason === undefined ? undefined : [{ reason, resource: 'arn:aws:dynamodb:us-east-1:123456789012:table/buckets' }];
  return rejectWith(type, { [type === 'ThrottlingException' ? 'throttlingReasons' : 'ThrottlingReasons']: reasons });
};

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
  String((call.input['Key'] as { pk?: string } | undefined)?.pk).startsWith(`${rule.name}#`);

/** Throttles the bucket of a rule at every try of the SDK. */
const throttle = (rule: { readonly name: string }, error: Throttling): void => {
  const isBucket = bucketOf(rule);
  world.wire.intercept(async (call, pass) => (isBucket(call) ? throttled(error) : pass()));
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

  test.each(ofKeyRange)(
    `${operation} returns the 429 of an empty bucket if the keys of ${rule.name} are throttled ($type)`,
    async (error) => {
      const { tenant, sourceIp, ask } = await prepare();
      throttle(rule, error);
      const response = await ask();
      world.wire.intercept(undefined);
      await exhaust(world, rule, subjectOf(rule, tenant, sourceIp));
      const full = await ask();
      expect(full.status).toBe(429);
      expect([response.status, response.text, withoutRequestId(response.headers)]).toEqual([
        429,
        full.text,
        withoutRequestId(full.headers),
      ]);
    },
  );

  test.each(ofTable)(`${operation} succeeds if ${rule.name} meets a throttled table or AWS account ($type, $reason)`, async (error) => {
    const { ask } = await prepare();
    throttle(rule, error);
    expect((await ask()).status).toBeLessThan(300);
  });

  test(`${operation} succeeds as soon as a throttled ${rule.name} can be counted`, async () => {
    const { ask } = await prepare();
    throttle(rule, { type: 'ThrottlingException', reason: keyRange });
    world.wire.reset();
    expect((await ask()).status).toBe(429);
    expect(leftovers(world)).toEqual([]);
    world.wire.intercept(undefined);
    expect((await ask()).status).toBeLessThan(429);
  });

  test(`${operation} logs why a throttled ${rule.name} gives 429, unlike an empty bucket`, async () => {
    const { tenant, sourceIp, ask } = await prepare();
    throttle(rule, { type: 'ThrottlingException', reason: keyRange });
    world.log.length = 0;
    await ask();
    world.wire.intercept(undefined);
    await exhaust(world, rule, subjectOf(rule, tenant, sourceIp));
    await ask();
    const [first, full, ...others] = world.log;
    expect(first).toMatchObject({
      status: 429,
      code: 'rate_limit_exceeded',
      rule: rule.name,
      why: `bucket throttled: ${keyRange}`,
    });
    expect(full).toMatchObject({ status: 429, code: 'rate_limit_exceeded', rule: rule.name });
    expect(full?.['why']).toBeUndefined();
    expect([others, first]).toEqual([[], expect.not.objectContaining({ error: expect.anything() })]);
    expect(Buffer.byteLength(JSON.stringify(first))).toBeLessThanOrEqual(320);
  });

  test.each(['InternalServerError', 'AccessDeniedException', 'ResourceNotFoundException'])(
    `${operation} returns 500 for %s at ${rule.name}, because it is not throttling`,
    async (type) => {
      const { ask } = await prepare();
      const isBucket = bucketOf(rule);
      world.wire.intercept(async (call, pass) =>
        isBucket(call) ? rejectWith(type, {}, type === 'InternalServerError' ? 500 : 400) : pass(),
      );
      expect((await ask()).status).toBe(500);
    },
  );
});

test.each([
  ['listExpenses', rateRules.read],
  ['listExpenseCategories', rateRules.publicIp],
] as const)('the log line of %s has the reason if its request was admitted without a count', async (operation, rule) => {
  const { key } = await createTenant(world);
  throttle(rule, { type: 'RequestLimitExceeded', reason: 'TableWriteAccountLimitExceeded' });
  world.log.length = 0;
  await send(world, routeOf(operation), { key });
  expect(world.log).toEqual([expect.objectContaining({ status: 200, throttled: 'TableWriteAccountLimitExceeded' })]);
});

test.each([0, 1, 4, 5])(
  'a process that the table let count %i requests admits the rest of the limit without it, and no more',
  async (counted) => {
    const rule = { name: 'rule', limit: 5 };
    const subject = `subject-${counted}`;
    const take = () => world.store.buckets.take(rule.name, subject, rule.limit);
    for (let i = 0; i < counted; i++) await take();
    throttle(rule, { type: 'ThrottlingException', reason: undefined });
    const allowed: boolean[] = [];
    for (let i = 0; i < 7; i++) allowed.push((await take()).allowed);
    expect(allowed.filter(Boolean)).toHaveLength(5 - counted);
    world.wire.intercept(undefined);
    // The requests without a count also limit what follows in this process.
    expect((await take()).allowed).toBe(false);
    world.clock.advance(60_000);
    expect((await take()).allowed).toBe(true);
  },
);

test('an invalid key is rejected by a throttled bucket of its address as by an empty one', async () => {
  throttle(rateRules.publicIp, { type: 'ThrottlingException', reason: keyRange });
  expect((await send(world, routeOf('listExpenseCategories'), { key: 'nonsense' })).headers['X-RateLimit-Rule']).toBe('api-public-ip');
});

test('a test by the dashboard fails with limit_reached if its bucket is throttled, and logs the reason', async () => {
  const dashboard = await startDashboard();
  try {
    const account = await dashboard.openAccount();
    const { id } = await dashboard.act('webhook.create', account, { url: 'https://hooks.example.com/a', events: ['expense.created'] });
    const isBucket = bucketOf(webhookTestRule);
    dashboard.wire.intercept(async (call, pass) =>
      isBucket(call) ? throttled({ type: 'ThrottlingException', reason: keyRange }) : pass(),
    );
    expect(await dashboard.errorOf('webhook.test', account, { id })).toMatchObject({ status: 403, code: 'limit_reached', max: 10 });
    expect(dashboard.lines.at(-1)).toMatchObject({ code: 'limit_reached', why: `bucket throttled: ${keyRange}` });
  } finally {
    await dashboard.stop();
  }
});
