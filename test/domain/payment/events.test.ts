import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type PaymentStatus, paymentStatuses } from '../../../shared/domain/enumerations.ts';
import type { Payment } from '../../../shared/domain/payment/fields.ts';
import { makeRefund } from '../../../shared/domain/payment/refunds.ts';
import { correctPayment, setPaymentStatus } from '../../../shared/domain/payment/rules.ts';
import { blockFields, faultsOfPayload } from '../../contract/specification.ts';
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
  const refund = makeRefund(original, origin, null, later);
  expect(emittedBy(undefined, refund)).toEqual([['payment.refunded', null]]);
  expect(eventsOf(undefined, refund)[0]?.object).toMatchObject({
    id: 'pay_refund',
    type: 'refund',
    amount: 10,
    original_payment_id: original.id,
  });
  expect(emittedBy(original, { ...original, refunded_amount: 10 }, false)).toEqual([]);
});

test('voiding emits only payment.updated, with the status voided and the previous status (rule 4)', () => {
  const before = payment();
  const events = eventsOf(before, setPaymentStatus(before, 'voided', later));
  expect(events.map(({ type, object }) => [type, object['status'], object['previous_status']])).toEqual([
    ['payment.updated', 'voided', 'completed'],
  ]);
});

test.each(paymentStatuses)(
  'correcting the amount of a payment that is %s emits payment.updated with previous_status equal to status (rule 5)',
  (status) => {
    const before = payment({ status, previous_status: 'pending' });
    const events = eventsOf(before, correctPayment(before, { amount: 50 }, later));
    expect(events.map(({ type, object }) => [type, object['status'], object['previous_status'], object['total_amount']])).toEqual([
      ['payment.updated', status, status, 50],
    ]);
  },
);

test('for any sequence of statuses, each completion and failure is emitted once', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...paymentStatuses), { minLength: 1, maxLength: 20 }), (statuses) => {
      const types: string[] = [];
      let before: Payment | undefined;
      for (const status of statuses) {
        const after: Payment = before ? setPaymentStatus(before, status, later) : payment({ status });
        types.push(...eventsOf(before, after).map(({ type }) => type));
        before = after;
      }
      const begins = (isIn: (status: string) => boolean) => statuses.filter((one, i) => isIn(one) && !isIn(statuses[i - 1] ?? '')).length;
      const count = (type: string) => types.filter((one) => one === type).length;
      expect([count('payment.created'), count('payment.updated'), count('payment.completed'), count('payment.failed')]).toEqual([
        1,
        statuses.length - 1,
        begins((status) => settled.includes(status)),
        begins((status) => status === 'failed'),
      ]);
    }),
  );
});

describe('the payload', () => {
  test('the payload shows the payment after the change', () => {
    const full = payment({
      order_id: 'ord_1',
      customer_id: 'cus_1',
      schedule_id: 'sch_1',
      method_details: { brand: 'visa', last4: '4242', wallet_type: null },
      gateway: { provider: 'stripe', transaction_id: 'ch_1' },
      description: 'Deposit',
    });
    const { emits_on_create: _, updated_at: __, ...shown } = full;
    expect(eventsOf(payment(), full)).toEqual([{ type: 'payment.updated', object: shown }]);
  });

  test('the payload of any payment has exactly the documented fields, also in its blocks', () => {
    const text = fc.option(fc.string(), { nil: null });
    const anyPayment = fc
      .record({
        status: fc.constantFrom(...paymentStatuses),
        previous_status: fc.constantFrom(null, ...paymentStatuses),
        order_id: text,
        description: text,
        method_details: fc.option(fc.record({ brand: text, last4: text, wallet_type: text, internal: text }), { nil: null }),
        gateway: fc.option(fc.record({ provider: text, transaction_id: text, internal: text }), { nil: null }),
      })
      .map((fields) => payment(fields));
    fc.assert(
      fc.property(fc.option(anyPayment, { nil: undefined }), anyPayment, (before, after) => {
        for (const { type, object } of eventsOf(before, after)) {
          expect(faultsOfPayload(type, object)).toEqual([]);
          for (const [block, fields] of Object.entries(blockFields))
            expect(object[block] === null || Object.keys(object[block] as object)).toEqual(object[block] === null || fields);
        }
      }),
    );
  });
});
