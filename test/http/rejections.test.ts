import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { hashKey } from '../../shared/auth/authenticate.ts';
import { type Route, routeKey } from '../../shared/core/routes.ts';
import { publishableScopes, selectableScopes } from '../../shared/core/scopes.ts';
import { rateRules } from '../../shared/http/rate-limits.ts';
import { createTenant, exhaust, leftovers, send, type Tenant } from '../support/requests.ts';
import { isFirstOfShape } from '../support/shapes.ts';
import { shared } from '../support/shared.ts';
import { allRoutes, type RequestOptions, startWorld, type TestResponse } from '../support/world.ts';

const world = shared(startWorld);

const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, POST, OPTIONS',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key',
  'Access-Control-Max-Age': '86400',
};

/** Checks what every response of a route must have. */
const expectFrame = (route: Route, { status, headers }: TestResponse): void => {
  expect(headers['WWW-Authenticate']).toBe(status === 401 ? 'Bearer' : undefined);
  expect(headers['X-Request-Id']).toMatch(/^req-/);
  expect(headers['Content-Type']).toBe('application/json');
  if (route.keys === 'any') expect(headers).toMatchObject(corsHeaders);
  else expect(Object.keys(headers).filter((name) => /^access-control/i.test(name))).toEqual([]);
};

const unauthorized = { error: { type: 'authentication_error', code: 'invalid_api_key', message: 'Invalid API key.' } };

const value = (head: string): string => `svc_${head}_${randomBytes(32).toString('base64url')}`;

interface Row {
  readonly name: string;
  readonly status: number;
  readonly body: unknown;
  /** Prepares the request. By default, a tenant with a key. */
  arrange(): Promise<RequestOptions>;
  /** Sent to every route, and not only to one route of each shape. */
  readonly everywhere?: true;
}

const unauthenticated = (name: string, arrange: Row['arrange']): Row => ({ name, status: 401, body: unauthorized, arrange });
const everywhere = (row: Row): Row => ({ ...row, everywhere: true });

const withTenant = (overrides: Parameters<typeof createTenant>[1]) => async (): Promise<RequestOptions> => ({
  key: (await createTenant(world, overrides)).key,
});

/** Prepares a stored key with a changed value. */
const presenting =
  (head: string, fields: object = {}) =>
  async (): Promise<RequestOptions> => {
    const presented = value(head);
    await createTenant(world, { key: { hash: hashKey(presented), ...fields } });
    return { key: presented };
  };

/** Uses one account for all routes: a rejection changes nothing, and no route limits what is sent once. */
const once = (arrange: Row['arrange']): Row['arrange'] => {
  let made: Promise<RequestOptions> | undefined;
  return () => {
    made ??= arrange();
    return made;
  };
};

const header = (make: (tenant: Tenant) => string) => async (): Promise<RequestOptions> => ({
  headers: { authorization: make(await createTenant(world)) },
});

const rows: readonly Row[] = [
  everywhere(unauthenticated('no Authorization header', async () => ({}))),
  unauthenticated(
    'an empty Authorization header',
    header(() => ''),
  ),
  unauthenticated(
    'a scheme without a key',
    header(() => 'Bearer'),
  ),
  unauthenticated(
    'another scheme',
    header(({ key }) => `Basic ${key}`),
  ),
  unauthenticated(
    'two keys in one header',
    header(({ key }) => `Bearer ${key},Bearer ${key}`),
  ),
  unauthenticated(
    'a key one character short',
    header(({ key }) => `Bearer ${key.slice(0, -1)}`),
  ),
  unauthenticated(
    'a key one character long',
    header(({ key }) => `Bearer ${key}A`),
  ),
  unauthenticated(
    'a header of 100 KB',
    header(({ key }) => `Bearer ${key}${' '.repeat(50_000)}${'A'.repeat(50_000)}`),
  ),
  everywhere(unauthenticated('an unknown key', async () => ({ key: value('sk_live_us') }))),
  everywhere(unauthenticated("another region's key", withTenant({ account: { region: 'au' }, key: { region: 'au' } }))),
  unauthenticated('a key stored for another region than it says', presenting('sk_live_us', { region: 'eu' })),
  everywhere(
    unauthenticated('a revoked key', async () => withTenant({ key: { revoked_at: new Date(world.clock.now()).toISOString() } })()),
  ),
  unauthenticated('a key that expires at this very moment', async () =>
    withTenant({ key: { expires_at: new Date(world.clock.now()).toISOString() } })(),
  ),
  unauthenticated('a secret key that says it is publishable', presenting('pk_live_us')),
  unauthenticated('a publishable key that says it is secret', presenting('sk_live_us', { type: 'publishable', scopes: publishableScopes })),
  unauthenticated(
    'a publishable key in the form without a type',
    presenting('live_us', { type: 'publishable', scopes: publishableScopes }),
  ),
  unauthenticated("another region's host", async () => ({ ...(await withTenant({})()), host: 'au.api.example.com' })),
  unauthenticated('a key of a deleted account', async () => ({ key: await world.createKey('acct_gone') })),
  ...(['free', 'starter'] as const).map((plan) => ({
    name: `an account on the plan ${plan}`,
    status: 403,
    body: { error: 'plan_required', feature: 'rest-api', label: 'REST API', required: 'business', current: plan },
    arrange: withTenant({ account: { plan } }),
    everywhere: true as const,
  })),
  ...(['suspended', 'closed'] as const).map((status) => ({
    name: `an account that is ${status}`,
    status: 403,
    body: { error: 'account_inactive', status },
    arrange: withTenant({ account: { status } }),
    everywhere: true as const,
  })),
];

