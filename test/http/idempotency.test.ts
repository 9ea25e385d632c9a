import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { routeOf } from '../../functions/groups.ts';
import { createTenant, sampleBody, send, type Tenant } from '../support/requests.ts';
import { shared } from '../support/shared.ts';
import { allRoutes, type RequestOptions, startWorld, type TestResponse } from '../support/world.ts';

// Guarantee 2 (docs/guarantees.md)

const world = shared(startWorld);

const expense = routeOf('createExpense');
const webhook = routeOf('createWebhook');
const hourMs = 3_600_000;

const post = ({ key }: Tenant, idempotencyKey: string, options: RequestOptions = {}, route = expense): Promise<TestResponse> =>
  send(world, route, { key, ...options, headers: { 'Idempotency-Key': idempotencyKey } });

const expensesOf = async ({ key }: Tenant): Promise<{ id: string }[]> => (await send(world, routeOf('listExpenses'), { key })).body.data;

const isReplay = ({ headers }: TestResponse): boolean => headers['Idempotent-Replayed'] === 'true';
const codeOf = ({ body }: TestResponse): string | undefined => body.error?.code;

describe.each(allRoutes.filter(({ idempotent }) => idempotent).map((route) => [route.operation, route] as const))('%s', (title, route) => {
  test(`${title} runs once and then replays status and body byte for byte`, async () => {
    const tenant = await createTenant(world);
    const body = sampleBody(route);
    const first = await post(tenant, 'once', { body }, route);
    expect([first.status, 'Idempotent-Replayed' in first.headers]).toEqual([201, false]);
    world.clock.advance(hourMs);
    for (let i = 0; i < 3; i++) {
      const again = await post(tenant, 'once', { body }, route);
      expect(again).toEqual({
        ...first,
        headers: { ...first.headers, 'Idempotent-Replayed': 'true', 'X-Request-Id': again.headers['X-Request-Id'] },
      });
    }
  });

  test(`${title} without an Idempotency-Key runs each time`, async () => {
    const { key } = await createTenant(world);
    const [one, two] = [await send(world, route, { key }), await send(world, route, { key })];
    expect([one.status, two.status, one.body.id === two.body.id]).toEqual([201, 201, false]);
  });

  test.each([
    ['of 1 character', 'k'],
    ['of 255 characters', 'k'.repeat(255)],
    ['of every character allowed', 'azAZ09_-:.'],
  ])(`${title} accepts an Idempotency-Key %s`, async (_name, key) => {
    expect((await post(await createTenant(world), key, {}, route)).status).toBe(201);
  });

  test.each(['', 'k'.repeat(256), 'a b', 'a,b', 'a/b', 'a=b', 'é', 'ключ', '"a"', 'a\tb', 'a\0', '😀', 'a\n', '{a}', 'a%20'])(
    `${title} rejects the Idempotency-Key %j`,
    async (key) => {
      const response = await post(await createTenant(world), key, {}, route);
      expect([response.status, response.body]).toEqual([
        400,
        { error: { type: 'validation_error', code: 'invalid_idempotency_key', message: expect.any(String) } },
      ]);
    },
  );
});

test.each(allRoutes.filter(({ idempotent, method }) => !idempotent && method !== 'GET').map((route) => [route.operation, route] as const))(
  '%s ignores the header, malformed or not',
  async (_, route) => {
    const { key } = await createTenant(world);
    const plain = await send(world, route, { key });
    for (const value of ['used', 'used', 'a b'])
      expect((await send(world, route, { key, headers: { 'Idempotency-Key': value } })).status).toBe(plain.status);
  },
);

const expectKeyReused = (response: TestResponse): void =>
  expect([response.status, response.body]).toEqual([
    422,
    { error: { type: 'idempotency_error', code: 'idempotency_key_reused', message: expect.any(String) } },
  ]);

