import { hashKey } from '../../shared/auth/authenticate.ts';
import type { Route } from '../../shared/core/routes.ts';
import { publishableScopes, selectableScopes } from '../../shared/core/scopes.ts';
import type { Account, ApiKey } from '../../shared/domain/account/record.ts';
import { rateRules } from '../../shared/http/rate-limits.ts';
import { createTenant, exhaust, send, type Tenant } from './requests.ts';
import type { World } from './world.ts';

/** A reason to reject: how it changes the request, and the code of its rejection. */
export interface Condition {
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
export const orders: readonly (readonly [string, readonly Condition[]])[] = [
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

type TenantOverrides = NonNullable<Parameters<typeof createTenant>[1]>;

/** Opens an account, lets the route's function serve its key, and then applies the reasons. */
export const knownTenant = async (
  world: World,
  route: Route,
  { account, key: { type, ...changes } = {} }: TenantOverrides,
): Promise<Tenant> => {
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
export const newTenant = (world: World, _route: Route, overrides: TenantOverrides): Promise<Tenant> => createTenant(world, overrides);

/**
 * Sends a request with two reasons to reject it. Returns the code of the response, and the rate rule
 * that it names.
 */
export const codeOf = async (
  world: World,
  route: Route,
  [first, second]: readonly [Condition, Condition],
  open: typeof knownTenant,
): Promise<string> => {
  const { name: _, code: __, account, key, empties: ___, ...request } = { ...second, ...first };
  const tenant = await open(world, route, {
    account: { ...second.account, ...account },
    key: { ...second.key, ...key },
  });
  const sourceIp = `order-${tenant.keyId}`;
  for (const { empties } of [first, second]) {
    if (empties) await exhaust(world, rateRules[empties], empties === 'publicIp' ? sourceIp : tenant.keyId);
  }
  world.wire.reset();
  const headers = { 'Idempotency-Key': 'order', ...request.headers };
  const { headers: sent, body } = await send(world, route, { key: tenant.key, sourceIp, ...request, headers });
  const rule = sent['X-RateLimit-Rule'];
  return [body.error.code ?? body.error, ...(rule ? [rule] : [])].join(' ');
};
