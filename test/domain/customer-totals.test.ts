import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { totalsDelta } from '../../shared/domain/customer-totals.ts';
import { orderStatuses } from '../../shared/domain/order.ts';
import { orderOf } from '../support/shop.ts';

const order = orderOf(0, { total: 40 });
const cancelled = { ...order, status: 'cancelled' };
const deleted = { ...order, deleted_at: '2026-03-10T09:00:00.000Z' };

test.each([
  ['a new order counts', undefined, order, { orders: 1, spent: 40 }],
  ['a new order in another currency counts without its total', undefined, { ...order, currency: 'EUR' }, { orders: 1, spent: 0 }],
  ['a new order that is cancelled counts nothing', undefined, cancelled, undefined],
  ['cancelling takes back', order, cancelled, { orders: -1, spent: -40 }],
  ['deleting takes back', order, deleted, { orders: -1, spent: -40 }],
  ['deleting what is cancelled takes back nothing more', cancelled, { ...deleted, status: 'cancelled' }, undefined],
  ['another status moves nothing', order, { ...order, status: 'ready' }, undefined],
  ['a higher total adds the difference', order, { ...order, total: 40.1 }, { orders: 0, spent: 0.1 }],
  ['a lower total takes the difference back', order, { ...order, total: 39.9 }, { orders: 0, spent: -0.1 }],
  ['another total of a cancelled one moves nothing', cancelled, { ...cancelled, total: 50 }, undefined],
])('%s', (_name, before, after, delta) => {
  expect(totalsDelta(before, after, 'USD')).toEqual(delta);
});

test('without a currency of the account nothing is spent', () => {
  expect(totalsDelta(undefined, order, null)).toEqual({ orders: 1, spent: 0 });
});

const state = fc.record({
  status: fc.constantFrom(...orderStatuses),
  deleted_at: fc.constantFrom(null, '2026-03-10T09:00:00.000Z'),
  total: fc.integer({ min: 0, max: 1_000_000 }).map((cents) => cents / 100),
  currency: fc.constantFrom('USD', 'EUR'),
});

test('whatever an order goes through, the totals hold what it counts for in the end', () => {
  fc.assert(
    fc.property(fc.array(state, { minLength: 1, maxLength: 12 }), (states) => {
      let [orders, cents] = [0, 0];
      for (const [i, after] of states.entries()) {
        const delta = totalsDelta(states[i - 1], after, 'USD');
        orders += delta?.orders ?? 0;
        cents += Math.round((delta?.spent ?? 0) * 100);
      }
      const last = states.at(-1);
      const counts = last !== undefined && last.status !== 'cancelled' && last.deleted_at === null;
      expect([orders, cents]).toEqual([counts ? 1 : 0, counts && last.currency === 'USD' ? Math.round(last.total * 100) : 0]);
    }),
  );
});
