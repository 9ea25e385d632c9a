import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { routeOf } from '../../lib/groups.ts';
import { hashKey } from '../../shared/auth/authenticate.ts';
import type { Route } from '../../shared/core/routes.ts';
import { publishableScopes, selectableScopes } from '../../shared/core/scopes.ts';
import type { ApiKey } from '../../shared/domain/account/api-key.ts';
import type { Account } from '../../shared/domain/account/record.ts';
import { rateRules } from '../../shared/http/rate-limits.ts';
import { createTenant, exhaust, leftovers, send, type Tenant } from '../support/requests.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

/** A reason to reject: how it changes the request, and the code of its rejection. */
interface Condition {
  readonly name: string;
  readonly code: string;
  readonly account?: Partial<Account>;
  readonly key?: Partial<ApiKey>;
  readonly headers?: Record<string, string>;
  readonly host?: string;
  readonly body?: unknown;
  readonly query?: string;
  readonly id?: string;
  readonly empties?: keyof typeof rateRules;
}

const address: Condition = { name: 'address bucket', code: 'rate_limit_exceeded api-public-ip', empties: 'publicIp' };
const expired: Condition = { name: 'expired key', code: 'invalid_api_key', key: { expires_at: '2020-01-01T00:00:00.000Z' } };
const host: Condition = { name: 'host', code: 'invalid_api_key', host: 'eu.api.example.com' };
const readBucket: Condition = { name: 'key bucket', code: 'rate_limit_exceeded api-read', empties: 'read' };
const writeBucket: Condition = { name: 'key bucket', code: 'rate_limit_exceeded api-write', empties: 'write' };
const plan: Condition = { name: 'plan', code: 'plan_required', account: { plan: 'starter' } };
const status: Condition = { name: 'status', code: 'account_inactive', account: { status: 'suspended' } };
const keyType: Condition = {
  name: 'key type',
  code: 'publishable_key_not_allowed',
  key: { type: 'publishable', scopes: publishableScopes },
};
const without = (scope: string): Condition => ({
  name: 'scope',
  code: 'insufficient_scope',
  key: { scopes: selectableScopes.filter((one) => one !== scope) },
});
const idempotencyKey: Condition = { name: 'Idempotency-Key', code: 'invalid_idempotency_key', headers: { 'Idempotency-Key': '' } };
const body: Condition = { name: 'body', code: 'invalid_json', body: '{' };
const query: Condition = { name: 'query', code: 'invalid_value', query: '?order_by=amount' };
const absent: Condition = { name: 'absent record', code: 'not_found' };
const badId: Condition = { name: 'impossible id', code: 'not_found', id: 'x'.repeat(300) };

/** Reasons in the documented order of each route. */
const orders: readonly (readonly [string, readonly Condition[]])[] = [
  ['createExpense', [host, writeBucket, plan, status, keyType, idempotencyKey, body]],
  ['createExpense', [expired, writeBucket, plan, status, without('expenses:write'), idempotencyKey, body]],
  ['listExpenses', [expired, readBucket, plan, status, without('expenses:read'), query]],
  ['listExpenseCategories', [address, expired, readBucket, plan, status, without('reference:read')]],
  ['listExpenseCategories', [address, host, readBucket, plan, status, without('reference:read')]],
  ['updateWebhook', [expired, writeBucket, plan, status, without('webhooks:manage'), body, absent]],
  ['createCheckout', [address, host, writeBucket, plan, status, without('checkout:write'), idempotencyKey, body]],
  ['createCheckout', [address, expired, writeBucket, plan, status, without('checkout:write'), idempotencyKey, body]],
  ['createOrder', [expired, writeBucket, plan, status, keyType, without('orders:write')]],
  ['listOrders', [expired, readBucket, plan, status, keyType, without('orders:read'), { ...query, query: '?sort=name' }]],
  ['listProducts', [address, expired, readBucket, plan, status, without('products:read'), { ...query, query: '?updated_after=x' }]],
  ['retrieveOrder', [expired, readBucket, plan, status, without('orders:read'), absent]],
  ['listWebhookEvents', [without('webhooks:manage'), { ...query, query: '?status=x' }, absent]],
  ['updateWebhook', [keyType, body, badId]],
  ['deleteWebhook', [writeBucket, plan, status, keyType, absent]],
];

