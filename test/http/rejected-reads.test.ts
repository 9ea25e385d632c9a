import { expect, test } from '@jest/globals';
import { routeOf } from '../../functions/groups.ts';
import { rateRules } from '../../shared/http/rate-limits.ts';
import { createTenant, send } from '../support/requests.ts';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';

const world = shared(startWorld);

test('GET /expenses with a key over its limit reads only the key', async () => {
  const route = routeOf('listExpenses');
  const { key, keyId } = await createTenant(world);
  const windowMs = 60_000;
  world.clock.advance(windowMs - (world.clock.now() % windowMs));
  const { name, limit } = rateRules.read;
  for (let counted = 1; counted < limit; counted++) await world.store.buckets.take(name, keyId, limit);
  expect((await send(world, route, { key })).status).toBe(200);
  expect((await send(world, route, { key })).status).toBe(429);
  world.wire.reset();
  for (let sent = 0; sent < 10; sent++) expect((await send(world, route, { key })).status).toBe(429);
  expect(world.wire.calls.map(({ operation }) => operation)).toEqual(Array(10).fill('BatchGetItem'));
  for (const { input } of world.wire.calls) {
    const readTables = Object.values(input['RequestItems'] as Record<string, { readonly Keys: readonly unknown[] }>);
    expect(readTables.flatMap(({ Keys }) => Keys)).toHaveLength(1);
  }
});
