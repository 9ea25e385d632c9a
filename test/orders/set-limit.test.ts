import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { ActionServices } from '../../functions/actions/action.ts';
import { actions } from '../../functions/actions/app.ts';
import { randomId } from '../../shared/core/ids.ts';
import { orderMonth } from '../../shared/domain/order/record.ts';
import { context } from '../support/context.ts';
import { standstillAt } from '../support/faults.ts';
import { startWorld, type TestResponse, type World } from '../support/world.ts';
import { type OrderingShop, openShop } from './shop.ts';

let world: World;
let act: (action: string, account: string, input: object) => Promise<unknown>;
beforeAll(async () => {
  world = await startWorld();
  const { store, clock } = world;
  const call = actions({ region: 'us', store, clock, random: world.random, newId: randomId, log: () => {} } as unknown as ActionServices);
  act = async (action, account, input) => {
    const answer = await call({ action, account, input }, context);
    if (!answer.ok) throw new Error(`${action} was refused: ${JSON.stringify(answer.body)}`);
    return answer.result;
  };
});
afterEach(() => world.wire.intercept(undefined));
afterAll(() => world.stop());

const setLimit = (shop: OrderingShop, order_limit: number | null) => act('account.update', shop.account, { order_limit });
const made = (responses: readonly TestResponse[]): number => responses.filter(({ status }) => status === 201).length;
const place = async (shop: OrderingShop, count: number): Promise<number> =>
  made(await Promise.all(Array.from({ length: count }, () => shop.post())));
const countOf = ({ account }: OrderingShop): Promise<number> => world.store.counters.ordersIn(account, orderMonth(world.clock.now()));
const remove = async ({ account }: OrderingShop, id: string): Promise<void> => {
  await act('order.delete', account, { id });
};
/** Returns the index of an operation's last call among the calls of an order with a known key. */
const lastOf = (operation: string): number => world.wire.calls.findLastIndex((call) => call.operation === operation);
/** Expects an account without a limit, or one whose limit accepts exactly this many more orders. */
const expectExact = async (shop: OrderingShop, limit: number, total: number): Promise<void> => {
  expect([await countOf(shop), await place(shop, limit - total + 3)]).toEqual([total, Math.max(0, limit - total)]);
};

