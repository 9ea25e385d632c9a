import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parse } from '../../../shared/core/fields.ts';
import { expenseCategories, resolveExpenseCategory } from '../../../shared/domain/expense/categories.ts';
import { expenseInputSchema, makeExpense } from '../../../shared/domain/expense/input.ts';

const least = { amount: 1, date: '2026-01-01', category: 'rent' };
const origin = {
  id: 'exp_1',
  currency: 'USD',
  status: 'submitted',
  source: 'api',
  external_id: null,
  created_at: '2026-01-02T00:00:00.000Z',
} as const;
const make = (members: object) => makeExpense(parse(expenseInputSchema, { ...least, ...members }), origin);

test('an expense with the required fields has all others empty', () => {
  expect(make({})).toEqual({
    ...origin,
    amount: 1,
    date: 1_767_225_600,
    category: 'rent',
    subcategory: null,
    description: null,
    notes: null,
    tags: [],
    supplier: null,
    payment: { method: null, status: null, due_date: null, reference: null },
    tax: null,
    editable: true,
    auto_generated: false,
    transaction_count: null,
    updated_at: origin.created_at,
    deleted_at: null,
  });
});

test("fields that the service sets override the caller's", () => {
  const said = { id: 'x', status: 'draft', source: 'gateway_fee', editable: false, auto_generated: true, line_items: [1], metadata: {} };
  expect(make(said)).toEqual(make({}));
});

test('an object without values becomes null, and one with a single value gets all its fields', () => {
  expect(make({ supplier: {}, tax: { amount: null } })).toMatchObject({ supplier: null, tax: null });
  expect(make({ supplier: { name: 'Mill', vat: 'x' }, tax: { rate: 0 }, payment: { method: 'card', paid_by: 'me' } })).toMatchObject({
    supplier: { id: null, name: 'Mill' },
    tax: { amount: null, rate: 0 },
    payment: { method: 'card', status: null, due_date: null, reference: null },
  });
});

describe('categories', () => {
  test.each(expenseCategories.map(({ id, label }) => [id, label]))(
    '%s is found by its id and by its label “%s”, in upper or lower case',
    (id, label) => {
      const anyCase = (text: string) => fc.mixedCase(fc.constant(text));
      fc.assert(fc.property(fc.oneof(anyCase(id), anyCase(label)), (name) => expect(resolveExpenseCategory(name)).toBe(id)));
    },
  );

  test.each(['', 'bank-fees', 'bank  fees', 'Repairs and maintenance', 'toString', '__proto__', 'flour'])(
    '%j is not a category',
    (name) => {
      expect(resolveExpenseCategory(name)).toBeUndefined();
    },
  );
});
