import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Customer } from '../../../shared/domain/customer/fields.ts';
import { faultsOfPayload, shownFields } from '../../contract/specification.ts';
import { customerOf } from '../../support/shop.ts';
import { eventsOfKind } from '../emitted.ts';

const nowMs = Date.parse('2026-03-10T09:00:00.000Z');
const customer = customerOf(nowMs);
const eventsOf = eventsOfKind<Customer>('customer');

test.each<[string, Customer | undefined, Customer | undefined, boolean, string[]]>([
  ['creating', undefined, customer, true, ['customer.created']],
  ['saving', customer, { ...customer, phone: '1' }, true, ['customer.updated']],
  ['saving without a difference', customer, customer, true, ['customer.updated']],
  ['a change of the totals alone of', customer, { ...customer, total_orders: 1, total_spent: 5, last_order_date: 'now' }, false, []],
  ['removing for good', customer, undefined, true, []],
])('%s a customer emits the specified events only', (_name, before, after, saved, types) => {
  expect(eventsOf(before, after, saved).map(({ type }) => type)).toEqual(types);
});

test('the payload shows the record after the change, without the fields that only responses show', () => {
  const full = customerOf(nowMs, {
    tags: ['vip'],
    total_orders: 2,
    total_spent: 9.5,
    marketing_sms: false,
    notes: 'n',
    metadata: { a: 'b' },
  });
  const object = Object.fromEntries(Object.entries(full).filter(([name]) => !(name in shownFields.customer)));
  expect(eventsOf(customer, full)).toEqual([{ type: 'customer.updated', object }]);
});

test('the payload of any customer has exactly its fields', () => {
  const text = fc.option(fc.string(), { nil: null });
  const flag = fc.option(fc.boolean(), { nil: null });
  const anyCustomer = fc
    .record({
      first_name: text,
      email: text,
      tags: fc.array(fc.string()),
      is_blacklisted: fc.boolean(),
      total_orders: fc.nat(),
      total_spent: fc.nat().map((cents) => cents / 100),
      last_order_date: fc.constantFrom(null, '2026-03-10T09:00:00.000Z'),
      marketing_email: flag,
      marketing_sms: flag,
    })
    .map((fields) => customerOf(nowMs, fields));
  fc.assert(
    fc.property(fc.option(anyCustomer, { nil: undefined }), anyCustomer, (before, after) => {
      for (const { type, object } of eventsOf(before, after)) expect(faultsOfPayload(type, object)).toEqual([]);
    }),
  );
});
