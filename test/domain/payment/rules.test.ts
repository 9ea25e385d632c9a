import { describe, expect, test } from '@jest/globals';
import { paymentMethods, paymentStatuses } from '../../../shared/domain/enumerations.ts';
import type { Payment, RefundIntent } from '../../../shared/domain/payment/fields.ts';
import {
  correctPayment,
  makePayment,
  normalisePaymentMethod,
  paymentAmounts,
  setPaymentStatus,
} from '../../../shared/domain/payment/rules.ts';
import { paymentOf } from '../../support/shop.ts';

// Guarantee 8 (docs/guarantees.md)

const nowMs = Date.parse('2026-03-10T09:00:00.000Z');
const now = '2026-03-12T09:00:00.000Z';
const greatest = 999_999_999_999.99;

const intentOf = (amount: number): RefundIntent => ({
  id: `pay_intent_${amount}`,
  amount,
  description: null,
  source: 'dashboard',
  created_at: now,
  transaction_id: null,
  lease_until_ms: nowMs,
});
const paid = (fields: Partial<Payment> = {}): Payment => paymentOf(nowMs, fields);
const invalidAmount = expect.objectContaining({ code: 'invalid_value', details: { field: 'amount' } });
const isMade = (status: string) => status === 'completed' || status === 'approved';

describe('normalisePaymentMethod', () => {
  test.each(paymentMethods)('the method %s is recognized, in capitals and with spaces around it too', (method) => {
    expect([normalisePaymentMethod(method), normalisePaymentMethod(` ${method.toUpperCase()}\n`)]).toEqual([method, method]);
  });

  test.each([['barter'], [''], ['credit card'], [null], [undefined], [7], [['card']], [{}]])('the method %j becomes other', (method) => {
    expect(normalisePaymentMethod(method)).toBe('other');
  });
});

describe('paymentAmounts', () => {
  test('the total includes the tip, and the net amount is the total without the fee', () => {
    const amounts = { amount: 0.1, tip_amount: 0.2, fee_amount: 0.05 };
    expect(paymentAmounts(0.1, 0.2, 0.05)).toEqual({ ...amounts, total_amount: 0.3, net_amount: 0.25 });
  });

  test('the greatest amount can be paid, and a cent more cannot', () => {
    expect(paymentAmounts(greatest - 1, 1, 0)).toMatchObject({ total_amount: greatest });
    expect(() => paymentAmounts(greatest, 0.01, 0)).toThrow(invalidAmount);
  });
});

test.each(paymentStatuses)('a new payment that is %s is complete only if it was made, and has no refunds', (status) => {
  const created_at = '2026-03-11T09:00:00.000Z';
  const of = { id: 'pay_1', order_id: 'ord_1', customer_id: 'cus_1', schedule_id: null, source: 'api', created_at, emits_on_create: false };
  const method_details = { brand: 'visa', last4: null, wallet_type: null };
  const input = {
    method: 'card',
    status,
    method_details,
    gateway: { provider: 'stripe', transaction_id: 'pi_1' },
    description: 'cake',
  } as const;
  expect(makePayment({ ...input, amount: 40, tip_amount: 2, fee_amount: 1 }, of)).toEqual({
    ...of,
    ...input,
    amount: 40,
    tip_amount: 2,
    fee_amount: 1,
    total_amount: 42,
    net_amount: 41,
    type: 'payment',
    previous_status: null,
    original_payment_id: null,
    refunded_amount: 0,
    completed_at: isMade(status) ? created_at : null,
    updated_at: created_at,
  });
});

describe('setPaymentStatus', () => {
  const completed_at = '2026-03-11T09:00:00.000Z';
  const moves = paymentStatuses.flatMap((from) => paymentStatuses.map((to) => [from, to] as const));

  test.each(moves)('a payment from %s to %s has the time at which it was last made', (from, to) => {
    const before = paid({ status: from, completed_at });
    const expected = isMade(to) && !isMade(from) ? now : completed_at;
    expect(setPaymentStatus(before, to, now)).toEqual({
      ...before,
      status: to,
      previous_status: from,
      completed_at: expected,
      updated_at: now,
    });
  });

  test.each(
    paymentStatuses.flatMap((status) =>
      [{ refunded_amount: 0.01 }, { refund_intents: [intentOf(0.01)] }].map((refunds) => [status, refunds] as const),
    ),
  )('a payment with refunds becomes %s only if that is completed, approved or refunded: %j', (status, refunds) => {
    const move = () => setPaymentStatus(paid(refunds), status, now);
    if (isMade(status) || status === 'refunded') expect(move()).toMatchObject({ status, ...refunds });
    else expect(move).toThrow(expect.objectContaining({ code: 'conflict', details: { field: 'status' } }));
  });
});

describe('correctPayment', () => {
  test('a correction recalculates the amounts, and keeps the tip and the fee that it does not send', () => {
    const before = paid({ tip_amount: 2, fee_amount: 1, total_amount: 42, net_amount: 41, status: 'approved', previous_status: 'pending' });
    const rest = { ...before, previous_status: 'approved', updated_at: now };
    const only = { amount: 50, total_amount: 52, net_amount: 51 };
    const all = { amount: 10, tip_amount: 0, fee_amount: 0.5, total_amount: 10, net_amount: 9.5 };
    expect(correctPayment(before, { amount: 50 }, now)).toEqual({ ...rest, ...only });
    expect(correctPayment(before, { amount: 10, tip_amount: 0, fee_amount: 0.5 }, now)).toEqual({ ...rest, ...all });
  });

  test.each<[string, Partial<Payment>]>([
    ['refunded', { refunded_amount: 30 }],
    ['reserved for running refunds', { refund_intents: [intentOf(10), intentOf(20)] }],
    ['refunded or reserved', { refunded_amount: 10, refund_intents: [intentOf(20)] }],
  ])('a corrected total may be what is %s, and not a cent less', (_what, fields) => {
    const before = paid({ tip_amount: 2, total_amount: 42, ...fields });
    expect(correctPayment(before, { amount: 28 }, now)).toMatchObject({ amount: 28, total_amount: 30 });
    expect(() => correctPayment(before, { amount: 27.99 }, now)).toThrow(invalidAmount);
  });

  test('a correction to an amount that cannot be paid with its tip is rejected', () => {
    expect(() => correctPayment(paid({ tip_amount: 0.01 }), { amount: greatest }, now)).toThrow(invalidAmount);
  });
});

test.each<[string, (refund: Payment) => Payment]>([
  ['get another status', (refund) => setPaymentStatus(refund, 'completed', now)],
  ['be corrected', (refund) => correctPayment(refund, { amount: 50 }, now)],
])('a refund cannot %s, because it is final', (_what, change) => {
  expect(() => change(paid({ type: 'refund' }))).toThrow(expect.objectContaining({ code: 'conflict' }));
});
