import { expect, test } from '@jest/globals';
import type { Change } from '../../shared/domain/event/changes.ts';
import { type Expense, expensePayload } from '../../shared/domain/expense/fields.ts';
import { noPayment } from '../../shared/domain/expense/rules.ts';
import { makeQuickSale } from '../../shared/domain/quick-sale/input.ts';
import { productOf } from '../support/products.ts';
import { expenseOf } from '../support/records.ts';
import { customerOf, orderOf } from '../support/shop.ts';
import { eventsOfKind } from './emitted.ts';

const nowMs = Date.parse('2026-03-10T09:00:00.000Z');
const now = new Date(nowMs).toISOString();
const sale = { description: null, sale_type: null, location: null, event_name: null, gross_cost: 2, payment_method: null, items: [] };
const deleted = { deleted_at: '2026-03-11T00:00:00.000Z' };

/** A record of each kind, and what its deletion changes. test/effects has the events of every action and request. */
const records: readonly (readonly [kind: Change['kind'], record: object, deleted?: object])[] = [
  ['customer', customerOf(nowMs)],
  ['expense', expenseOf(nowMs), deleted],
  ['order', orderOf(nowMs), deleted],
  ['product', productOf(nowMs), { status: 'deleted' }],
  ['quickSale', makeQuickSale({ ...sale, gross_sales: 10 }, 'qs_1', now, 'UTC'), deleted],
];

test.each(records)('a write of the %s that is no save, and its removal for good, emit nothing', (kind, record) => {
  expect(eventsOfKind(kind)(record, { ...record, status: 'ready', amount: 2 }, false)).toEqual([]);
  expect(eventsOfKind(kind)(record, undefined)).toEqual([]);
});

test.each(records.filter(([, , end]) => end))(
  'a write to a deleted %s, which takes a person from it, emits nothing',
  (kind, record, end) => {
    expect(eventsOfKind(kind)({ ...record, ...end }, { ...record, ...end, customer_name: null, notes: 'x' })).toEqual([]);
  },
);

test.each<[string, Partial<Expense>, object]>([
  [
    'its blocks as flat fields, and an ISO 8601 date with milliseconds',
    {
      date: 1_772_323_200,
      supplier: { id: 'sup_1', name: 'Mill' },
      payment: { method: 'card', status: 'paid', due_date: '2026-04-01', reference: 'R-1' },
    },
    {
      date: '2026-03-01T00:00:00.000Z',
      supplier_id: 'sup_1',
      supplier_name: 'Mill',
      payment_status: 'paid',
      payment_method: 'card',
      payment_reference: 'R-1',
    },
  ],
  [
    'null for blocks without a value',
    { supplier: null, payment: noPayment },
    { supplier_id: null, supplier_name: null, payment_status: null, payment_method: null, payment_reference: null },
  ],
])('the payload of an expense has %s', (_what, fields, expected) => {
  expect(expensePayload(expenseOf(nowMs, fields))).toMatchObject(expected);
});
