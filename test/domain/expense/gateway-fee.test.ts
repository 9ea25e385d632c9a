import { describe, expect, test } from '@jest/globals';
import { bookingObstacle, dayOfFirstFee, type GatewayFee } from '../../../shared/domain/expense/rules.ts';

const fee = (amount: number, members: Partial<GatewayFee> = {}): GatewayFee => ({
  line: { order_id: 'ord_1', order_label: '#1', gateway: 'stripe', amount, transaction_id: 't1' },
  day: '2026-03-05',
  currency: 'USD',
  at: '2026-03-05T10:00:00.000Z',
  ...members,
});

test('the first fee of a day creates the documented expense', () => {
  expect(dayOfFirstFee(fee(1.45))).toEqual({
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
    transaction_count: 1,
    created_at: '2026-03-05T10:00:00.000Z',
    updated_at: '2026-03-05T10:00:00.000Z',
    deleted_at: null,
  });
});

describe('a fee can be added to a day', () => {
  const day = dayOfFirstFee(fee(1));
  test.each([
    ['that has none yet', undefined, fee(1)],
    ['in its currency', day, fee(2)],
    ['up to what has exact cents', { ...day, amount: 999_999_999_998 }, fee(1.99)],
  ])('%s', (_, recorded, one) => {
    expect(bookingObstacle(recorded, one)).toBeUndefined();
  });

  test.each([
    ['in another currency', day, fee(1, { currency: 'EUR' }), /are in USD, and this fee is in EUR/],
    ['with another expense as its record', { ...day, source: 'dashboard' }, fee(1), /Another expense/],
    ['beyond what has exact cents', { ...day, amount: 999_999_999_998 }, fee(2), /must be less than 1000000000000/],
  ])('but not to a day %s', (_, recorded, one, why) => {
    expect(bookingObstacle(recorded, one)).toMatch(why);
  });
});
