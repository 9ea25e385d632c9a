import { describe, expect, test } from '@jest/globals';
import { paymentStatuses } from '../../../shared/domain/enumerations.ts';
import type { Payment, RefundIntent } from '../../../shared/domain/payment/fields.ts';
import { releaseIntent, withIntents } from '../../../shared/domain/payment/refund-intents.ts';
import { afterReport, type GatewayRefund, makeRefund, refundableAmount, refundId } from '../../../shared/domain/payment/refunds.ts';
import { paymentOf } from '../../support/shop.ts';

const nowMs = Date.parse('2026-03-10T09:00:00.000Z');
const requestedAt = '2026-03-11T09:00:00.000Z';
const now = '2026-03-12T09:00:00.000Z';

const intentOf = (fields: Partial<RefundIntent> = {}): RefundIntent => ({
  id: 'pay_intent',
  amount: 10,
  description: 'stale',
  source: 'dashboard',
  created_at: requestedAt,
  transaction_id: null,
  lease_until_ms: nowMs,
  ...fields,
});
const other = intentOf({ id: 'pay_other', amount: 5 });

/** A payment of 40 and a tip of 2.5 that Stripe took. */
const paid = (fields: Partial<Payment> = {}): Payment =>
  paymentOf(nowMs, { tip_amount: 2.5, total_amount: 42.5, gateway: { provider: 'stripe', transaction_id: 'pi_1' }, ...fields });

describe('refundableAmount', () => {
  const busy = { refund_intents: [intentOf(), other] };

  test.each<[number, string, number, number, Partial<Payment>]>([
    [42.5, 'all that was paid, with the tip', 42.5, 2, {}],
    [32.5, 'all that a refund left', 32.5, 2, { refunded_amount: 10 }],
    [27.5, 'all that running refunds do not reserve', 27.5, 2, busy],
    [22.5, 'all that is neither refunded nor reserved', 22.5, 2, { ...busy, refunded_amount: 5 }],
    [10.13, 'an amount that is rounded to cents', 10.125, 2, {}],
    [10, 'an amount that is rounded to whole units in a currency without a smaller unit', 10.4, 0, {}],
    [42.5, 'the whole remainder, which is not rounded', 42.5, 0, {}],
    [0.01, 'the smallest unit', 0.005, 2, {}],
  ])('a refund of %d is accepted: %s', (amount, _why, requestedAmount, places, fields) => {
    expect(refundableAmount(paid(fields), requestedAmount, places)).toBe(amount);
  });

  const tooMuch = { code: 'invalid_value', details: { field: 'amount' } };
  const stillRunning = { code: 'conflict', details: { field: 'amount' } };
  test.each<[string, number, number, Partial<Payment>, object]>([
    ['is a cent more than was paid', 42.51, 2, {}, tooMuch],
    ['is a cent more than is left', 32.51, 2, { refunded_amount: 10 }, tooMuch],
    ['rounds to more than is left', 42.6, 0, {}, tooMuch],
    ['rounds to 0', 0.004, 2, {}, tooMuch],
    ['is 0 when nothing is left', 0, 2, { refunded_amount: 42.5 }, tooMuch],
    ['is a cent more than is not reserved', 27.51, 2, busy, stillRunning],
    ['is all that is left, of which a part is reserved', 42.5, 2, busy, stillRunning],
    ['is a cent more than all that is left, of which a part is reserved', 42.51, 2, busy, tooMuch],
  ])('a refund is rejected if its amount %s', (_why, requestedAmount, places, fields, error) => {
    expect(() => refundableAmount(paid(fields), requestedAmount, places)).toThrow(expect.objectContaining(error));
  });

  test.each(paymentStatuses)('a payment that is %s can be refunded only if its status says that it was made', (status) => {
    const refund = () => refundableAmount(paid({ status }), 1, 2);
    if (status === 'completed' || status === 'approved') expect(refund()).toBe(1);
    else expect(refund).toThrow(expect.objectContaining({ code: 'conflict', details: { field: 'status' } }));
  });

  test('a refund cannot be refunded, because it is final', () => {
    expect(() => refundableAmount(paid({ type: 'refund' }), 1, 2)).toThrow(expect.objectContaining({ code: 'conflict' }));
  });
});

