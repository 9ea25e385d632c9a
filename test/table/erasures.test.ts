import { expect, test } from '@jest/globals';
import { randomId } from '../../shared/core/ids.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { shared } from '../support/shared.ts';
import { paymentOf } from '../support/shop.ts';
import { startWorld } from '../support/world.ts';

const world = shared(startWorld);

/** A payment's payer after an erasure. */
const erasedPayment = { description: null, method_details: null };

test('an erasure begins once, continues, and never goes back once it has ended', async () => {
  const { store } = world;
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

test("removing a payment's payer emits no event, and makes an earlier pending save fail", async () => {
  const { store } = world;
  const account = randomId('acct', 0);
  const payment = paymentOf(0, { description: 'Ada', method_details: { brand: 'visa', last4: '4242', wallet_type: null } });
  await store.commit(store.payments.createWrites(account, payment));
  const before = await store.payments.get(account, payment.id);
  if (!before) throw new Error('The payment is not stored.');
  await store.commit([store.payments.erasePayerWrite(account, payment)]);
  const after = await store.payments.get(account, payment.id);
  expect(after).toEqual({ revision: before.revision, record: { ...payment, ...erasedPayment } });
  await expect(store.commit([store.payments.replaceWrite(account, before.record, before)])).rejects.toMatchObject({
    code: 'conflict',
  });
  await store.commit([store.payments.replaceWrite(account, { ...payment, ...erasedPayment, status: 'voided' }, before)]);
});
