import { beforeEach, describe, expect, test } from '@jest/globals';
import { approveCard } from '../checkout-page/page.ts';
import { failWritesAfter, isWrite } from '../support/faults.ts';
import { keysContaining } from '../support/person.ts';
import { shared } from '../support/shared.ts';
import type { WireCall } from '../support/wire.ts';
import { openBakery, startBakeries } from './bakery.ts';
import { itemsOf, keysOf, openCarts, readsSessions, tombstoneOf, tracesOf } from './erasing.ts';

const service = shared(startBakeries);
beforeEach(async () => {
  service.world.wire.intercept(undefined);
  await service.pipeline.clear();
});

interface Scene {
  readonly erase: () => Promise<Record<string, any>>;
  /** Returns what an erasure that is complete has removed. */
  readonly remaining: () => Promise<readonly string[]>;
}

const scenes = {
  async 'an account'() {
    const { account } = await openBakery(service);
    const remaining = async () => (await keysOf(service, account)).filter((key) => !tombstoneOf(account).includes(key));
    return { erase: () => service.act('account.erase', account), remaining };
  },
  async 'a customer'() {
    const { account, customer } = await openBakery(service);
    return { erase: () => service.act('customer.erase', account, { id: customer }), remaining: () => tracesOf(service, account) };
  },
  async 'a customer whose carts are paid after the first call'() {
    const { account, carts, erase } = await openCarts(service);
    service.world.wire.intercept(failWritesAfter(0, readsSessions));
    await expect(erase()).rejects.toThrow();
    service.world.wire.intercept(undefined);
    for (const cart of carts) await cart.pay(approveCard);
    return { erase, remaining: () => tracesOf(service, account) };
  },
} satisfies Record<string, () => Promise<Scene>>;
const ofAccountOrCustomer = (['an account', 'a customer'] as const).map((what) => [what, scenes[what]] as const);

describe('an erasure that is cut short', () => {
  test.each(Object.entries(scenes))('the erasure of %s is completed by the next call, whichever write it died at', async (_, open) => {
    const { erase, remaining } = await open();
    let cuts = 0;
    for (let erased = false; !erased; cuts++) {
      service.world.wire.intercept(failWritesAfter(cuts));
      erased = await erase().then(
        (result) => result['erased'],
        () => false,
      );
    }
    service.world.wire.intercept(undefined);
    expect(cuts).toBeGreaterThan(5);
    expect(await remaining()).toEqual([]);
  });

  test.each(ofAccountOrCustomer)(
    'the erasure of %s says that it is incomplete if time runs out, and the next call continues',
    async (_, open) => {
      const { erase, remaining } = await open();
      service.world.wire.intercept(async (_call, send) => {
        service.world.clock.advance(1_000);
        return await send();
      });
      const outcomes: boolean[] = [];
      while (!outcomes.at(-1) && outcomes.length < 20) outcomes.push((await erase())['erased']);
      service.world.wire.intercept(undefined);
      expect(outcomes.length).toBeGreaterThan(1);
      expect(outcomes).toEqual([...Array(outcomes.length - 1).fill(false), true]);
      expect(await remaining()).toEqual([]);
    },
  );

  test('the erasure of a customer that is cut short between pages of one record continues at the next page', async () => {
    const { erase, remaining } = await scenes['a customer']();
    await service.pipeline.drain();
    service.world.wire.intercept(async ({ operation, input }, send) => {
      if (operation === 'Query') Object.assign(input, { Limit: 1 });
      service.world.clock.advance(4_000);
      return await send();
    });
    let [calls, erased] = [0, false];
    for (; calls < 50 && !erased; calls++) erased = (await erase())['erased'];
    service.world.wire.intercept(undefined);
    expect([erased, calls > 5]).toEqual([true, true]);
    expect(await remaining()).toEqual([]);
  });

  test.each(ofAccountOrCustomer)(
    'the erasure of %s is completed by the sweep if its function died after the first write',
    async (_, open) => {
      const { erase, remaining } = await open();
      service.world.wire.intercept(failWritesAfter(1));
      await expect(erase()).rejects.toThrow();
      service.world.wire.intercept(undefined);
      service.world.clock.advance(15 * 60_000 + 1);
      await service.pipeline.sweep();
      await service.pipeline.drain();
      expect(await remaining()).toEqual([]);
    },
  );
});

const email = 'moved@example.com';
const texts = ['from the first account', 'from the second account'];

/** Opens a bakery with an order of a former customer, who gave its email to another: the heir. */
const openWithHeir = async () => {
  const { account, call } = await openBakery(service);
  const items = [{ name: 'Cake', quantity: 1, unit_price: 9 }];
  const payments = [{ amount: 5, method: 'card', status: 'completed', description: texts[0] }];
  const { body: order } = await call('POST', '/orders', { customer: { last_name: 'Former', email }, items, payments, emit_webhooks: true });
  const second = { order_id: order.id, amount: 4, method: 'card', status: 'completed', description: texts[1] };
  await service.act('payment.create', account, second);
  await service.act('customer.update', account, { id: order.customer_id, email: null });
  const { body: heir } = await call('POST', '/customers', { last_name: 'Heir', email });
  const kinds = async () => {
    await service.pipeline.drain();
    const keys = keysContaining(await itemsOf(service, account), texts);
    return [...new Set(keys.map((key) => key.split('#')[0]))].sort();
  };
  return { kinds, erase: () => service.act('customer.erase', account, { id: heir.id }) };
};
const changesOrder = (call: WireCall): boolean => isWrite(call) && /"(ord|pay)#/.test(JSON.stringify(call.input));

test("customer.erase empties the payments of another customer's order with the email, whichever write of them its first call died at", async () => {
  let cuts = 0;
  for (let erased = false; !erased; cuts++) {
    const { kinds, erase } = await openWithHeir();
    expect(await kinds()).toEqual(['dlv', 'idm', 'pay']);
    service.world.wire.intercept(failWritesAfter(cuts, changesOrder));
    const first = await erase().catch(() => undefined);
    service.world.wire.intercept(undefined);
    if (first) expect(first).toMatchObject({ erased: true, orders: 1, payments: 2 });
    else await erase();
    expect({ cuts, remaining: await kinds() }).toEqual({ cuts, remaining: [] });
    erased = first !== undefined;
  }
  expect(cuts).toBeGreaterThan(2);
});