describe('a limit that is set', () => {
  test("counts this month's orders, including deleted ones, and no others", async () => {
    const shop = await openShop(world);
    await place(shop, 3);
    world.clock.advance(Date.parse('2026-04-01') - world.clock.now());
    const [{ body }] = [await shop.post()];
    await remove(shop, body.id);
    await place(shop, 3);
    await setLimit(shop, 6);
    await expectExact(shop, 6, 4);
  });

  test('can be removed before the first order and set again', async () => {
    const shop = await openShop(world);
    for (const limit of [1, null, 2, null, 3]) await setLimit(shop, limit);
    await expectExact(shop, 3, 0);
  });

  test('applies from the first order if the account is created with it', async () => {
    const shop = await openShop(world, { order_limit: 2 });
    expect([await place(shop, 5), await countOf(shop)]).toEqual([2, 2]);
  });

  test('can be set, changed and removed before the first order', async () => {
    const shop = await openShop(world);
    for (const limit of [1, 2, null]) await setLimit(shop, limit);
    expect(await place(shop, 3)).toBe(3);
    await setLimit(shop, 4);
    await expectExact(shop, 4, 3);
  });

  test('below the present count rejects every order until the next month', async () => {
    const shop = await openShop(world);
    await place(shop, 3);
    await setLimit(shop, 2);
    const { status, body } = await shop.post();
    expect([status, body.error]).toMatchObject([403, { code: 'limit_reached', current: 3, max: 2 }]);
    world.clock.advance(Date.parse('2026-05-01') - world.clock.now());
    await expectExact(shop, 2, 0);
  });

  test('is exact after it was removed and orders were made without counting', async () => {
    const shop = await openShop(world, { order_limit: 2 });
    expect(await place(shop, 3)).toBe(2);
    await setLimit(shop, null);
    world.wire.reset();
    expect(await place(shop, 2)).toBe(2);
    expect(JSON.stringify(world.wire.calls.map(({ input }) => input))).not.toContain('orders_2');
    await setLimit(shop, 5);
    await setLimit(shop, 6);
    await expectExact(shop, 6, 4);
  });

  test('waits for a running order that has its number and is not stored yet', async () => {
    const shop = await openShop(world);
    await place(shop, 2);
    world.wire.reset();
    await shop.post();
    const standstill = standstillAt(world.wire, lastOf('PutItem'), 'before');
    const slow = shop.post();
    await standstill.reached;
    const paused: number[] = [];
    const startMs = world.clock.now();
    const set = setLimit(shop, 5).then(() => paused.push(world.clock.now() - startMs));
    // The clock moves with every pause of the waiting action.
    while (world.clock.now() - startMs < 2_000) await new Promise((resolve) => setImmediate(resolve));
    expect((await world.store.accounts.get(shop.account))?.order_limit).toBeNull();
    standstill.goOn();
    expect((await slow).status).toBe(201);
    await set;
    expect(paused[0]).toBeLessThan(35_000);
    await expectExact(shop, 5, 4);
  });

  test('waits for a number without an order for at most the time of a request', async () => {
    const shop = await openShop(world);
    await place(shop, 2);
    await world.store.counters.nextOrderNumber(shop.account);
    const startMs = world.clock.now();
    await setLimit(shop, 3);
    expect(world.clock.now() - startMs).toBe(35_000);
    await setLimit(shop, null);
    await world.store.counters.nextOrderNumber(shop.account);
    world.clock.advance(35_000);
    const laterMs = world.clock.now();
    await setLimit(shop, 3);
    expect(world.clock.now()).toBe(laterMs);
    await expectExact(shop, 3, 2);
  });

  test('does not wait for an order that lost to another with its Idempotency-Key or its customer', async () => {
    const shop = await openShop(world);
    const atOnce = (body: object, headers: Readonly<Record<string, string>> = {}) =>
      Promise.all(Array.from({ length: 5 }, () => shop.post(body, { headers })));
    expect(made(await atOnce({}, { 'Idempotency-Key': 'k' }))).toBe(5);
    expect(made(await atOnce({ customer: { email: 'ada@example.com' } }))).toBe(5);
    const { body } = await shop.post();
    expect(body.order_number).toBeGreaterThan(7);
    const startMs = world.clock.now();
    await setLimit(shop, 9);
    expect(world.clock.now()).toBe(startMs);
    await expectExact(shop, 9, 7);
  });

  test('does not wait for an order that an earlier limit rejected, and rejects late orders of that limit', async () => {
    const shop = await openShop(world, { order_limit: 2 });
    expect(await place(shop, 4)).toBe(2);
    world.wire.reset();
    expect((await shop.post()).status).toBe(403);
    const standstill = standstillAt(world.wire, lastOf('TransactWriteItems'), 'before');
    const late = shop.post();
    await standstill.reached;
    await setLimit(shop, null);
    expect(await place(shop, 1)).toBe(1);
    standstill.goOn();
    expect((await late).status).toBe(201);
    const startMs = world.clock.now();
    await setLimit(shop, 5);
    expect(world.clock.now()).toBe(startMs);
    await expectExact(shop, 5, 4);
  });

  test("applies to an order even if the order's account was read before", async () => {
    const shop = await openShop(world);
    await place(shop, 1);
    world.wire.reset();
    await place(shop, 1);
    const standstill = standstillAt(world.wire, lastOf('UpdateItem'), 'before');
    const late = shop.post();
    await standstill.reached;
    await setLimit(shop, 2);
    standstill.goOn();
    expect((await late).body.error.code).toBe('limit_reached');
  });
});

describe('account.update that dies while it sets a limit', () => {
  const callsOf = async (): Promise<number> => {
    const shop = await openShop(world);
    await place(shop, 2);
    world.wire.reset();
    await setLimit(shop, 4);
    return world.wire.calls.length;
  };

  test.each(['before', 'after'] as const)(
    'at any call, %s the call takes effect, leaves no limit or an exact one, and a repeated call makes it exact',
    async (moment) => {
      const calls = await callsOf();
      for (let index = 0; index < calls; index++) {
        const shop = await openShop(world);
        await place(shop, 2);
        const standstill = standstillAt(world.wire, index, moment);
        const dead = setLimit(shop, 4).catch(() => undefined);
        await standstill.reached;
        const limit = (await world.store.accounts.get(shop.account))?.order_limit;
        if (limit === null) expect(await place(shop, 1)).toBe(1);
        else expect([limit, await countOf(shop), await place(shop, 1)]).toEqual([4, 2, 1]);
        await setLimit(shop, 4);
        await expectExact(shop, 4, 3);
        standstill.fail();
        await dead;
        expect([await countOf(shop), await place(shop, 1)]).toEqual([4, 0]);
      }
    },
  );
});

test('simultaneous orders and changes of the limit leave an exact count', async () => {
  for (let round = 0; round < 6; round++) {
    const shop = await openShop(world);
    const limits = [7, null, 9, 8];
    const changes = limits.map(async (limit, i) => {
      for (let turn = 0; turn < i * 20; turn++) await new Promise((resolve) => setImmediate(resolve));
      await setLimit(shop, limit);
    });
    await Promise.all([...changes, place(shop, 12)]);
    await setLimit(shop, 20);
    const total = (await shop.ids('limit=100')).length;
    await expectExact(shop, 20, total);
  }
});