const rejections = rows.map((row) => ({ ...row, arrange: once(row.arrange) }));

/** Requests of keys and accounts that every route serves. The first is sent to every route. */
const accepted = (
  [
    ['a key behind Bearer', header(({ key }) => `Bearer ${key}`)],
    ['a key behind bearer', header(({ key }) => `bearer ${key}`)],
    ['a key behind BEARER and several spaces', header(({ key }) => `  BEARER   ${key}  `)],
    ['a bare key', header(({ key }) => key)],
    ['an older key without a type as a secret key', withTenant({ key: { legacy: true } })],
    ['a test key', presenting('sk_test_us')],
    ...(['active', 'grace'] as const).map((status) => [`an account that is ${status}`, withTenant({ account: { status } })] as const),
    ...['api.example.com', 'us', 'US.api.example.com', '127.0.0.1:4001', 'localhost'].map(
      (host) => [`the host ${host}`, async () => ({ ...(await withTenant({})()), host })] as const,
    ),
  ] as const
).map(([name, arrange], i) => ({ name, arrange: once(arrange), everywhere: i === 0 }));
const publishable = once(withTenant({ key: { type: 'publishable' } }));
const scopeless = Object.fromEntries(
  selectableScopes.map((scope) => [scope, once(withTenant({ key: { scopes: selectableScopes.filter((other) => other !== scope) } }))]),
);

describe.each(allRoutes.map((route) => [routeKey(route), route] as const))('%s', (title, route) => {
  const check = async (options: RequestOptions, status: number, body: unknown): Promise<TestResponse> => {
    world.wire.reset();
    const response = await send(world, route, { ...options, headers: { 'Idempotency-Key': 'refused', ...options.headers } });
    expect([response.status, response.body]).toEqual([status, body]);
    expectFrame(route, response);
    expect(leftovers(world)).toEqual([]);
    return response;
  };

  test.each(rejections.filter(({ everywhere }) => everywhere || isFirstOfShape(route)))(
    `${title} rejects $name`,
    async ({ status, body, arrange }) => {
      await check(await arrange(), status, body);
    },
  );

  test(`${title} rejects a key without its scope, and names the scope`, async () => {
    const { body } = await check((await scopeless[route.scope]?.()) ?? {}, 403, {
      error: { type: 'permission_error', code: 'insufficient_scope', message: expect.any(String), requiredScope: route.scope },
    });
    expect(body.error.message).not.toBe('');
  });

  test(`${title} rejects a key with an empty bucket, with all rate-limit headers`, async () => {
    const { key, keyId } = await createTenant(world);
    const rule = route.method === 'GET' ? rateRules.read : rateRules.write;
    await exhaust(world, rule, keyId);
    const { headers } = await check({ key }, 429, { error: 'rate_limit_exceeded', message: expect.any(String), retryAfter: 60 });
    expect(headers).toMatchObject({
      'Retry-After': '60',
      'X-RateLimit-Limit': route.method === 'GET' ? '300' : '100',
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': String(Math.floor(world.clock.now() / 60_000) * 60 + 60),
      'X-RateLimit-Rule': route.method === 'GET' ? 'api-read' : 'api-write',
    });
  });

  const served = async (options: RequestOptions): Promise<void> => {
    const response = await send(world, route, options);
    expect(response.status).toBe(route.path.includes('{id}') ? 404 : (route.status ?? 200));
    expectFrame(route, response);
  };

  test.each(accepted.filter(({ everywhere }) => everywhere || isFirstOfShape(route)))(`${title} accepts $name`, async ({ arrange }) => {
    await served(await arrange());
  });

  if (route.keys === 'secret') {
    test(`${title} rejects a publishable key`, async () => {
      await check(await publishable(), 403, {
        error: { type: 'invalid_request_error', code: 'publishable_key_not_allowed', message: expect.any(String) },
      });
    });

    test(`${title} rejects a preflight`, async () => {
      const response = await world.request('OPTIONS', route.path.replace('{id}', 'none'));
      expect([response.status, response.body.error.code]).toEqual([404, 'not_found']);
      expectFrame(route, response);
    });
  } else {
    test(`${title} accepts a publishable key`, async () => {
      await served(await publishable());
    });

    test(`${title} rejects an address with an empty bucket, whatever its key`, async () => {
      const sourceIp = `192.0.2.${allRoutes.indexOf(route)}`;
      await exhaust(world, rateRules.publicIp, sourceIp);
      const { key } = await createTenant(world);
      const { headers } = await check({ key, sourceIp }, 429, {
        error: 'rate_limit_exceeded',
        message: expect.any(String),
        retryAfter: 60,
      });
      expect(headers).toMatchObject({ 'Retry-After': '60', 'X-RateLimit-Limit': '120', 'X-RateLimit-Rule': 'api-public-ip' });
    });

    test(`${title} returns 204 with only CORS headers for OPTIONS, without a read`, async () => {
      world.wire.reset();
      const response = await world.request('OPTIONS', route.path, { host: 'au.api.example.com' });
      expect([response.status, response.text]).toEqual([204, '']);
      expect(response.headers).toMatchObject({ ...corsHeaders, 'X-Request-Id': expect.stringMatching(/^req-/) });
      expect(response.headers).not.toHaveProperty('Content-Type');
      expect(world.wire.calls).toEqual([]);
    });
  }
});
