import { beforeEach, describe, expect, test } from '@jest/globals';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';
import { type OrderingShop, openShop } from './shop.ts';

const world = shared(startWorld);
let shop: OrderingShop;
beforeEach(async () => {
  shop = await openShop(world);
});

const created = async (fields: object) => {
  const { status, body } = await shop.post(fields);
  expect([status, body.error]).toEqual([201, undefined]);
  return body;
};

describe('payments in POST /orders', () => {
  const paymentsOf = async (fields: object) => (await shop.get(`/orders/${(await created(fields)).id}`)).body.payments;

  test('payments in POST /orders have exactly the documented fields, in the order of the body', async () => {
    const payments = [
      {
        amount: 10,
        method: 'card',
        status: 'approved',
        tip_amount: 1.5,
        fee_amount: 0.3,
        description: 'Deposit',
        method_details: { brand: 'visa', last4: '4242', pan: '4242424242424242' },
        gateway: { provider: 'stripe', transaction_id: 'ch_1' },
      },
      { amount: 30 },
    ];
    const customer = { email: 'ada@example.com' };
    const [first, second] = await paymentsOf({ payments, customer });
    expect(first).toEqual({
      id: expect.stringMatching(/^pay_/),
      order_id: expect.stringMatching(/^ord_/),
      customer_id: expect.stringMatching(/^cus_/),
      schedule_id: null,
      amount: 10,
      tip_amount: 1.5,
      total_amount: 11.5,
      fee_amount: 0.3,
      net_amount: 11.2,
      type: 'payment',
      source: 'api',
      method: 'card',
      status: 'approved',
      previous_status: null,
      method_details: { brand: 'visa', last4: '4242', wallet_type: null },
      gateway: { provider: 'stripe', transaction_id: 'ch_1' },
      original_payment_id: null,
      refunded_amount: 0,
      description: 'Deposit',
      created_at: '2026-03-10T09:00:00.000Z',
      completed_at: '2026-03-10T09:00:00.000Z',
    });
    expect(second).toMatchObject({ amount: 30, method: 'other', status: 'completed', method_details: null, gateway: null });
  });

  test('payments in POST /orders accept every method; an unknown one becomes `other`', async () => {
    const known = [
      'card',
      'credit_card',
      'bank_transfer',
      'wire_transfer',
      'cash',
      'check',
      'cheque',
      'paypal',
      'apple_pay',
      'google_pay',
    ].concat(['afterpay', 'klarna', 'store_credit', 'imported', 'other']);
    const unknown = ['bitcoin', '', 5, {}, null];
    const rows = [...known, ...unknown].map((method) => ({ amount: 1, method }));
    const stored = await paymentsOf({ payments: rows });
    expect(stored.map(({ method }: { method: string }) => method)).toEqual([...known, ...unknown.map(() => 'other')]);
    expect((await paymentsOf({ payments: [{ amount: 1, method: 'x'.repeat(500) }] }))[0]).toMatchObject({ method: 'other' });
  });

  test('payments in POST /orders have no completed_at if they are not completed, and may exceed the total', async () => {
    expect(await paymentsOf({ payments: [{ amount: 4_000, status: 'pending' }] })).toMatchObject([
      { amount: 4_000, status: 'pending', completed_at: null },
    ]);
  });

  test('POST /orders accepts 20 payments', async () => {
    expect(await paymentsOf({ payments: Array(20).fill({ amount: 1 }) })).toHaveLength(20);
  });
});
