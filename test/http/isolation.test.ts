import { expect, test } from '@jest/globals';
import { allRoutes } from '../../functions/groups.ts';
import { routeKey } from '../../shared/core/routes.ts';
import { createTarget, createTenant, leftovers, send } from '../support/requests.ts';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';

// Guarantee 12 (docs/guarantees.md)

const world = shared(startWorld);

const named = allRoutes.filter(({ path }) => path.includes('{id}')).map((route) => [routeKey(route), route] as const);

test.each(named)("%s returns the same 404 for another account's record as for an unknown one, and does not change it", async (_, route) => {
  const { account, key: owner } = await createTenant(world);
  const stranger = await world.createKey((await world.createAccount()).id);
  const id = await createTarget(world, route, owner);
  const retrieve = allRoutes.find(({ method, path }) => method === 'GET' && path === `${route.path.split('/{id}')[0]}/{id}`);
  if (!id || !retrieve) throw new Error(`${route.path} names nothing that can be read.`);
  const before = await send(world, retrieve, { key: owner, id });
  world.wire.reset();
  const theirs = await send(world, route, { key: stranger, id });
  expect(leftovers(world)).toEqual([]);
  expect(JSON.stringify(world.wire.calls.map(({ input }) => input))).not.toContain(account.id);
  const nobodys = await send(world, route, { key: stranger, id: `${id.slice(0, -6)}nobody` });
  expect([theirs.status, theirs.text]).toEqual([404, nobodys.text]);
  expect(await send(world, retrieve, { key: owner, id })).toMatchObject({ status: 200, text: before.text });
});
