import { describe, expect, test } from '@jest/globals';
import { routeOf } from '../../functions/groups.ts';
import { hashKey } from '../../shared/auth/authenticate.ts';
import { rateRules } from '../../shared/http/rate-limits.ts';
import { createTenant, exhaust, send, type Tenant } from '../support/requests.ts';
import { shared } from '../support/shared.ts';
import { startWorld, type TestResponse, type World } from '../support/world.ts';

// Guarantee 14 (docs/guarantees.md)

const world = shared(startWorld);

const route = routeOf('listExpenses');
const keyOf = ({ account, keyId, key }: Tenant) => ({
  account: account.id,
  id: keyId,
  hash: hashKey(key),
  expires_at: null,
  revoked_at: null,
});

/** Opens an account. The function has just served its key. */
const served = async (): Promise<Tenant> => {
  const tenant = await createTenant(world);
  expect((await send(world, route, { key: tenant.key })).status).toBe(200);
  return tenant;
};

describe('a key that the function knows', () => {
  const updated_at = '2099-01-01T00:00:00.000Z';
  const change = (tenant: Tenant, fields: Parameters<World['store']['apiKeys']['updateWrites']>[1]) =>
    world.store.commit(world.store.apiKeys.updateWrites(keyOf(tenant), fields));
  const codeOf = ({ body }: TestResponse): string => body.error.code ?? body.error;
  const errorCodeOf = async ({ key }: Tenant): Promise<string> => codeOf(await send(world, route, { key }));

  test('a request with a key that the function knows is rejected if the key was revoked', async () => {
    const tenant = await served();
    await change(tenant, { revoked_at: updated_at, updated_at });
    expect(await errorCodeOf(tenant)).toBe('invalid_api_key');
  });

  test('a request with a key that the function knows is rejected from the second at which the key expires', async () => {
    const tenant = await served();
    await change(tenant, { expires_at: new Date(world.clock.now() + 1_000).toISOString(), updated_at });
    expect((await send(world, route, { key: tenant.key })).status).toBe(200);
    world.clock.advance(1_000);
    expect(await errorCodeOf(tenant)).toBe('invalid_api_key');
  });

  test('a request with a key that the function knows is rejected if the key was deleted', async () => {
    const tenant = await served();
    await world.store.commit(world.store.apiKeys.deleteWrites(keyOf(tenant)));
    expect(await errorCodeOf(tenant)).toBe('invalid_api_key');
  });

  test('a request with a key that the function knows is rejected if the key lost the scope', async () => {
    const tenant = await served();
    await change(tenant, { scopes: ['orders:read'], updated_at });
    expect(await errorCodeOf(tenant)).toBe('insufficient_scope');
  });

  test.each(['suspended', 'closed'] as const)(
    'a request with a key that the function knows is rejected if the account is %s',
    async (status) => {
      const tenant = await served();
      await world.store.commit([world.store.accounts.updateWrite(tenant.account.id, { status, updated_at })]);
      expect(await errorCodeOf(tenant)).toBe('account_inactive');
    },
  );
});

describe('the bucket of a key', () => {
  const countedIn = () =>
    world.wire.calls.filter(({ operation }) => operation === 'UpdateItem').map(({ input }) => JSON.stringify(input['Key']));

  test.each([
    ['unknown', {}],
    ['revoked', { revoked_at: '2026-01-01T00:00:00.000Z' }],
    ['expired', { expires_at: '2026-01-01T00:00:00.000Z' }],
  ])("a request does not count in the key's bucket if the key is %s and new to the function", async (name, fields) => {
    const { key } = await createTenant(world, { key: fields });
    world.wire.reset();
    expect((await send(world, route, { key: name === 'unknown' ? `${key.slice(0, -4)}AAAA` : key })).status).toBe(401);
    expect(countedIn()).toEqual([]);
  });

  test("a request of an address over its limit counts in the key's bucket only once", async () => {
    const open = routeOf('listProducts');
    const { account } = await createTenant(world);
    const [key, sourceIp] = [await world.createKey(account.id, { type: 'publishable' }), '203.0.113.77'];
    expect((await send(world, open, { key, sourceIp })).status).toBe(200);
    await exhaust(world, rateRules.publicIp, sourceIp);
    const requestOverLimit = () => send(world, open, { key, sourceIp });
    expect((await requestOverLimit()).status).toBe(429);
    world.wire.reset();
    const responses = await Promise.all(Array.from({ length: 20 }, requestOverLimit));
    expect(new Set(responses.map(({ status, headers }) => `${status} ${headers['X-RateLimit-Rule']}`))).toEqual(
      new Set(['429 api-public-ip']),
    );
    expect(world.wire.calls).toEqual([]);
  });

  test("a request does not count in the key's bucket if its address exceeds the limit with many simultaneous requests", async () => {
    const { account } = await createTenant(world);
    const key = await world.createKey(account.id, { type: 'publishable' });
    const get = () => send(world, routeOf('listProducts'), { key, sourceIp: '203.0.113.78' });
    expect((await get()).status).toBe(200);
    world.wire.reset();
    // An engine behind a network may count requests in another order than they were sent.
    let last: Promise<unknown> = Promise.resolve();
    world.wire.intercept((_call, send) => {
      const result = last.then(send);
      last = result.catch(() => undefined);
      return result;
    });
    const responses = await Promise.all(Array.from({ length: rateRules.publicIp.limit + 30 }, get));
    world.wire.intercept(undefined);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(rateRules.publicIp.limit - 1);
    expect(countedIn().filter((bucket) => bucket.includes(rateRules.read.name))).toHaveLength(rateRules.publicIp.limit - 1);
  });
});