const pairs = orders.flatMap(([operation, conditions]) =>
  conditions.flatMap((first, i) =>
    conditions.slice(i + 1).map((second) => ({ operation, winner: first.name, loser: second.name, both: [first, second] as const })),
  ),
);

type Members = NonNullable<Parameters<typeof createTenant>[1]>;

/** Opens an account, lets the route's function serve its key, and then applies the reasons. */
const knownTenant = async (route: Route, { account, key: { type, ...changes } = {} }: Members): Promise<Tenant> => {
  const tenant = await createTenant(world, { key: type ? { type } : {} });
  await send(world, route, { key: tenant.key, ...(route.body ? { body: {} } : {}) });
  const { id, updated_at } = tenant.account;
  const stored = { account: id, id: tenant.keyId, hash: hashKey(tenant.key), expires_at: null, revoked_at: null };
  await world.store.commit([
    world.store.accounts.updateWrite(id, { ...account, updated_at }),
    ...world.store.apiKeys.updateWrites(stored, { ...changes, updated_at }),
  ]);
  return tenant;
};
const newTenant = (_route: Route, members: Members): Promise<Tenant> => createTenant(world, members);

describe.each([
  ['new', newTenant],
  ['known', knownTenant],
] as const)('with a key that is %s to the function, two reasons to reject are checked in order', (_, open) => {
  test.each(pairs)('$operation: $winner before $loser', async ({ operation, both }) => {
    const [first, second] = both;
    const { name: _, code: __, account, key, empties: ___, ...request } = { ...second, ...first };
    const tenant = await open(routeOf(operation), {
      account: { ...second.account, ...account },
      key: { ...second.key, ...key },
    });
    const sourceIp = `order-${tenant.keyId}`;
    for (const { empties } of both) {
      if (empties) await exhaust(world, rateRules[empties], empties === 'publicIp' ? sourceIp : tenant.keyId);
    }
    world.wire.reset();
    const headers = { 'Idempotency-Key': 'order', ...request.headers };
    const response = await send(world, routeOf(operation), { key: tenant.key, sourceIp, ...request, headers });
    const rule = response.headers['X-RateLimit-Rule'];
    expect([response.body.error.code ?? response.body.error, ...(rule ? [rule] : [])].join(' ')).toBe(first.code);
    expect(leftovers(world)).toEqual([]);
  });
});

test('a request that is rejected does not get the stored response', async () => {
  const { account, key } = await createTenant(world);
  const request = { key, headers: { 'Idempotency-Key': 'once' } };
  const route = routeOf('createExpense');
  expect((await send(world, route, request)).status).toBe(201);
  await world.store.commit([world.store.accounts.updateWrite(account.id, { status: 'closed', updated_at: account.updated_at })]);
  expect(await send(world, route, request)).toMatchObject({ status: 403, body: { error: 'account_inactive', status: 'closed' } });
  await world.store.commit([world.store.accounts.updateWrite(account.id, { status: 'grace', updated_at: account.updated_at })]);
  expect(await send(world, route, request)).toMatchObject({ status: 201, headers: { 'Idempotent-Replayed': 'true' } });
});

test('an invalid body is rejected before a reused Idempotency-Key', async () => {
  const { key } = await createTenant(world);
  const route = routeOf('createExpense');
  const headers = { 'Idempotency-Key': 'once' };
  await send(world, route, { key, headers });
  expect((await send(world, route, { key, headers, body: {} })).body.error.code).toBe('invalid_value');
});
