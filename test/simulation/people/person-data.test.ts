import { expect, test } from '@jest/globals';
import { customerInputSchema } from '../../../shared/domain/customer/input.ts';
import { orderInputSchema } from '../../../shared/domain/order/input.ts';
import { textsOf } from '../../contract/inputs.ts';
import { createRandom } from '../scheduler/random.ts';
import { marker, markersIn, newCustomer, orderTexts } from './person-data.ts';

/**
 * Fields that the service interprets, and fields from which an erasure removes only the person's
 * names.
 */
const other = ['items', 'customer', 'payments', 'currency', 'delivery_date', 'delivery_time'];
const named = ['payment_method', 'order_type', 'event_category', 'custom_fields'];

const unmarked = (schema: object, bodies: readonly object[]): readonly string[] => {
  const names = new Set(textsOf(schema).map((field) => field.split('.')[0] ?? ''));
  return [...names].filter((name) => bodies.every((body) => markersIn(JSON.stringify({ ...body }[name as never] ?? '')).size === 0));
};

test('customers of the simulation have a marker in every text field of POST /customers that needs no definition', () => {
  const random = createRandom(1);
  const people = Array.from({ length: 9 }, (_, i) => ({ ...newCustomer(`desk-${i}`, 1, random), notes: marker(`desk-${i}`, 'notes') }));
  // A value of a custom field needs its definition, which these accounts do not have.
  expect(unmarked(customerInputSchema, people)).toEqual(['custom_fields']);
});

test('orders of the simulation have a marker in every text field of POST /orders that an erasure empties', () => {
  const order = { ...orderTexts('desk'), notes: marker('desk', 'notes') };
  const unmarkedFields = unmarked(orderInputSchema, [order]).filter((name) => !other.includes(name));
  expect([...unmarkedFields].sort()).toEqual([...named].sort());
});
