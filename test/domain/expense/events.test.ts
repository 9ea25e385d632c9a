import { describe, expect, test } from '@jest/globals';
import { expenseStatuses } from '../../../shared/domain/enumerations.ts';
import { type Expense, expensePayload } from '../../../shared/domain/expense/fields.ts';
import { noPayment } from '../../../shared/domain/expense/rules.ts';
import { expenseOf } from '../../support/records.ts';
import { eventsOfKind } from '../emitted.ts';

const nowMs = Date.parse('2026-03-10T09:00:00.000Z');
const expense = (fields: Partial<Expense> = {}): Expense => expenseOf(nowMs, fields);
const eventsOf = eventsOfKind<Expense>('expense');
const typesOf = (...change: Parameters<typeof eventsOf>) => eventsOf(...change).map(({ type }) => type);

const live = expense();
const deleted = expense({ id: live.id, deleted_at: '2026-03-11T00:00:00.000Z' });

test.each<[string, Expense | undefined, Expense | undefined, string[]]>([
  ['creating', undefined, live, ['expense.created']],
  ['saving', live, { ...live, amount: 2 }, ['expense.updated']],
  ['saving without a difference', live, live, ['expense.updated']],
  ['deleting softly', live, deleted, []],
  ['touching a deleted one', deleted, { ...deleted, notes: 'x' }, []],
  ['removing for good', live, undefined, []],
  ['removing a deleted one for good', deleted, undefined, []],
])('%s an expense emits the specified events only', (_name, before, after, types) => {
  expect(typesOf(before, after)).toEqual(types);
});

test('a write that is not a save emits nothing', () => {
  expect(typesOf(live, live, false)).toEqual([]);
});

test.each(expenseStatuses.flatMap((status) => ['api', 'dashboard', 'recurring'].map((source) => [status, source] as const)))(
  'an expense of any status (%s) and source (%s) sends an event',
  (status, source) => {
    expect(typesOf(undefined, expense({ status, source }))).toEqual(['expense.created']);
  },
);

describe('the payload', () => {
  test('the payload is flat and has an ISO 8601 date with milliseconds', () => {
    const full = expense({
      description: '<b>flour</b>',
      date: 1_772_323_200,
      supplier: { id: 'sup_1', name: 'Mill' },
      payment: { method: 'card', status: 'paid', due_date: '2026-04-01', reference: 'R-1' },
      external_id: 'ext-1',
    });
    expect(expensePayload(full)).toEqual({
      id: full.id,
      amount: 12.5,
      currency: 'USD',
      category: 'packaging',
      description: '<b>flour</b>',
      date: '2026-03-01T00:00:00.000Z',
      status: 'submitted',
      supplier_id: 'sup_1',
      supplier_name: 'Mill',
      payment_status: 'paid',
      payment_method: 'card',
      payment_reference: 'R-1',
      external_id: 'ext-1',
      created_at: '2026-03-10T09:00:00.000Z',
      updated_at: '2026-03-10T09:00:00.000Z',
    });
  });

  test('the payload has null for every field without a value', () => {
    expect(expensePayload(expense({ supplier: null, payment: noPayment }))).toMatchObject({
      description: null,
      supplier_id: null,
      supplier_name: null,
      payment_status: null,
      payment_method: null,
      payment_reference: null,
      external_id: null,
    });
  });
});
