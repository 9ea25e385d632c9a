import { describe, expect, test } from '@jest/globals';
import { routeOf } from '../../functions/groups.ts';
import { type Route, routeKey } from '../../shared/core/routes.ts';
import { publishableScopes } from '../../shared/core/scopes.ts';
import { checkSteps } from '../../shared/http/chain.ts';
import { rateRules } from '../../shared/http/rate-limits.ts';
import { type Condition, codeOf, knownTenant, newTenant, orders } from '../support/reasons.ts';
import { createTarget, createTenant, exhaust, sampleBody, send, type Tenant } from '../support/requests.ts';
import { isFirstOfShape } from '../support/shapes.ts';
import { shared } from '../support/shared.ts';
import { allRoutes, type RequestOptions, startWorld } from '../support/world.ts';

const sender = { send: async () => ({ success: true, statusCode: 204, responseTimeMs: 1, error: null }), close: () => undefined };

/** A request whose response and log line must not depend on what the function has seen before. */
interface Situation {
  readonly name: string;
  readonly overrides?: NonNullable<Parameters<typeof createTenant>[1]>;
  readonly options?: RequestOptions & { readonly id?: string };
  readonly empties?: 'address' | 'key';
  /** Sends the request this many times; the last response counts. */
  readonly times?: number;
  /** Routes that the situation concerns. By default one of each shape. */
  readonly of?: (route: Route) => unknown;
}

const keyed = { headers: { 'Idempotency-Key': 'once' } };
const situations: readonly Situation[] = [
  { name: 'a valid request', options: keyed, of: () => true },
  { name: 'a repeated request', options: keyed, times: 2, of: ({ idempotent }) => idempotent },
  { name: 'an unknown record', options: { id: 'none' }, of: ({ path }) => path.includes('{id}') },
  { name: 'no key', options: { headers: { authorization: '' } } },
  { name: "another region's host", options: { host: 'eu.api.example.com' } },
  { name: 'a revoked key', overrides: { key: { revoked_at: '2026-01-01T00:00:00.000Z' } } },
  { name: 'a publishable key', overrides: { key: { type: 'publishable', scopes: publishableScopes } } },
  { name: 'a key without scopes', overrides: { key: { scopes: [] } } },
  { name: 'a plan without the API', overrides: { account: { plan: 'free' } } },
  { name: 'a suspended account', overrides: { account: { status: 'suspended' } } },
  { name: 'an empty bucket of the key', empties: 'key' },
  { name: 'an empty bucket of the address', empties: 'address', of: (route) => route.keys === 'any' && isFirstOfShape(route) },
  { name: 'a malformed Idempotency-Key', options: { headers: { 'Idempotency-Key': ' ' } }, of: ({ idempotent }) => idempotent },
  { name: 'a body that is no JSON', options: { body: '{' }, of: ({ body }) => body },
];

/** Replaces what differs between two requests: ids, secrets, times and cursors. */
const normalize = (text: string): string =>
  text
    .replaceAll(/\b(req-|[a-z]{2,5}_)[\w-]{8,}/g, '$1…')
    .replaceAll(/\b(key|acct)_\d+/g, '$1_…')
    .replaceAll(/(token\W+)[\w=]+/g, '$1…')
    .replaceAll(/customer\d+|shopper\d+|example\.com\/\d+/g, '…');

interface Seen {
  readonly status: number;
  readonly headersAndBody: string;
  readonly log: string;
  /** Calls that are under way after the response. */
  readonly underWay: readonly unknown[];
}

const world = shared(() => startWorld({ sender }));

