import { describe, expect, test } from '@jest/globals';
import { routeOf } from '../../lib/groups.ts';
import { parse } from '../../shared/core/fields.ts';
import { samples } from './inputs.ts';

/** Looked into, whatever it holds. */
type Json = any;

/** The bounds of decisions §3, member by member, of every body of the API. */
const texts = `
  createOrder     items.0.product_id                     255
  createOrder     items.0.name                           255
  createOrder     items.0.notes                          20000
  createOrder     customer.first_name                    255
  createOrder     customer.last_name                     255
  createOrder     customer.email                         254
  createOrder     customer.phone                         255
  createOrder     customer.company                       255
  createOrder     payments.0.description                 20000
  createOrder     payments.0.method_details.brand        255
  createOrder     payments.0.method_details.last4        255
  createOrder     payments.0.method_details.wallet_type  255
  createOrder     payments.0.gateway.provider            255
  createOrder     payments.0.gateway.transaction_id      255
  createOrder     payment_method                         255
  createOrder     order_type                             255
  createOrder     event_category                         255
  createOrder     external_id                            255
  createOrder     notes                                  20000
  createOrder     delivery_address.line1                 500
  createOrder     custom_fields.theme                    500
  createOrder     custom_fields.flavours.0               500
  createOrder     metadata.a                             500
  createCustomer  first_name                             255
  createCustomer  last_name                              255
  createCustomer  email                                  254
  createCustomer  phone                                  255
  createCustomer  company                                255
  createCustomer  external_id                            255
  createCustomer  notes                                  20000
  createCustomer  tags.0                                 64
  createCustomer  address.line1                          500
  createCustomer  metadata.a                             500
  createExpense   subcategory                            255
  createExpense   description                            20000
  createExpense   notes                                  20000
  createExpense   tags.0                                 64
  createExpense   supplier.id                            255
  createExpense   supplier.name                          255
  createExpense   payment.method                         255
  createExpense   payment.status                         255
  createExpense   payment.due_date                       255
  createExpense   payment.reference                      255
  createCheckout  items.0.product_id                     255
  createCheckout  items.0.variant_id                     255
  createCheckout  customer.email                         254
  createCheckout  customer.last_name                     255
  createCheckout  notes                                  20000
  createCheckout  custom_fields.theme                    500
  createCheckout  success_url                            2048
  createCheckout  cancel_url                             2048
  createWebhook   url                                    2048
  createWebhook   description                            20000
  updateWebhook   url                                    2048
  updateWebhook   description                            20000
`;

const counts = `
  createOrder     items          100
  createOrder     payments       20
  createOrder     custom_fields  50
  createOrder     metadata       50
  createCustomer  tags           50
  createCustomer  metadata       50
  createExpense   tags           50
  createCheckout  items          100
  createCheckout  custom_fields  50
`;

const rowsOf = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/) as [string, string, string])
    .map(([operation, field, max]) => ({ operation, field, max: Number(max) }));

/** The sample with another value at a place, made up to there. */
const withValue = (operation: string, field: string, value: unknown): Json => {
  const input = structuredClone(samples[operation]);
  const path = field.split('.');
  let inner = input;
  for (const [i, name] of path.slice(0, -1).entries()) inner = inner[name] ??= /^\d+$/.test(path[i + 1] ?? '') ? [] : { amount: 1 };
  inner[path.at(-1) ?? ''] = value;
  return input;
};

const fieldOf = (operation: string, input: Json): unknown => {
  try {
    parse(routeOf(operation).body as Json, input);
    return 'taken';
  } catch (error) {
    return (error as Json).details.field;
  }
};

/** A text of so many characters that its member takes. */
const textOf = (field: string, length: number, character: string): string => {
  if (/url$/.test(field)) return `https://example.com/${character.repeat(length - 20)}`;
  // The longest local part and labels that there are: 196 characters without the third label.
  if (/email$/.test(field)) return `${character.repeat(64)}@${[63, 63, length - 196].map((of) => 'x'.repeat(of)).join('.')}.de`;
  return character.repeat(length);
};

describe('a text has at most as many characters as decided, and one more is refused by name', () => {
  test.each(rowsOf(texts))('$operation $field: $max', ({ operation, field, max }) => {
    for (const character of ['x', '🍰']) {
      expect(fieldOf(operation, withValue(operation, field, textOf(field, max, character)))).toBe('taken');
      expect(fieldOf(operation, withValue(operation, field, textOf(field, max + 1, character)))).toBe(field);
    }
  });
});

describe('a list or map has at most as many entries as decided, and one more is refused by name', () => {
  test.each(rowsOf(counts))('$operation $field: $max', ({ operation, field, max }) => {
    const sample = samples[operation][field];
    const of = (many: number) =>
      Array.isArray(sample)
        ? Array.from({ length: many }, () => sample[0])
        : Object.fromEntries(Array.from({ length: many }, (_, i) => [`name ${i}`, 'x']));
    expect(fieldOf(operation, withValue(operation, field, of(max)))).toBe('taken');
    expect(fieldOf(operation, withValue(operation, field, of(max + 1)))).toBe(field);
  });
});

test.each(['metadata', 'custom_fields', 'delivery_address'])('a name in %s has 1 to 255 characters, none of them NUL', (field) => {
  const named = (name: string) => fieldOf('createOrder', withValue('createOrder', field, { [name]: 'x' }));
  for (const name of ['x', 'x'.repeat(255), '🍰'.repeat(255), '2026', ' ']) expect(named(name)).toBe('taken');
  for (const name of ['', 'x'.repeat(256), '🍰'.repeat(256), 'a\0']) expect(named(name)).toBe(`${field}.${name}`);
});
