import { describe, expect, test } from '@jest/globals';
import { randomId } from '../../shared/core/ids.ts';
import type { Account } from '../../shared/domain/account/record.ts';
import type { Order } from '../../shared/domain/order/fields.ts';
import { orderMonth } from '../../shared/domain/order/rules.ts';
import type { ListQuery } from '../../shared/table/lists.ts';
import { newOrderWrites } from '../../shared/table/orders.ts';
import type { ListPosition } from '../../shared/table/page.ts';
import { customerOf, orderOf, paymentOf, writeCustomer } from '../support/shop.ts';
import type { Bench } from './engines.ts';

export const orderSuite = (bench: () => Bench): void => {
  describe('orders and customers', () => {
    const shop = (order_limit: number | null = null) => {
      const { store, clock } = bench();
      const account = { id: randomId('acct', clock.now()), currency: 'USD', order_limit } as Account;
      const placeOrder = async (fields: Partial<Order> = {}, customer: Parameters<typeof newOrderWrites>[2]['customer'] = null) => {
        const order = orderOf(clock.now(), fields, customer?.record);
        const payments = [paymentOf(clock.now(), { order_id: order.id })];
        await store.commit(newOrderWrites(store, account, { order, payments, customer }));
        return order;
      };
      return { store, clock, account, placeOrder };
    };

    const readAll = async (account: string, query: ListQuery<'order'>, limit: number): Promise<string[]> => {
      const found: string[] = [];
      for (let after: ListPosition | undefined; ; ) {
        const page = await bench().store.orders.list(account, query, { limit, ...(after ? { after } : {}) });
        found.push(...page.records.map(({ id }) => id.slice('ord_'.length)));
        if (!page.next) return found;
        after = page.next;
      }
    };

    test('an order, its payments, its new customer and the count are committed together', async () => {
      const { store, clock, account, placeOrder } = shop(9);
      const record = customerOf(clock.now(), { email: 'Ada@Example.com' });
      const order = await placeOrder({}, { record, isNew: true });
      expect(await store.orders.get(account.id, order.id)).toEqual({ record: order, revision: 1 });
      expect(await store.payments.ofOrder(account.id, order.id)).toHaveLength(1);
      expect(await store.customers.findByEmail(account.id, 'aDA@example.com')).toBe(record.id);
      expect(await store.counters.ordersIn(account.id, orderMonth(clock.now()))).toBe(1);
      const totals = { total_orders: 1, total_spent: 40, last_order_date: order.created_at };
      expect(await store.customers.get(account.id, record.id)).toEqual({ record: { ...record, ...totals }, revision: 1 });
    });

    test('totals add up exactly in decimals, without a new revision', async () => {
      const { store, account, placeOrder } = shop();
      const record = await writeCustomer(bench(), account.id);
      for (const total of [0.1, 0.2]) await placeOrder({ total }, { record, isNew: false });
      const stored = await store.customers.get(account.id, record.id);
      expect([stored?.record.total_orders, stored?.record.total_spent, stored?.revision]).toEqual([2, 0.3, 1]);
    });

    test('nothing of an order is stored if the email is taken or the customer is gone', async () => {
      const { store, clock, account, placeOrder } = shop(9);
      const { email } = await writeCustomer(bench(), account.id, { email: 'ada@example.com' });
      const rival = customerOf(clock.now(), { email });
      await expect(placeOrder({}, { record: rival, isNew: true })).rejects.toMatchObject({ name: 'ApiError', code: 'conflict' });
      await expect(placeOrder({}, { record: rival, isNew: false })).rejects.toMatchObject({ code: 'conflict' });
      expect((await store.orders.list(account.id, { sort: 'createdAt' }, { limit: 9 })).records).toEqual([]);
      expect(await store.counters.ordersIn(account.id, orderMonth(clock.now()))).toBe(0);
    });

    test.each([0, 1, 3])('a limit of %d accepts that many orders, and returns its count', async (limit) => {
      const { placeOrder } = shop(limit);
      for (let i = 0; i < limit; i++) await placeOrder();
      const extra = { limit: 'orders_per_month', current: limit, max: limit };
      await expect(placeOrder()).rejects.toMatchObject({ code: 'limit_reached', details: { extra } });
    });

    test('order numbers increase', async () => {
      const { store, account } = shop();
      const numbers = await Promise.all(Array.from({ length: 9 }, () => store.counters.nextOrderNumber(account.id)));
      expect(numbers.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    });

    test.each<[string, ListQuery<'order'>, string]>([
      ['one status', { sort: 'createdAt', where: { status: ['ready'] } }, '741'],
      ['several statuses', { sort: 'createdAt', where: { status: ['ready', 'pending', 'draft'] } }, '764310'],
      [
        'several statuses in a range',
        { sort: 'createdAt', where: { status: ['ready', 'pending'] }, from: '2026-01-04', to: '2026-01-07T00:00:00.000Z' },
        '643',
      ],
      ['by delivery date, those without one last', { sort: 'deliveryDate' }, '75316420'],
      ['two filters', { sort: 'updatedAt', where: { customer_id: ['cus_1'], status: ['ready'] } }, '71'],
    ])('orders and customers pages of every size have the same list: %s', async (_, query, expected) => {
      const { account, placeOrder } = shop();
      for (let i = 0; i < 8; i++) {
        const created_at = `2026-01-0${i + 1}T00:00:00.000Z`;
        const status = ['pending', 'ready', 'cancelled'][i % 3] as string;
        const customer_id = i % 2 === 1 ? 'cus_1' : null;
        const delivery_date = i % 2 === 1 ? `2026-02-0${i}` : null;
        await placeOrder({ id: `ord_${i}`, created_at, updated_at: created_at, status, customer_id, delivery_date });
      }
      for (const limit of [1, 2, 3, 8]) {
        expect((await readAll(account.id, query, limit)).join('')).toBe(expected);
      }
    });
  });
};
