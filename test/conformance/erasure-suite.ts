import { describe, expect, test } from '@jest/globals';
import { randomId } from '../../shared/core/ids.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { withoutErased } from '../../shared/table/stored-body.ts';
import { customerOf, paymentOf } from '../support/shop.ts';
import type { Bench } from './engines.ts';

const at = '2026-01-01T00:00:00.000Z';
const gone = () => new Error('gone');

/** A payment's payer after an erasure. */
const erasedPayment = { description: null, method_details: null };

export const erasureSuite = (bench: () => Bench): void => {
  describe('erasure', () => {
    test("an account's items can be read page by page while items are removed, and removed twice", async () => {
      const { store } = bench();
      const account = randomId('acct', 0);
      for (let i = 0; i < 5; i++) await store.commit(store.customers.createWrites(account, customerOf(i)));
      const first = await store.accountData.page(account, { kind: 'customer' }, undefined, 2);
      expect([first.items.length, first.next]).toEqual([2, first.items[1]?.['sk']]);
      for (const item of [...first.items, ...first.items]) await store.accountData.remove(item);
      const rest = await store.accountData.page(account, { kind: 'customer' }, first.next);
      expect([rest.items.length, rest.next]).toEqual([3, undefined]);
    });

    test('an event is shown without data of an erased account or customer, and otherwise as stored', async () => {
      const { store } = bench();
      const account = randomId('acct', 0);
      const { erasures } = store;
      const bodyOf = (id: string) =>
        JSON.stringify({ type: 'customer.created', created: 1, data: { object: { id, first_name: 'Ada', tags: [] } } });
      const names = (...customers: string[]) =>
        Promise.all(customers.map(async (id) => JSON.parse(await withoutErased(store, account, bodyOf(id))).data.object.first_name));
      expect(await names('cus_1')).toEqual(['Ada']);
      await store.commit([
        erasures.beginWrite(account, 'cus_1', { person: null, erased_at: at, stage: 0, position: null, counts: {}, held: 0, awaited: [] }),
      ]);
      expect(await names('cus_1', 'cus_2')).toEqual([null, 'Ada']);
      await store.commit([erasures.accountWrite(account, ['whe_1'])]);
      expect(await names('cus_1', 'cus_2')).toEqual([undefined, undefined]);
      expect(await store.accountData.parts(account, 'deliveryRecord')).toEqual([{ kind: 'deliveryRecord', of: 'whe_1' }]);
    });

    test('an erasure begins once, continues, and never goes back once it has ended', async () => {
      const { store } = bench();
      const account = randomId('acct', 0);
      const { erasures } = store;
      const begun = {
        person: { id: 'cus_1', email: null, phone: null, name: 'Ada' },
        erased_at: isoFromMs(Date.now()),
        stage: 0,
        position: null,
        counts: {},
        held: 0,
        awaited: [],
      };
      const currentErasure = () => erasures.get(account, 'cus_1');
      await erasures.proceed(account, 'cus_1', begun);
      expect(await currentErasure()).toBeUndefined();
      await store.commit([erasures.beginWrite(account, 'cus_1', begun)]);
      await expect(store.commit([erasures.beginWrite(account, 'cus_1', begun)])).rejects.toThrow('was changed at the same time');
      await erasures.proceed(account, 'cus_1', { ...begun, stage: 1 });
      expect(await currentErasure()).toEqual({ ...begun, stage: 1 });
      const done = { ...begun, person: null, stage: 2 };
      await erasures.proceed(account, 'cus_1', done);
      await erasures.proceed(account, 'cus_1', { ...begun, stage: 1 });
      await erasures.postpone(account, 'cus_1');
      expect(await currentErasure()).toEqual(done);
      expect((await erasures.due(Number.MAX_SAFE_INTEGER / 1000)).filter((due) => due.account === account)).toEqual([]);
    });

    test('an order counts for a customer until the customer is erased', async () => {
      const { store } = bench();
      const account = randomId('acct', 0);
      const customer = customerOf(0);
      await store.commit(store.customers.createWrites(account, customer));
      const count = (unlessErased?: true) =>
        store.commit([
          store.customers.totalsWrite(account, customer.id, { orders: 1, spent: 5, ...(unlessErased ? { unlessErased } : {}) }, gone),
        ]);
      await count(true);
      const stored = await store.customers.get(account, customer.id);
      if (!stored) throw gone();
      await store.commit(store.customers.replaceWrites(account, stored, { ...stored.record, email: null, erased_at: at }));
      await expect(count(true)).rejects.toThrow('gone');
      await count();
      expect((await store.customers.get(account, customer.id))?.record).toMatchObject({ total_orders: 2, total_spent: 10 });
    });

    test("removing a payment's payer emits no event, and makes an earlier pending save fail", async () => {
      const { store } = bench();
      const account = randomId('acct', 0);
      const payment = paymentOf(0, { description: 'Ada', method_details: { brand: 'visa', last4: '4242', wallet_type: null } });
      await store.commit(store.payments.createWrites(account, payment));
      const before = await store.payments.get(account, payment.id);
      if (!before) throw gone();
      await store.commit([store.payments.erasePayerWrite(account, payment)]);
      const after = await store.payments.get(account, payment.id);
      expect(after).toEqual({ revision: before.revision, record: { ...payment, ...erasedPayment } });
      await expect(store.commit([store.payments.replaceWrite(account, before.record, before)])).rejects.toMatchObject({
        code: 'conflict',
      });
      await store.commit([store.payments.replaceWrite(account, { ...payment, ...erasedPayment, status: 'voided' }, before)]);
    });
  });
};
