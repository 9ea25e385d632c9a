import { expect, test } from '@jest/globals';
import { parse, record } from '../../../shared/core/fields.ts';
import { changeExpense, expenseChanges, expenseInputSchema, makeExpense } from '../../../shared/domain/expense/input.ts';

const schema = record(expenseChanges);
const expense = makeExpense(
  parse(expenseInputSchema, {
    amount: 10,
    date: '2026-01-01',
    category: 'rent',
    tags: ['a'],
    notes: 'n',
    supplier: { name: 'Mill' },
    payment: { method: 'card', reference: 'r' },
    tax: { amount: 1 },
  }),
  { id: 'exp_1', currency: 'USD', status: 'draft', source: 'dashboard', external_id: null, created_at: '2026-01-01T00:00:00.000Z' },
);
const at = '2026-01-02T00:00:00.000Z';
const change = (body: unknown) => changeExpense(expense, parse(schema, body), at);

test('a change without fields only updates updated_at', () => {
  expect(change({})).toEqual({ ...expense, updated_at: at });
});

test('each field sent replaces only that field', () => {
  expect(change({ amount: 2.005 })).toEqual({ ...expense, amount: 2.01, updated_at: at });
  expect(change({ tags: null })).toEqual({ ...expense, tags: [], updated_at: at });
  expect(change({ category: 'Bank Fees' })).toEqual({ ...expense, category: 'bank_fees', updated_at: at });
  expect(change({ status: 'approved', external_id: 'x' })).toEqual({ ...expense, status: 'approved', external_id: 'x', updated_at: at });
});

test('an object is replaced whole, and null removes it', () => {
  expect(change({ payment: { status: 'paid' } }).payment).toEqual({ method: null, status: 'paid', due_date: null, reference: null });
  expect(change({ payment: null }).payment).toEqual({ method: null, status: null, due_date: null, reference: null });
  expect(change({ supplier: {} }).supplier).toBeNull();
  expect(change({ tax: null, notes: null })).toMatchObject({ tax: null, notes: null });
});

test.each([
  ['amount', { amount: null }],
  ['amount', { amount: 0 }],
  ['currency', { currency: null }],
  ['status', { status: 'paid' }],
  ['source', { source: 'gateway_fee' }],
  ['source', { source: '' }],
  ['supplier.name', { supplier: { name: 7 } }],
])('a change rejects an invalid %s: %j', (field, body) => {
  expect(() => parse(schema, body)).toThrow(expect.objectContaining({ code: 'invalid_value', details: { field } }));
});
