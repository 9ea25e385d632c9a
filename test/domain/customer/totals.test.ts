import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { countOrder } from '../../../shared/domain/customer/rules.ts';
import { orderStatuses } from '../../../shared/domain/enumerations.ts';
import type { Order } from '../../../shared/domain/order/fields.ts';
import { customerOf, orderOf } from '../../support/shop.ts';

const at = '2026-03-10T09:00:00.000Z';
const order = orderOf(0, { total: 40 }, customerOf(0));
const foreign = { ...order, currency: 'EUR', counted: 0 };

test('an order without a customer counts nothing, and another total counts exactly by its difference', () => {
  expect(countOrder(undefined, { ...order, customer_id: null }, 'USD')).toEqual({ order: { ...order, customer_id: null, counted: null } });
  expect(countOrder(order, { ...order, total: 40.1 }, 'USD').delta).toEqual({ orders: 0, spent: 0.1 });
});

test.each<[string, Order, object, object | undefined]>([
  ['a cancellation subtracts what was counted in dollars', order, { status: 'cancelled' }, { orders: -1, spent: -40 }],
  [
    'a cancellation subtracts nothing of an order that was not counted in dollars',
    foreign,
    { status: 'cancelled' },
    { orders: -1, spent: 0 },
  ],
  ['another status changes nothing', order, { status: 'ready' }, undefined],
  ['another status adds nothing that was not counted', foreign, { status: 'ready' }, undefined],
  ['another total in dollars subtracts the counted one', order, { total: 50 }, { orders: 0, spent: -40 }],
  ['another total in euros is added whole', foreign, { total: 50 }, { orders: 0, spent: 50 }],
])("after the account's currency changed from dollars to euros, %s", (_name, before, changes, delta) => {
  expect(countOrder(before, { ...before, ...changes }, 'EUR').delta).toEqual(delta);
});

test('total_spent stays 0 if the account has no currency', () => {
  expect(countOrder(undefined, order, null).delta).toEqual({ orders: 1, spent: 0 });
});

const change = fc.record(
  {
    status: fc.constantFrom(...orderStatuses),
    deleted_at: fc.constantFrom(null, at),
    total: fc.integer({ min: 0, max: 1_000_000 }).map((cents) => cents / 100),
  },
  { requiredKeys: [] },
);
const step = fc.record({ position: fc.nat(3), change, accountCurrency: fc.constantFrom('USD', 'EUR', null) });
const currencies = fc.array(fc.constantFrom('USD', 'EUR'), { minLength: 4, maxLength: 4 });

test('totals equal the sum of the counted orders after any changes, and are never negative', () => {
  fc.assert(
    fc.property(currencies, fc.array(step, { maxLength: 40 }), (of, steps) => {
      const orders: (Order | undefined)[] = of.map(() => undefined);
      let [count, cents] = [0, 0];
      for (const { position, change: changes, accountCurrency } of steps) {
        const before = orders[position];
        const after = { ...(before ?? { ...order, currency: of[position] ?? 'USD', counted: null }), ...changes };
        const { order: stored, delta } = countOrder(before, after, accountCurrency);
        orders[position] = stored;
        count += delta?.orders ?? 0;
        cents += Math.round((delta?.spent ?? 0) * 100);
        const counted = orders.filter((one) => one !== undefined && one.status !== 'cancelled' && one.deleted_at === null);
        expect(count).toBe(counted.length);
        expect(cents).toBe(counted.reduce((sum, one) => sum + Math.round((one?.counted ?? 0) * 100), 0));
        expect(cents).toBeGreaterThanOrEqual(0);
        expect([null, 0, stored.total]).toContain(stored.counted);
      }
    }),
  );
});

test("totals equal the valid orders in the account's currency if that stays", () => {
  fc.assert(
    fc.property(fc.constantFrom('USD', 'EUR'), fc.array(change, { minLength: 1, maxLength: 12 }), (currency, changes) => {
      let before: Order | undefined;
      let cents = 0;
      for (const fields of changes) {
        const { order: stored, delta } = countOrder(before, { ...(before ?? { ...order, currency, counted: null }), ...fields }, 'USD');
        before = stored;
        cents += Math.round((delta?.spent ?? 0) * 100);
      }
      const stands = before !== undefined && before.status !== 'cancelled' && before.deleted_at === null;
      expect(cents).toBe(stands && currency === 'USD' ? Math.round((before?.total ?? 0) * 100) : 0);
    }),
  );
});
