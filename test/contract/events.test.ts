import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { encodeEvent } from '../../shared/domain/event/envelope.ts';
import { eventTypes } from '../../shared/domain/event/types.ts';
import { expensePayload } from '../../shared/domain/expense/events.ts';
import { expenseOf } from '../support/records.ts';

/** § Subscribable types. */
const subscribable: Readonly<Record<string, readonly string[]>> = {
  order: ['created', 'updated', 'status_changed', 'deleted'],
  customer: ['created', 'updated'],
  product: ['created', 'updated', 'deleted'],
  payment: ['created', 'updated', 'completed', 'failed', 'refunded'],
  quick_sale: ['created', 'updated', 'deleted'],
  expense: ['created', 'updated'],
  inventory: ['low'],
};

/** § Payloads: the members of data.object, none more. */
const expenseMembers = [
  'id',
  'amount',
  'currency',
  'category',
  'description',
  'date',
  'status',
  'supplier_id',
  'supplier_name',
  'payment_status',
  'payment_method',
  'payment_reference',
  'external_id',
  'created_at',
  'updated_at',
];

test('the subscribable types are the twenty', () => {
  const types = Object.entries(subscribable).flatMap(([noun, verbs]) => verbs.map((verb) => `${noun}.${verb}`));
  expect([types.length, [...eventTypes].sort()]).toEqual([20, types.sort()]);
});

test('expense events carry exactly their members', () => {
  expect(Object.keys(expensePayload(expenseOf(0))).sort()).toEqual([...expenseMembers].sort());
});

describe('the envelope', () => {
  const content = { id: 'evt_1', type: 'expense.created', createdSeconds: 1_772_323_200, account: 'acct_1', object: { id: 'exp_1' } };

  test('has exactly its members', () => {
    expect(JSON.parse(encodeEvent(content))).toEqual({
      id: 'evt_1',
      type: 'expense.created',
      created: 1_772_323_200,
      api_version: 'v1',
      data: { object: { id: 'exp_1' } },
      tenant_id: 'acct_1',
    });
  });

  test('carries any payload unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (object) => {
        expect(JSON.parse(encodeEvent({ ...content, object })).data.object).toEqual(JSON.parse(JSON.stringify(object)));
      }),
    );
  });
});
