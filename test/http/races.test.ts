import { describe, expect, test } from '@jest/globals';
import { routeOf } from '../../functions/groups.ts';
import { routeKey } from '../../shared/core/routes.ts';
import { createTenant, sampleBody, send, type Tenant } from '../support/requests.ts';
import { shared } from '../support/shared.ts';
import { allRoutes, startWorld, type TestResponse } from '../support/world.ts';

// Guarantee 2 (docs/guarantees.md)

// The simulator tests processes that die or stop at any call. These tests let transactions of a
// real engine conflict.

const world = shared(startWorld);

const creates = allRoutes
  .filter(({ idempotent }) => idempotent)
  .map((create) => [routeKey(create), create, allRoutes.find(({ method, path }) => method === 'GET' && path === create.path)] as const);

describe.each(creates)('%s', (title, create, list) => {
  /** Returns the ids of the account's records; without a list, the id in the response. */
  const created = async ({ key }: Tenant, returnedId: string): Promise<string[]> =>
    list ? (await send(world, list, { key })).body.data.map(({ id }: { id: string }) => id) : [returnedId];

  const judge = (responses: readonly TestResponse[]) => {
    const ran = responses.filter(({ status, headers }) => status === 201 && !('Idempotent-Replayed' in headers));
    for (const other of responses.filter((response) => !ran.includes(response))) {
      if (other.status === 201) expect(other.text).toBe(ran[0]?.text);
      else expect([other.status, other.body.error.code]).toEqual([409, 'request_in_flight']);
    }
    return ran;
  };

  test(`${title} runs exactly one of 50 equal simultaneous requests, even if only one fits into a limit`, async () => {
    const tenant = await createTenant(world, { account: { order_limit: 1 } });
    const body = sampleBody(create);
    const post = () => send(world, create, { key: tenant.key, body, headers: { 'Idempotency-Key': 'k' } });
    const ran = judge(await Promise.all(Array.from({ length: 50 }, post)));
    expect(await created(tenant, ran[0]?.body.id)).toEqual(ran.map(({ body: made }) => made.id));
    expect(ran).toHaveLength(1);
  });
});

test('one of 20 different simultaneous requests with one key runs; the others fail with idempotency_key_reused', async () => {
  const { key } = await createTenant(world);
  const body = sampleBody(routeOf('createExpense'));
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      send(world, routeOf('createExpense'), { key, body: { ...body, amount: i + 1 }, headers: { 'Idempotency-Key': 'k' } }),
    ),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(422)]);
});