describe('makeRefund', () => {
  const origin = { id: 'pay_refund', amount: 10, description: 'stale', source: 'dashboard', created_at: requestedAt };

  test('the record of a refund has the order, the customer and the method of its payment, and its own amounts, times and gateway id', () => {
    const of = { order_id: 'ord_1', customer_id: 'cus_1', schedule_id: 'sch_1', method: 'paypal' as const };
    const method_details = { brand: 'visa', last4: '4242', wallet_type: null };
    const silent = { status: 'approved', fee_amount: 1, net_amount: 41.5, emits_on_create: false } as const;
    const original = paid({ ...of, ...silent, method_details, description: 'cake', previous_status: 'pending', refunded_amount: 20 });
    expect(makeRefund(original, origin, 're_1', now)).toEqual({
      ...origin,
      ...of,
      method_details,
      tip_amount: 0,
      total_amount: 10,
      fee_amount: 0,
      net_amount: 10,
      type: 'refund',
      status: 'completed',
      previous_status: null,
      gateway: { provider: 'stripe', transaction_id: 're_1' },
      original_payment_id: original.id,
      refunded_amount: 0,
      completed_at: now,
      updated_at: now,
      emits_on_create: true,
    });
  });

  test('the record of a refund has no gateway if its payment has none', () => {
    expect(makeRefund(paid({ gateway: null }), origin, null, now).gateway).toBeNull();
  });
});

const reportOf = (fields: Partial<GatewayRefund> = {}): GatewayRefund => ({
  id: 're_1',
  transactionIds: ['pi_1'],
  amount: 10,
  intentId: 'pay_intent',
  paymentId: 'pay_1',
  status: 'succeeded',
  created_at: requestedAt,
  ...fields,
});

describe('refundId', () => {
  const atGateway = reportOf({ intentId: null, paymentId: null });

  test("a refund's record has the id of the intent that the refund carries out", () => {
    expect(refundId(reportOf())).toBe('pay_intent');
  });

  test('all reports of a refund that was made at the gateway lead to the same id of its record', () => {
    expect(refundId(atGateway)).toMatch(/^pay_[0-9a-z]{26}$/);
    expect(refundId({ ...atGateway, status: 'failed', amount: 3, transactionIds: [] })).toBe(refundId(atGateway));
  });

  test('two refunds that were made at the gateway at the same time have records with different ids', () => {
    expect(refundId({ ...atGateway, id: 're_2' })).not.toBe(refundId(atGateway));
  });
});

