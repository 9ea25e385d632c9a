import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Route } from '../../shared/core/routes.ts';
import { type Standstill, standstillAt } from '../support/faults.ts';
import { createTenant, routeOf, sampleBody, send, type Tenant } from '../support/requests.ts';
import { startWorld, type TestResponse, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterEach(() => world.wire.intercept(undefined));
afterAll(() => world.stop());

const lockMs = 35_000;

/** Every call of a creating request, in the order they are made; the middle three travel together. */
const calls = ['key', 'bucket', 'account', 'lock', 'commit'] as const;
const commit = calls.indexOf('commit');

const creates: readonly (readonly [string, Route, Route])[] = [
  ['POST /expenses', routeOf('createExpense'), routeOf('listExpenses')],
  ['POST /webhooks', routeOf('createWebhook'), routeOf('listWebhooks')],
];

describe.each(creates)('%s', (_, create, list) => {
  const poster = ({ key }: Tenant) => {
    const body = sampleBody(create);
    return () => send(world, create, { key, body, headers: { 'Idempotency-Key': 'k' } });
  };
  const created = async ({ key }: Tenant): Promise<string[]> =>
    (await send(world, list, { key })).body.data.map(({ id }: { id: string }) => id);

  test('makes these calls, and is stopped at each of them below', async () => {
    const post = poster(await createTenant(world));
    world.wire.reset();
    await post();
    expect(world.wire.calls.map(({ operation }) => operation)).toEqual([
      'GetItem',
      'UpdateItem',
      'GetItem',
      'PutItem',
      'TransactWriteItems',
    ]);
  });

  const points = calls.flatMap((call, index) =>
    (['before', 'after'] as const).flatMap((moment) => (['goOn', 'fail'] as const).map((waking) => ({ call, index, moment, waking }))),
  );

  test.each(points)(
    'a process that stops $moment its $call call, and wakes to $waking too late: one record, one stored answer',
    async ({ index, moment, waking }) => {
      const tenant = await createTenant(world);
      const post = poster(tenant);
      const standstill: Standstill = standstillAt(world.wire, index, moment);
      const dead = post();
      await standstill.reached;
      world.clock.advance(lockMs);

      const landed = index === commit && moment === 'after';
      const retry = await post();
      expect([retry.status, retry.headers['Idempotent-Replayed']]).toEqual([201, landed ? 'true' : undefined]);
      const expectOne = async () => {
        expect(await created(tenant)).toEqual([retry.body.id]);
        expect(await post()).toMatchObject({ status: 201, text: retry.text, headers: { 'Idempotent-Replayed': 'true' } });
      };
      await expectOne();

      standstill[waking]();
      const late = await dead;
      if (late.status === 201) expect(late.text).toBe(retry.text);
      await expectOne();
    },
  );

  test('the lock of a dead process holds its key for 35 seconds, and no longer', async () => {
    const tenant = await createTenant(world);
    const post = poster(tenant);
    const standstill = standstillAt(world.wire, commit, 'before');
    const dead = post();
    await standstill.reached;
    world.clock.advance(lockMs - 1);
    const early = await post();
    expect([early.status, early.body]).toEqual([
      409,
      { error: { type: 'idempotency_error', code: 'request_in_flight', message: expect.any(String) } },
    ]);
    world.clock.advance(1);
    expect((await post()).status).toBe(201);
    standstill.goOn();
    expect((await dead).body.error.code).toBe('request_in_flight');
    expect(await created(tenant)).toHaveLength(1);
  });

  test('a process that wakes before anyone has taken its key over still finishes', async () => {
    const tenant = await createTenant(world);
    const post = poster(tenant);
    const standstill = standstillAt(world.wire, commit, 'before');
    const slow = post();
    await standstill.reached;
    world.clock.advance(lockMs * 2);
    standstill.goOn();
    const first = await slow;
    expect(first.status).toBe(201);
    expect(await post()).toMatchObject({ text: first.text, headers: { 'Idempotent-Replayed': 'true' } });
    expect(await created(tenant)).toEqual([first.body.id]);
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
    const tenant = await createTenant(world);
    const post = poster(tenant);
    const ran = judge(await Promise.all(Array.from({ length: 50 }, () => post())));
    expect(await created(tenant)).toEqual(ran.map(({ body }) => body.id));
    expect(ran).toHaveLength(1);
  });

  test('of 20 retries at once of a dead process exactly one runs', async () => {
    const tenant = await createTenant(world);
    const post = poster(tenant);
    const standstill = standstillAt(world.wire, commit, 'before');
    const dead = post();
    await standstill.reached;
    world.clock.advance(lockMs);
    const ran = judge(await Promise.all(Array.from({ length: 20 }, () => post())));
    expect(await created(tenant)).toEqual(ran.map(({ body }) => body.id));
    expect(ran).toHaveLength(1);
    standstill.fail();
    await dead;
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
