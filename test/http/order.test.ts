import { describe, expect, test } from '@jest/globals';
import { routeOf } from '../../functions/groups.ts';
import { codeOf, knownTenant, newTenant, orders } from '../support/reasons.ts';
import { createTenant, leftovers, send } from '../support/requests.ts';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';

const world = shared(startWorld);

/** Checks that also decide what is read before their turn. */
const readAhead = ['address bucket', 'expired key', 'host', 'key bucket'];

// Checks run one after another, so the order of neighbours decides the order of all. A check that
// decides what is read ahead is compared with all that follow it.
const pairs = orders.flatMap(([operation, conditions], row) =>
  conditions.flatMap((first, i) =>
    conditions
      .slice(i + 1)
      .filter((_, distance) => distance === 0 || readAhead.includes(first.name))
      .filter(
        (second) =>
          !orders.slice(0, row).some(([other, reasons]) => other === operation && reasons.includes(first) && reasons.includes(second)),
      )
      .map((second) => ({ operation, winner: first.name, loser: second.name, both: [first, second] as const })),
  ),
);

describe.each([
  ['new', newTenant],
  ['known', knownTenant],
] as const)('two reasons to reject a key that is %s to the function', (_, open) => {
  test.each(pairs)('$operation checks $winner before $loser', async ({ operation, both }) => {
    expect(await codeOf(world, routeOf(operation), both, open)).toBe(both[0].code);
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
