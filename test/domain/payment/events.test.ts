import { describe, expect, test } from '@jest/globals';
import { type PaymentStatus, paymentStatuses } from '../../../shared/domain/enumerations.ts';
import type { Payment } from '../../../shared/domain/payment/fields.ts';
import { makeRefund } from '../../../shared/domain/payment/refunds.ts';
import { setPaymentStatus } from '../../../shared/domain/payment/rules.ts';
import { paymentOf } from '../../support/shop.ts';
import { eventsOfKind } from '../emitted.ts';

const nowMs = Date.parse('2026-03-10T09:00:00.000Z');
const later = '2026-03-11T09:00:00.000Z';
const payment = (fields: Partial<Payment> = {}): Payment => paymentOf(nowMs, fields);
const eventsOf = eventsOfKind<Payment>('payment');
/** Type and `previous_status`, in the order of emission. */
const emittedBy = (...change: Parameters<typeof eventsOf>) =>
  eventsOf(...change).map(({ type, object }) => [type, object['previous_status']]);

describe('a payment that is created', () => {
  test.each<[PaymentStatus, string[]]>([
    ['pending', ['payment.created']],
    ['submitted', ['payment.created']],
    ['completed', ['payment.created', 'payment.completed']],
    ['approved', ['payment.created', 'payment.completed']],
    ['failed', ['payment.created', 'payment.failed']],
    ['voided', ['payment.created']],
    ['refunded', ['payment.created']],
  ])('%s emits %j, each with previous_status null (rules 1 and 6)', (status, types) => {
    expect(emittedBy(undefined, payment({ status }))).toEqual(types.map((type) => [type, null]));
  });

  test('a payment of an order without payment events emits nothing when created, but later writes do (rule 7)', () => {
    const silent = payment({ status: 'pending', emits_on_create: false });
    expect(emittedBy(undefined, silent)).toEqual([]);
    expect(emittedBy(silent, setPaymentStatus(silent, 'completed', later))).toEqual([
      ['payment.updated', 'pending'],
      ['payment.completed', 'pending'],
    ]);
  });
});

const extra: Readonly<Record<string, string>> = { completed: 'payment.completed', approved: 'payment.completed', failed: 'payment.failed' };
const settled = ['completed', 'approved'];
const writes = paymentStatuses.flatMap((from) => paymentStatuses.map((to) => [from, to] as const));

test.each(writes)('a status write from %s to %s emits the transition with the update, and no other (rule 2)', (from, to) => {
  const before = payment({ status: from });
  const isTransition = from !== to && !(settled.includes(from) && settled.includes(to));
  const types = ['payment.updated', ...(isTransition && extra[to] ? [extra[to]] : [])];
  expect(emittedBy(before, setPaymentStatus(before, to, later))).toEqual(types.map((type) => [type, from]));
});

test('a refund emits only payment.refunded, and the original payment nothing (rule 3)', () => {
  const original = payment();
  const origin = { id: 'pay_refund', amount: 10, description: null, source: 'dashboard', created_at: later };
  expect(emittedBy(undefined, makeRefund(original, origin, null, later))).toEqual([['payment.refunded', null]]);
  expect(emittedBy(original, { ...original, refunded_amount: 10 }, false)).toEqual([]);
});

test('the payload has only the documented fields in its blocks', () => {
  const details = { brand: 'visa', last4: '4242', wallet_type: null };
  const gateway = { provider: 'stripe', transaction_id: 'ch_1' };
  const full = payment({ method_details: { ...details, internal: 1 }, gateway: { ...gateway, internal: 1 } } as object);
  expect(eventsOf(payment(), full)[0]?.object).toEqual(expect.objectContaining({ method_details: details, gateway }));
});
