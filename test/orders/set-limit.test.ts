import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { ActionServices } from '../../functions/actions/action.ts';
import { actions } from '../../functions/actions/app.ts';
import { randomId } from '../../shared/core/ids.ts';
import { orderMonth } from '../../shared/domain/order/rules.ts';
import { context } from '../support/context.ts';
import { shared } from '../support/shared.ts';
import { startWorld, type TestResponse } from '../support/world.ts';
import { type OrderingShop, openShop } from './shop.ts';

const world = shared(startWorld);
let act: (action: string, account: string, input: object) => Promise<unknown>;
beforeAll(async () => {
  const { store, clock } = world;
  const call = actions({ region: 'us', store, clock, random: world.random, newId: randomId, log: () => {} } as unknown as ActionServices);
  act = async (action, account, input) => {
    const response = await call({ action, account, input }, context);
    if (!response.ok) throw new Error(`${action} was refused: ${JSON.stringify(response.body)}`);
    return response.result;
  };
});
afterEach(() => world.wire.intercept(undefined));

const setLimit = (shop: OrderingShop, order_limit: number | null) => act('account.update', shop.account, { order_limit });
const made = (responses: readonly TestResponse[]): number => responses.filter(({ status }) => status === 201).length;
const placeOrders = async (shop: OrderingShop, count: number): Promise<number> =>
  made(await Promise.all(Array.from({ length: count }, () => shop.post())));
const countOf = ({ account }: OrderingShop): Promise<number> => world.store.counters.ordersIn(account, orderMonth(world.clock.now()));
const remove = async ({ account }: OrderingShop, id: string): Promise<void> => {
  await act('order.delete', account, { id });
};
/** Expects an account without a limit, or with a limit that accepts exactly this many more orders. */
const expectExact = async (shop: OrderingShop, limit: number, total: number): Promise<void> => {
  expect([await countOf(shop), await placeOrders(shop, limit - total + 3)]).toEqual([total, Math.max(0, limit - total)]);
};

describe('a limit that is set', () => {
  test("a new limit counts this month's orders, including deleted ones, and no others", async () => {
    const shop = await openShop(world);
    await placeOrders(shop, 3);
    world.clock.advance(Date.parse('2026-04-01') - world.clock.now());
    const [{ body }] = [await shop.post()];
    await remove(shop, body.id);
    await placeOrders(shop, 3);
    await setLimit(shop, 6);
    await expectExact(shop, 6, 4);
  });

  test('a limit can be removed before the first order and set again', async () => {
    const shop = await openShop(world);
    for (const limit of [1, null, 2, null, 3]) await setLimit(shop, limit);
    await expectExact(shop, 3, 0);
  });

  test('a limit below the present count rejects every order until the next month', async () => {
    const shop = await openShop(world);
    await placeOrders(shop, 3);
    await setLimit(shop, 2);
    const { status, body } = await shop.post();
    expect([status, body.error]).toMatchObject([403, { code: 'limit_reached', current: 3, max: 2 }]);
    world.clock.advance(Date.parse('2026-05-01') - world.clock.now());
    await expectExact(shop, 2, 0);
  });

  test('a limit is exact after it was removed and orders were made without counting', async () => {
    const shop = await openShop(world, { order_limit: 2 });
    expect(await placeOrders(shop, 3)).toBe(2);
    await setLimit(shop, null);
    world.wire.reset();
    expect(await placeOrders(shop, 2)).toBe(2);
    expect(JSON.stringify(world.wire.calls.map(({ input }) => input))).not.toContain('orders_2');
    await setLimit(shop, 5);
    await setLimit(shop, 6);
    await expectExact(shop, 6, 4);
  });
});

test('a limit counts every order that ended before it, and is exact from then on, whatever was made and changed before', async () => {
  const shop = await openShop(world);
  const limits = [7, null, 9, 8, null];
  const changes = limits.map(async (limit, i) => {
    for (let turn = 0; turn < i * 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    await setLimit(shop, limit);
  });
  await Promise.all([...changes, placeOrders(shop, 12)]);
  await setLimit(shop, null);
  await setLimit(shop, 20);
  const total = (await shop.ids('limit=100')).length;
  await expectExact(shop, 20, total);
});

test('simultaneous changes of a limit end with one of them, and with the count of the stored orders', async () => {
  const shop = await openShop(world);
  await placeOrders(shop, 2);
  await Promise.all([4, 5, 6].map((limit) => setLimit(shop, limit)));
  const { order_limit } = (await world.store.accounts.get(shop.account)) ?? {};
  expect([4, 5, 6]).toContain(order_limit);
  await expectExact(shop, order_limit ?? 0, 2);
});

test('a limit that is raised counts an order that is made before any call of the change', async () => {
  const raiseAt = async (index: number) => {
    const shop = await openShop(world, { order_limit: 3 });
    let calls = 0;
    world.wire.intercept(async (_call, send) => {
      if (calls++ === index) {
        world.wire.intercept(undefined);
        await placeOrders(shop, 1);
      }
      return send();
    });
    await setLimit(shop, 4);
    world.wire.intercept(undefined);
    return { shop, isMade: calls > index };
  };
  let index = 0;
  for (let raised = await raiseAt(index); raised.isMade; raised = await raiseAt(++index)) await expectExact(raised.shop, 4, 1);
  expect(index).toBeGreaterThan(1);
});
