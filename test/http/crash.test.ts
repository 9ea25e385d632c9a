import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { routeKey } from '../../shared/core/routes.ts';
import { type Standstill, standstillAt } from '../support/faults.ts';
import { createTenant, routeOf, sampleBody, send, type Tenant } from '../support/requests.ts';
import { allRoutes, startWorld, type TestResponse, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterEach(() => world.wire.intercept(undefined));
afterAll(() => world.stop());

const creates = allRoutes
  .filter(({ idempotent }) => idempotent)
  .map((create) => [routeKey(create), create, allRoutes.find(({ method, path }) => method === 'GET' && path === create.path)] as const);

describe.each(creates)('%s', (_, create, list) => {
  /** Whoever comes second meets every rule that the first has used up: the email, the URL, the month's only order. */
  const openTenant = async (isKnown = true): Promise<Tenant> => {
    const tenant = await createTenant(world, { account: { order_limit: 1 } });
    // Refused for its body, and remembered for its key.
    if (isKnown) expect((await send(world, create, { key: tenant.key, body: {} })).status).toBe(400);
    return tenant;
  };
  const poster = ({ key }: Tenant) => {
    const body = sampleBody(create);
    return () => send(world, create, { key, body, headers: { 'Idempotency-Key': 'k' } });
  };
  /** What the account has; where nothing lists it, what the answer says. */
  const created = async ({ key }: Tenant, answered: string): Promise<string[]> =>
    list ? (await send(world, list, { key })).body.data.map(({ id }: { id: string }) => id) : [answered];

  /** The calls of one request; the last one commits. */
  const callsOf = async (): Promise<string[]> => {
    const post = poster(await openTenant());
    world.wire.intercept(undefined);
    world.wire.reset();
    expect((await post()).status).toBe(201);
    return world.wire.calls.map(({ operation }) => operation);
  };

  test('commits with its last call', async () => {
    const calls = await callsOf();
    expect(calls.filter((operation) => operation === 'TransactWriteItems')).toHaveLength(1);
    expect(calls.at(-1)).toBe('TransactWriteItems');
  });

  const stopAndRetry = async (index: number, moment: 'before' | 'after', waking: 'goOn' | 'fail', landed: boolean, isKnown = true) => {
    const tenant = await openTenant(isKnown);
    const post = poster(tenant);
    const standstill: Standstill = standstillAt(world.wire, index, moment);
    const dead = post();
    await standstill.reached;

    const retry = await post();
    expect([retry.status, retry.headers['Idempotent-Replayed']]).toEqual([201, landed ? 'true' : undefined]);
    const expectOne = async () => {
      expect(await created(tenant, retry.body.id)).toEqual([retry.body.id]);
      expect(await post()).toMatchObject({ status: 201, text: retry.text, headers: { 'Idempotent-Replayed': 'true' } });
    };
    await expectOne();

    standstill[waking]();
    expect(await dead).toMatchObject({ status: 201, text: retry.text });
    await expectOne();
  };

  test.each([
    ['before', 'goOn'],
    ['before', 'fail'],
    ['after', 'goOn'],
    ['after', 'fail'],
  ] as const)(
    'stopped at any call, %s it takes effect, and woken too late to %s: the key is free at once, and there is one record and one answer',
    async (moment, waking) => {
      const last = (await callsOf()).length - 1;
      for (let index = 0; index <= last; index++) await stopAndRetry(index, moment, waking, index === last && moment === 'after');
      // The look for a key that is new to the function.
      await stopAndRetry(0, moment, waking, false, false);
    },
  );

  const stoppedAtCommit = async (post: () => Promise<TestResponse>) => {
    const last = (await callsOf()).length - 1;
    const standstill = standstillAt(world.wire, last, 'before');
    const dead = post();
    await standstill.reached;
    return { standstill, dead };
  };

  test('of two processes at their commits the first makes the record, and the other answers with it', async () => {
    const tenant = await openTenant();
    const post = poster(tenant);
    const first = await stoppedAtCommit(post);
    const second = await stoppedAtCommit(post);
    second.standstill.goOn();
    const made = await second.dead;
    first.standstill.goOn();
    expect([made.status, 'Idempotent-Replayed' in made.headers]).toEqual([201, false]);
    expect(await first.dead).toMatchObject({ status: 201, text: made.text, headers: { 'Idempotent-Replayed': 'true' } });
    expect(await created(tenant, made.body.id)).toEqual([made.body.id]);
  });

  test('a process that stood at its commit while another request took the key is told so', async () => {
    const tenant = await openTenant();
    const { standstill, dead } = await stoppedAtCommit(poster(tenant));
    const taken = await send(world, create, {
      key: tenant.key,
      body: { ...sampleBody(create), unknown: 1 },
      headers: { 'Idempotency-Key': 'k' },
    });
    standstill.goOn();
    expect([taken.status, (await dead).body.error.code]).toEqual([201, 'idempotency_key_reused']);
    expect(await created(tenant, taken.body.id)).toEqual([taken.body.id]);
  });

  test('a process that is slow still finishes', async () => {
    const tenant = await openTenant();
    const post = poster(tenant);
    const { standstill, dead: slow } = await stoppedAtCommit(post);
    world.clock.advance(29_000);
    standstill.goOn();
    const first = await slow;
    expect(first.status).toBe(201);
    expect(await post()).toMatchObject({ text: first.text, headers: { 'Idempotent-Replayed': 'true' } });
    expect(await created(tenant, first.body.id)).toEqual([first.body.id]);
  });

  const judge = (responses: readonly TestResponse[]) => {
    const ran = responses.filter(({ status, headers }) => status === 201 && !('Idempotent-Replayed' in headers));
    const others = responses.filter((response) => !ran.includes(response));
    for (const other of others) {
      if (other.status === 201) expect(other.text).toBe(ran[0]?.text);
      else expect([other.status, other.body.error.code]).toEqual([409, 'request_in_flight']);
    }
    return ran;
  };

  test('of 50 equal requests at once exactly one runs', async () => {
    const tenant = await openTenant();
    const post = poster(tenant);
    const ran = judge(await Promise.all(Array.from({ length: 50 }, () => post())));
    expect(await created(tenant, ran[0]?.body.id)).toEqual(ran.map(({ body }) => body.id));
    expect(ran).toHaveLength(1);
  });

  test('of 20 retries at once of a dead process exactly one runs', async () => {
    const tenant = await openTenant();
    const post = poster(tenant);
    const { standstill, dead } = await stoppedAtCommit(post);
    const ran = judge(await Promise.all(Array.from({ length: 20 }, () => post())));
    expect(await created(tenant, ran[0]?.body.id)).toEqual(ran.map(({ body }) => body.id));
    expect(ran).toHaveLength(1);
    standstill.fail();
    expect(await dead).toMatchObject({ status: 201, text: ran[0]?.text });
  });
});

test('of 20 different requests with one key at once exactly one runs, and the others are told', async () => {
  const { key } = await createTenant(world);
  const body = sampleBody(routeOf('createExpense'));
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      send(world, routeOf('createExpense'), { key, body: { ...body, amount: i + 1 }, headers: { 'Idempotency-Key': 'k' } }),
    ),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(422)]);
});
