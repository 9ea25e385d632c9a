import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Expense } from '../../shared/domain/expense.ts';
import { type GatewayFee, recordGatewayFee } from '../../shared/domain/gateway-fee.ts';

const fee = (transaction_id: string, amount: number, at = '2026-03-05T10:00:00.000Z'): GatewayFee => ({
  line: { order_id: 'ord_1', order_label: '#1', gateway: 'stripe', amount, transaction_id },
  day: '2026-03-05',
  currency: 'USD',
  at,
});

test('the first fee of a day makes the documented record', () => {
  expect(recordGatewayFee(undefined, fee('t1', 1.45))).toEqual({
    id: 'gateway_fees_2026-03-05',
    amount: 1.45,
    currency: 'USD',
    category: 'bank_fees',
    subcategory: null,
    description: null,
    notes: null,
    tags: [],
    date: 1_772_668_800,
    status: 'recorded',
    source: 'gateway_fee',
    editable: false,
    supplier: { id: null, name: 'Payment gateways' },
    payment: { method: null, status: 'deducted_at_source', due_date: null, reference: null },
    tax: null,
    external_id: null,
    auto_generated: true,
    line_items: [{ order_id: 'ord_1', order_label: '#1', gateway: 'stripe', amount: 1.45, transaction_id: 't1' }],
    created_at: '2026-03-05T10:00:00.000Z',
    updated_at: '2026-03-05T10:00:00.000Z',
    deleted_at: null,
  });
});

test('a later fee adds its line and moves updated_at alone', () => {
  const first = recordGatewayFee(undefined, fee('t1', 0.1));
  const second = recordGatewayFee(first, fee('t2', 0.2, '2026-03-05T11:00:00.000Z'));
  expect(second).toEqual({
    ...first,
    amount: 0.3,
    line_items: [...(first.line_items ?? []), fee('t2', 0.2).line],
    updated_at: '2026-03-05T11:00:00.000Z',
  });
});

test('a transaction that is recorded already changes nothing', () => {
  const first = recordGatewayFee(undefined, fee('t1', 1));
  expect(recordGatewayFee(first, fee('t1', 1, '2026-03-05T12:00:00.000Z'))).toBe(first);
});

test('the amount is the sum of the lines in whole cents, however often each is recorded', () => {
  const cents = fc.integer({ min: 1, max: 1_000_000 });
  fc.assert(
    fc.property(fc.array(cents, { minLength: 1, maxLength: 50 }), fc.nat(3), (amounts, repeats) => {
      const fees = amounts.map((amount, i) => fee(`t${i}`, amount / 100));
      const all = [...fees, ...fees.slice(0, repeats)];
      const record = all.reduce<Expense | undefined>((day, one) => recordGatewayFee(day, one), undefined);
      expect(record?.amount).toBe(amounts.reduce((sum, amount) => sum + amount, 0) / 100);
      expect(record?.line_items).toHaveLength(amounts.length);
    }),
  );
});
