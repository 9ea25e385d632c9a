import { beforeAll, describe, expect, test } from '@jest/globals';
import { paymentStatuses } from '../../shared/domain/enumerations.ts';
import { isCommit, runBefore } from '../support/faults.ts';
import { shared } from '../support/shared.ts';
import { paymentOf, writeCustomer, writeOrder } from '../support/shop.ts';
import { startDashboard } from './dashboard.ts';

// Guarantee 8 (docs/guarantees.md)

const dashboard = shared(startDashboard);
let account: string;
beforeAll(async () => {
  account = await dashboard.openAccount();
});

const least = { amount: 40, method: 'card', status: 'completed' };
const isoNow = () => new Date(dashboard.clock.now()).toISOString();
const create = (input: object = {}) => dashboard.act('payment.create', account, { ...least, ...input });

describe('payment.create', () => {
  test("payment.create uses the order's customer unless the call names another", async () => {
    const [customer, other] = [await writeCustomer(dashboard.services, account), await writeCustomer(dashboard.services, account)];
    const order = await writeOrder(dashboard.services, account, {}, customer);
    expect(await create({ order_id: order.id })).toMatchObject({ order_id: order.id, customer_id: customer.id });
    expect(await create({ order_id: order.id, customer_id: other.id })).toMatchObject({ order_id: order.id, customer_id: other.id });
    expect(await create({ customer_id: other.id })).toMatchObject({ order_id: null, customer_id: other.id });
    expect(await dashboard.services.store.payments.ofOrder(account, order.id)).toHaveLength(2);
  });

  test('payment.create rejects an order or a customer that the account does not have', async () => {
    const other = await dashboard.openAccount();
    const order_id = (await writeOrder(dashboard.services, other)).id;
    const customer_id = (await writeCustomer(dashboard.services, other)).id;
    const deleted = await writeOrder(dashboard.services, account, { deleted_at: isoNow() });
    for (const [field, input] of [
      ['order_id', { order_id }],
      ['order_id', { order_id: deleted.id, status: 'pending' }],
      ['customer_id', { customer_id }],
    ] as const)
      expect(await dashboard.errorOf('payment.create', account, { ...least, ...input })).toMatchObject({ status: 400, field });
  });
});

test.each(paymentStatuses)('payment.void voids a payment with status %s and returns the previous status', async (status) => {
  const { id } = await create({ status });
  expect(await dashboard.act('payment.void', account, { id })).toMatchObject({ status: 'voided', previous_status: status });
});

test('a payment that was sent with an order can be changed like any other', async () => {
  const order = await writeOrder(dashboard.services, account);
  const payment = paymentOf(dashboard.clock.now(), { order_id: order.id, emits_on_create: false });
  await dashboard.services.store.commit(dashboard.services.store.payments.createWrites(account, payment));
  await dashboard.act('payment.set_status', account, { id: payment.id, status: 'approved' });
  expect(await dashboard.services.store.payments.ofOrder(account, order.id)).toEqual([
    { ...payment, status: 'approved', previous_status: 'completed', updated_at: isoNow() },
  ]);
});

test.each(['its order', 'the account, without an order'])(
  'payment.refund rounds to whole units if the currency of %s has no smaller unit',
  async (of) => {
    const yen = await dashboard.openAccount({ currency: of === 'its order' ? 'USD' : 'JPY' });
    const order_id = of === 'its order' ? (await writeOrder(dashboard.services, yen, { currency: 'JPY' })).id : null;
    const { id } = await dashboard.act('payment.create', yen, { ...least, order_id });
    expect(await dashboard.act('payment.refund', yen, { id, amount: 1.5 })).toMatchObject({ amount: 2, total_amount: 2 });
    expect((await dashboard.services.store.payments.get(yen, id))?.record.refunded_amount).toBe(2);
  },
);

test('payment.set_status keeps a refund that is committed during its call', async () => {
  const { id } = await create();
  dashboard.wire.intercept(runBefore(isCommit, () => dashboard.act('payment.refund', account, { id, amount: 6 })));
  await dashboard.act('payment.set_status', account, { id, status: 'approved' });
  dashboard.wire.intercept(undefined);
  expect((await dashboard.services.store.payments.get(account, id))?.record).toMatchObject({ status: 'approved', refunded_amount: 6 });
});