describe('the same Idempotency-Key', () => {
  test.each([
    ['another amount', { amount: 13 }],
    ['a member more, even an unknown one', { unknown: 1 }],
    ['an equal date in other words', { date: '2026-03-01T00:00:00Z' }],
    ['other tags', { tags: ['b', 'a', 'c'] }],
    ['the tags in another order', { tags: ['b', 'a'] }],
    ['a null for what was absent', { notes: null }],
    ['an empty object for an empty array', { unknown: {} }],
  ])('the same Idempotency-Key with %s is rejected', async (_, fields) => {
    const tenant = await createTenant(world);
    const body = { ...sampleBody(expense), tags: ['a', 'b'], unknown: [] };
    await post(tenant, 'k', { body });
    expectKeyReused(await post(tenant, 'k', { body: { ...body, ...fields } }));
    expect(await expensesOf(tenant)).toHaveLength(1);
  });

  test('the same Idempotency-Key with null for a number that exceeds a double is rejected', async () => {
    const tenant = await createTenant(world);
    const body = JSON.stringify({ ...sampleBody(expense), unknown: null });
    await post(tenant, 'k', { body: body.replace('null', '1e400') });
    expectKeyReused(await post(tenant, 'k', { body }));
  });

  test('the same Idempotency-Key on another route is rejected, even with a body that both routes accept', async () => {
    const tenant = await createTenant(world);
    const body = { ...sampleBody(expense), ...sampleBody(webhook) };
    expect((await post(tenant, 'k', { body })).status).toBe(201);
    expectKeyReused(await post(tenant, 'k', { body }, webhook));
    expect((await send(world, routeOf('listWebhooks'), { key: tenant.key })).body.data).toEqual([]);
  });

  test('the same Idempotency-Key of another account is independent', async () => {
    const [one, two] = [await createTenant(world), await createTenant(world)];
    const [first, second] = [await post(one, 'k'), await post(two, 'k', { body: { ...sampleBody(expense), amount: 99 } })];
    expect([first.status, second.status, isReplay(second)]).toEqual([201, 201, false]);
  });

  test('the same Idempotency-Key with another API key of the account names the same request', async () => {
    const tenant = await createTenant(world);
    const first = await post(tenant, 'k');
    const second = await post({ ...tenant, key: await world.createKey(tenant.account.id) }, 'k');
    expect([isReplay(second), second.text]).toEqual([true, first.text]);
  });

  test('the same Idempotency-Key in other letter case is another Idempotency-Key', async () => {
    const tenant = await createTenant(world);
    await post(tenant, 'k');
    expect(isReplay(await post(tenant, 'K'))).toBe(false);
  });

  test.each([
    ['members in another order', '{"category":"ingredients","date":"2026-03-01","amount":12.5}'],
    ['other spacing', ' {\n"amount" :12.5 ,\t"date": "2026-03-01","category":"ingredients" }\r\n'],
    ['a number in other digits', '{"amount":1250e-2,"date":"2026-03-01","category":"ingredients"}'],
    ['a text with escapes', '{"amount":12.50,"date":"2026-03-01","c\\u0061tegory":"ingr\\u0065dients"}'],
  ])('the same Idempotency-Key with the same body in %s is replayed', async (_, body) => {
    const tenant = await createTenant(world);
    await post(tenant, 'k', { body: { amount: 12.5, date: '2026-03-01', category: 'ingredients' } });
    expect(isReplay(await post(tenant, 'k', { body }))).toBe(true);
  });

  test('the same Idempotency-Key with any other spelling of any equal body is replayed, and with any other body rejected', async () => {
    const tenant = await createTenant(world);
    const shuffled = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(shuffled)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .reverse()
                .map(([name, nested]) => [name, shuffled(nested)]),
            )
          : value;
    let number = 0;
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 5 }), fc.jsonValue({ maxDepth: 2 }), async (extra, other) => {
        const key = `p${++number}`;
        world.clock.advance(60_000);
        const body = { ...sampleBody(expense), extra };
        expect((await post(tenant, key, { body })).status).toBe(201);
        expect(isReplay(await post(tenant, key, { body: JSON.stringify(shuffled(body), null, 3) }))).toBe(true);
        expectKeyReused(await post(tenant, key, { body: { ...body, extra: [extra, other] } }));
      }),
      { numRuns: 40 },
    );
  });
});

describe('the time of a stored response', () => {
  test('the time of a stored response is exactly 24 hours', async () => {
    const tenant = await createTenant(world);
    const first = await post(tenant, 'k');
    world.clock.advance(24 * hourMs - 1000);
    expect([isReplay(await post(tenant, 'k')), codeOf(await post(tenant, 'k', { body: { ...sampleBody(expense), tags: [] } }))]).toEqual([
      true,
      'idempotency_key_reused',
    ]);
    world.clock.advance(1000);
    const second = await post(tenant, 'k', { body: { ...sampleBody(expense), amount: 7 } });
    expect([second.status, isReplay(second), second.body.id === first.body.id]).toEqual([201, false, false]);
    expect(isReplay(await post(tenant, 'k', { body: { ...sampleBody(expense), amount: 7 } }))).toBe(true);
  });

  test('the time of a stored response does not end if the record changes', async () => {
    const tenant = await createTenant(world);
    const body = sampleBody(webhook);
    const first = await post(tenant, 'k', { body }, webhook);
    await world.request('DELETE', `/webhooks/${first.body.id}`, { key: tenant.key });
    const again = await post(tenant, 'k', { body }, webhook);
    expect([again.status, again.text]).toEqual([201, first.text]);
  });
});

describe('free Idempotency-Keys', () => {
  const works = async (tenant: Tenant, key: string, route = expense): Promise<void> => {
    const retry = await post(tenant, key, {}, route);
    expect([retry.status, isReplay(retry)]).toEqual([201, false]);
  };

  test('an Idempotency-Key is free at once after a rejection of the operation itself', async () => {
    const tenant = await createTenant(world);
    expect((await post(tenant, 'k', { body: { url: 'http://10.0.0.1/', events: ['expense.created'] } }, webhook)).status).toBe(400);
    await works(tenant, 'k', webhook);
  });

  test('an Idempotency-Key is free at once after a conflict found by the commit', async () => {
    const tenant = await createTenant(world);
    const body = sampleBody(webhook);
    await post(tenant, 'k', { body }, webhook);
    expect((await post(tenant, 'k2', { body }, webhook)).status).toBe(409);
    await works(tenant, 'k2', webhook);
  });
});