describe('afterReport', () => {
  const waiting = paid({ refund_intents: [other, intentOf({ lease_until_ms: nowMs + 60_000 })], refunded_amount: 2 });
  const { refund_intents: _, ...ended } = waiting;
  const withOther: Payment = { ...ended, refund_intents: [other] };
  const made = makeRefund(ended, intentOf(), 're_1', requestedAt);

  test('a report that a refund is pending gives its intent the id at the gateway and ends the lease, without a record', () => {
    const { original, refund } = afterReport(waiting, undefined, reportOf({ status: 'pending' }), now);
    expect(original).toEqual({ ...ended, refund_intents: [other, intentOf({ transaction_id: 're_1', lease_until_ms: 0 })] });
    expect(refund).toBeUndefined();
  });

  test('a report that a refund succeeded records the reported amount with the texts of its intent, and releases what the intent reserved', () => {
    const { original, refund } = afterReport(waiting, undefined, reportOf({ amount: 9 }), now);
    expect(original).toEqual({ ...withOther, refunded_amount: 11 });
    expect(refund).toEqual({ ...made, amount: 9, total_amount: 9, net_amount: 9, completed_at: now, updated_at: now });
    expect(refund).toMatchObject({ id: 'pay_intent', amount: 9, description: 'stale', source: 'dashboard', created_at: requestedAt });
  });

  test('a report that the last refund under way succeeded leaves no list of intents', () => {
    const { original } = afterReport({ ...ended, refund_intents: [intentOf()] }, undefined, reportOf(), now);
    expect(original).not.toHaveProperty('refund_intents');
  });

  test('a report that a refund succeeded keeps the calls that took its intent over, so that their retries find the record', () => {
    const taken = { ...ended, refund_intents: [intentOf({ calls: ['a', 'b'] })] };
    expect(afterReport(taken, undefined, reportOf(), now).refund).toHaveProperty('refund_calls', ['a', 'b']);
    expect(afterReport(waiting, undefined, reportOf(), now).refund).not.toHaveProperty('refund_calls');
  });

  test('a report of a refund that was made at the gateway records its amount and time there, and leaves the intents', () => {
    const atGateway = reportOf({ id: 're_2', intentId: null, paymentId: null, amount: 3.3 });
    const { original, refund } = afterReport(waiting, undefined, atGateway, now);
    expect(original).toEqual({ ...waiting, refunded_amount: 5.3 });
    expect(refund).toMatchObject({
      id: refundId(atGateway),
      amount: 3.3,
      description: null,
      source: 'stripe',
      created_at: requestedAt,
      completed_at: now,
      gateway: { provider: 'stripe', transaction_id: 're_2' },
    });
  });

  test('a report that a refund failed before it succeeded releases its amount, without a record', () => {
    expect(afterReport(waiting, undefined, reportOf({ status: 'failed' }), now)).toEqual({ original: withOther, refund: undefined });
  });

  test('a report that a refund failed after it succeeded marks its record as failed and takes its amount back', () => {
    const refunded = { ...ended, refunded_amount: 12 };
    expect(afterReport(refunded, made, reportOf({ status: 'failed' }), now)).toEqual({
      original: ended,
      refund: { ...made, status: 'failed', previous_status: 'completed', updated_at: now },
    });
  });

  const failed: Payment = { ...made, status: 'failed' };
  const pending = { ...ended, refund_intents: [other, intentOf({ transaction_id: 're_1' })] };
  test.each<[string, Payment, Payment | undefined, GatewayRefund]>([
    ['that a refund is still pending', pending, undefined, reportOf({ status: 'pending' })],
    ['that a refund of no intent is pending', withOther, undefined, reportOf({ status: 'pending' })],
    ['that a recorded refund is pending, but arrives late,', ended, made, reportOf({ status: 'pending' })],
    ['that a recorded refund succeeded', ended, made, reportOf()],
    ['that a failed refund succeeded, but arrives late,', ended, failed, reportOf()],
    ['that a failed refund failed', ended, failed, reportOf({ status: 'failed' })],
    ['that a refund of no intent and without a record failed', withOther, undefined, reportOf({ status: 'failed' })],
    ['that a refund of a payment without refunds failed', paid(), undefined, reportOf({ status: 'failed' })],
    ['that a refund of a payment without refunds is pending', paid(), undefined, reportOf({ status: 'pending' })],
  ])('a report %s changes neither the payment nor the record', (_what, original, known, reported) => {
    const after = afterReport(original, known, reported, now);
    expect(after.original).toBe(original);
    expect(after.refund).toBe(known);
  });

  test.each<[string, Payment, Payment, GatewayRefund['status']]>([
    [
      'that a recorded refund is pending',
      made,
      { ...ended, refund_intents: [other, intentOf({ transaction_id: 're_1', lease_until_ms: 0 })] },
      'pending',
    ],
    ['that a recorded refund succeeded', made, withOther, 'succeeded'],
    ['that a failed refund failed', failed, withOther, 'failed'],
  ])('a report %s changes only the intent, if the payment still has it', (_what, known, original, status) => {
    expect(afterReport(waiting, known, reportOf({ status }), now)).toEqual({ original, refund: known });
  });
});

describe('release', () => {
  const read = intentOf();

  test('an intent that the gateway does not carry out is released, and the others stay', () => {
    expect(releaseIntent(paid({ id: 'pay_1', refund_intents: [read, other] }), read)).toEqual(
      paid({ id: 'pay_1', refund_intents: [other] }),
    );
  });

  test('a payment whose only intent is released has no list of intents', () => {
    expect(releaseIntent(paid({ id: 'pay_1', refund_intents: [read] }), read)).toEqual(paid({ id: 'pay_1' }));
    expect(releaseIntent(paid({ refund_intents: [read] }), read)).not.toHaveProperty('refund_intents');
  });

  test.each<[string, Partial<Payment>]>([
    ['another call has taken it over since it was read', { refund_intents: [intentOf({ lease_until_ms: nowMs + 1 })] }],
    ['the gateway has it meanwhile', { refund_intents: [intentOf({ transaction_id: 're_1' })] }],
    ['it has ended, and another is under way', { refund_intents: [other] }],
    ['it has ended, and none is under way', {}],
  ])('an intent is not released if %s', (_why, fields) => {
    const payment = paid(fields);
    expect(releaseIntent(payment, read)).toBe(payment);
  });
});

test('a payment has a list of refunds under way only if there are any', () => {
  const payment = paid();
  expect(withIntents(payment, [other])).toEqual({ ...payment, refund_intents: [other] });
  expect(withIntents({ ...payment, refund_intents: [other] }, [])).not.toHaveProperty('refund_intents');
});
