import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { expenseStatuses } from '../../../shared/domain/enumerations.ts';
import { eventsOfChange } from '../../../shared/domain/event/changes.ts';
import { type Expense, expensePayload } from '../../../shared/domain/expense/fields.ts';
import { dayOfFirstFee, noPayment } from '../../../shared/domain/expense/rules.ts';
import { expenseOf } from '../../support/records.ts';

const nowMs = Date.parse('2026-03-10T09:00:00.000Z');
const expense = (members: Partial<Expense> = {}): Expense => expenseOf(nowMs, members);
const image = (record: Expense | undefined, revision: number) => record && { record, revision };
const typesOf = (before: Expense | undefined, after: Expense | undefined, revisions: [number, number] = [1, 2]) =>
  eventsOfChange({ kind: 'expense', before: image(before, revisions[0]), after: image(after, revisions[1]) }).map(({ type }) => type);

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
])('%s an expense emits %4$j', (_name, before, after, types) => {
  expect(typesOf(before, after)).toEqual(types);
});

test('a write that is not a save emits nothing', () => {
  expect(typesOf(live, live, [3, 3])).toEqual([]);
});

test.each(expenseStatuses.flatMap((status) => ['api', 'dashboard', 'recurring'].map((source) => [status, source] as const)))(
  'an expense of any status (%s) and source (%s) sends an event',
  (status, source) => {
    expect(typesOf(undefined, expense({ status, source }))).toEqual(['expense.created']);
  },
);

test("the day's first gateway fee creates its expense, later ones update it", () => {
  const line = { order_id: 'ord_1', order_label: '#1', gateway: 'stripe', amount: 0.3, transaction_id: 'a' };
  const first = dayOfFirstFee({ line, day: '2026-03-10', currency: 'USD', at: '2026-03-10T09:00:00.000Z' });
  const second = { ...first, amount: 0.6, transaction_count: 2 };
  expect([typesOf(undefined, first), typesOf(first, second)]).toEqual([['expense.created'], ['expense.updated']]);
  expect(expensePayload(second)).toMatchObject({
    id: 'gateway_fees_2026-03-10',
    amount: 0.6,
    category: 'bank_fees',
    status: 'recorded',
    date: '2026-03-10T00:00:00.000Z',
    supplier_id: null,
    supplier_name: 'Payment gateways',
    payment_status: 'deducted_at_source',
  });
});

describe('the payload', () => {
  test('is flat and has an ISO 8601 date with milliseconds', () => {
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

  test('has null for every field without a value', () => {
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

  const text = fc.option(fc.string(), { nil: null });
  const anyExpense = fc
    .record({
      amount: fc.integer({ min: 1, max: 10 ** 9 }).map((cents) => cents / 100),
      date: fc.integer({ min: 1, max: 253_402_300_799 }),
      description: text,
      external_id: text,
      supplier: fc.option(fc.record({ id: text, name: text }), { nil: null }),
      payment: fc.record({ method: text, status: text, due_date: text, reference: text }),
      notes: text,
      deleted_at: fc.option(fc.constant('2026-03-11T00:00:00.000Z'), { nil: null }),
    })
    .map((members) => expense({ id: 'exp_1', ...members }));
  const members = Object.keys(expensePayload(live));

  test('of any expense has the same fields, none undefined, and survives JSON', () => {
    fc.assert(
      fc.property(anyExpense, (any) => {
        const payload = expensePayload(any);
        expect(Object.keys(payload)).toEqual(members);
        expect(JSON.parse(JSON.stringify(payload))).toEqual(payload);
      }),
    );
  });

  test('of any change shows the record after it, in at most one event', () => {
    fc.assert(
      fc.property(fc.option(anyExpense, { nil: undefined }), fc.option(anyExpense, { nil: undefined }), (before, after) => {
        const events = eventsOfChange({ kind: 'expense', before: image(before, 1), after: image(after, 2) });
        const heard = after !== undefined && after.deleted_at === null;
        expect(events).toEqual(heard ? [{ type: before ? 'expense.updated' : 'expense.created', object: expensePayload(after) }] : []);
      }),
    );
  });
});
