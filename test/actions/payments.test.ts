import { beforeAll, describe, expect, test } from '@jest/globals';
import { paymentStatuses } from '../../shared/domain/enumerations.ts';
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
const stored = (id: string) => dashboard.services.store.payments.get(account, id);

describe('payment.create', () => {
  test('payment.create returns the payment in the shape of its events, with calculated amounts', async () => {
    const made = await create({
      tip_amount: 2.5,
      fee_amount: 0.505,
      description: ' <b>tip</b> ',
      method_details: { brand: 'visa', last4: '4242' },
    });
    expect(made).toEqual({
      id: expect.stringMatching(/^pay_/),
      order_id: null,
      customer_id: null,
      schedule_id: null,
      amount: 40,
      tip_amount: 2.5,
      total_amount: 42.5,
      fee_amount: 0.51,
      net_amount: 41.99,
      type: 'payment',
      source: 'dashboard',
      method: 'card',
      status: 'completed',
      previous_status: null,
      method_details: { brand: 'visa', last4: '4242', wallet_type: null },
      gateway: null,
      original_payment_id: null,
      refunded_amount: 0,
      description: '<b>tip</b>',
      created_at: isoNow(),
      completed_at: isoNow(),
    });
    expect(await stored(made['id'])).toMatchObject({ revision: 1, record: { id: made['id'], emits_on_create: true } });
  });

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

  test.each([
    ['amount', { amount: 0.004 }],
    ['amount', { amount: '5' }],
    ['amount', { amount: undefined }],
    ['status', { status: 'paid' }],
    ['tip_amount', { tip_amount: -1 }],
    ['fee_amount', { fee_amount: 'free' }],
    ['gateway.provider', { gateway: { provider: 7 } }],
  ])('payment.create rejects an invalid %s: %j', async (field, input) => {
    expect(await dashboard.errorOf('payment.create', account, { ...least, ...input })).toMatchObject({
      status: 400,
      code: 'invalid_value',
      field,
    });
  });
});

describe('payment.set_status', () => {
  test('payment.set_status stores the status, the previous status and the time of completion', async () => {
    const { id } = await create({ status: 'pending' });
    dashboard.clock.advance(1_000);
    const completed_at = isoNow();
    const input = { id, status: 'completed' };
    expect(await dashboard.act('payment.set_status', account, input)).toMatchObject({
      status: 'completed',
      previous_status: 'pending',
      completed_at,
    });
    dashboard.clock.advance(1_000);
    expect(await dashboard.act('payment.set_status', account, { id, status: 'approved' })).toMatchObject({
      status: 'approved',
      previous_status: 'completed',
      completed_at,
    });
  });

  test('payment.set_status also writes if the status stays the same', async () => {
    const { id } = await create();
    expect(await dashboard.act('payment.set_status', account, { id, status: 'completed' })).toMatchObject({ previous_status: 'completed' });
    expect((await stored(id))?.revision).toBe(2);
  });

  test('payment.set_status rejects an unknown status', async () => {
    const { id } = await create();
    expect(await dashboard.errorOf('payment.set_status', account, { id, status: 'lost' })).toMatchObject({ status: 400, field: 'status' });
  });
});

test.each(paymentStatuses)('payment.void voids a payment with status %s and returns the previous status', async (status) => {
  const { id } = await create({ status });
  expect(await dashboard.act('payment.void', account, { id })).toMatchObject({ status: 'voided', previous_status: status });
});

describe('payment.correct_amount', () => {
  test('payment.correct_amount fails below the refunded amount', async () => {
    const { id } = await create();
    await dashboard.act('payment.refund', account, { id, amount: 30 });
    expect(await dashboard.errorOf('payment.correct_amount', account, { id, amount: 29.99 })).toMatchObject({
      status: 400,
      field: 'amount',
    });
    expect(await dashboard.act('payment.correct_amount', account, { id, amount: 30 })).toMatchObject({ amount: 30, refunded_amount: 30 });
  });

  test.each([[0], [-1], ['5'], [null]])('payment.correct_amount rejects the amount %j', async (amount) => {
    const { id } = await create();
    expect(await dashboard.errorOf('payment.correct_amount', account, { id, amount })).toMatchObject({ status: 400, field: 'amount' });
  });
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