const see = async (open: typeof newTenant, route: Route, { overrides = {}, options, empties, times = 1 }: Situation): Promise<Seen> => {
  const tenant: Tenant = await open(world, route, overrides);
  const makeTarget = async () => createTarget(world, route, await world.createKey(tenant.account.id));
  const id = options?.id ?? ((route.path.includes('{id}') && (await makeTarget())) || 'none');
  const sourceIp = `steps-${tenant.keyId}`;
  if (empties === 'address') await exhaust(world, rateRules.publicIp, sourceIp);
  if (empties === 'key') await exhaust(world, route.method === 'GET' ? rateRules.read : rateRules.write, tenant.keyId);
  const body = sampleBody(route);
  const request = { key: tenant.key, sourceIp, ...(body ? { body } : {}), ...options, id };
  for (let sent = 1; sent < times; sent++) await send(world, route, request);
  world.wire.reset();
  world.log.length = 0;
  const { status, headers, text } = await send(world, route, request);
  const underWay = world.wire.calls.filter(({ endedAt }) => endedAt === Number.POSITIVE_INFINITY);
  const sorted = Object.entries(headers).sort();
  return { status, headersAndBody: normalize(JSON.stringify([sorted, text])), log: normalize(JSON.stringify(world.log)), underWay };
};

describe.each(allRoutes.map((route) => [routeKey(route), route] as const))('%s', (title, route) => {
  test.each(situations.filter(({ of = isFirstOfShape }) => of(route)))(
    `${title} responds and logs the same to $name, whether its key is known or new to the function`,
    async (situation) => {
      const [known, unknown] = [await see(knownTenant, route, situation), await see(newTenant, route, situation)];
      expect(known).toEqual(unknown);
      expect(known.underWay).toEqual([]);
    },
  );
});

test('a key that is new to the function takes one trip more at an address near its limit', async () => {
  const route = routeOf('listProducts');
  const { account } = await createTenant(world);
  const tripsAt = async (sourceIp: string, earlier: number): Promise<number> => {
    const key = await world.createKey(account.id, { type: 'publishable' });
    for (let sent = 0; sent < earlier; sent++) await world.store.buckets.take(rateRules.publicIp.name, sourceIp, rateRules.publicIp.limit);
    world.wire.reset();
    expect((await send(world, route, { key, sourceIp })).status).toBe(200);
    return world.wire.sequentialTrips();
  };
  const far = await tripsAt('steps-far', 0);
  expect(await tripsAt('steps-near', rateRules.publicIp.limit - 1)).toBe(far);
});

describe('two neighbouring checks that change places', () => {
  /** Checks in their order, by the names of the reasons to reject. */
  const names = [
    ['address bucket'],
    ['expired key'],
    ['key bucket'],
    ['plan'],
    ['status'],
    ['key type'],
    ['scope'],
    ['Idempotency-Key'],
    ['body', 'query'],
  ];
  const pairs = names.slice(1).map((following, index) => {
    const isOf = (ofCheck: readonly string[] | undefined, { name }: Condition) => ofCheck?.includes(name) ?? false;
    const found = orders
      .map(([operation, reasons]) => ({
        route: routeOf(operation),
        first: reasons.find((reason) => isOf(names[index], reason)),
        second: reasons.find((reason) => isOf(following, reason)),
      }))
      .find(({ first, second }) => first && second);
    if (!found?.first || !found.second) throw new Error(`The order test does not compare ${names[index]} with ${following}.`);
    return { route: found.route, first: found.first, second: found.second, index };
  });

  test.each(pairs)('the order is wrong if $first.name and $second.name change places', async ({ route, first, second, index }) => {
    const position = index - (route.keys === 'any' ? 0 : 1);
    const checksOf: typeof checkSteps = (of, services) => {
      const inOrder = checkSteps(of, services);
      return inOrder.with(position, inOrder[position + 1] ?? {}).with(position + 1, inOrder[position] ?? {});
    };
    const swapped = await startWorld({ sender, checksOf });
    try {
      expect(await codeOf(swapped, route, [first, second], knownTenant)).toBe(second.code);
      expect(await codeOf(world, route, [first, second], knownTenant)).toBe(first.code);
    } finally {
      await swapped.stop();
    }
  });
});
