import { describe, expect, test } from '@jest/globals';
import { routeOf } from '../../functions/groups.ts';
import { allRoutes } from '../support/world.ts';
import { rejectedField, samples, textsOf, withText } from './inputs.ts';

/** Texts of the API's bodies with another limit than the 255 characters of decisions §3. */
const otherBounds: readonly (readonly [RegExp, number])[] = [
  [/(^|\.)email$/, 254],
  [/(^|_)url$/, 2_048],
  [/(^|\.)(description|notes|address|delivery_address)$/, 20_000],
  [/^tags\.0$/, 64],
  [/(^|\.)(metadata|custom_fields|address|delivery_address)\.a(\.0)?$/, 500],
];

const texts = allRoutes.flatMap(({ operation, body }) =>
  body ? textsOf(body).map((field) => ({ operation, field, max: otherBounds.find(([name]) => name.test(field))?.[1] ?? 255 })) : [],
);

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

const fieldOf = (operation: string, field: string, value: unknown): string =>
  rejectedField(routeOf(operation).body, withText(samples[operation], field, value)) ?? 'taken';

/** Returns a valid text of this length for the field. */
const textOf = (field: string, length: number, character: string): string => {
  if (/url$/.test(field)) return `https://example.com/${character.repeat(length - 20)}`;
  // The longest valid local part and labels: 196 characters without the third label.
  if (/email$/.test(field)) return `${character.repeat(64)}@${[63, 63, length - 196].map((of) => 'x'.repeat(of)).join('.')}.de`;
  return character.repeat(length);
};

const shortestOf = (field: string): number => {
  if (/url$/.test(field)) return 21;
  return /email$/.test(field) ? 198 : 1;
};

/** Fields that take any text: not dates, times, amounts or enumerations. */
const free = texts.filter(({ operation, field }) => fieldOf(operation, field, textOf(field, shortestOf(field), 'x')) === 'taken');

describe('the length of a text', () => {
  test('the test of bounds knows every text field', () => expect(free.length).toBeGreaterThan(50));
  test.each(free)('$operation accepts $max characters in $field, and rejects one more', ({ operation, field, max }) => {
    for (const character of ['x', '🍰']) {
      expect(fieldOf(operation, field, textOf(field, max, character))).toBe('taken');
      expect(fieldOf(operation, field, textOf(field, max + 1, character))).toBe(field);
    }
  });
});

describe('the size of a list or map', () => {
  test.each(rowsOf(counts))('$operation accepts $max entries in $field, and rejects one more', ({ operation, field, max }) => {
    const sample = samples[operation][field];
    const of = (many: number) =>
      Array.isArray(sample)
        ? Array.from({ length: many }, () => sample[0])
        : Object.fromEntries(Array.from({ length: many }, (_, i) => [`name ${i}`, 'x']));
    expect(fieldOf(operation, field, of(max))).toBe('taken');
    expect(fieldOf(operation, field, of(max + 1))).toBe(field);
  });
});

test.each(['metadata', 'custom_fields', 'delivery_address'])('a name in %s has 1 to 255 characters, none of them NUL', (field) => {
  const named = (name: string) => fieldOf('createOrder', field, { [name]: 'x' });
  for (const name of ['x', 'x'.repeat(255), '🍰'.repeat(255), '2026', ' ']) expect(named(name)).toBe('taken');
  for (const name of ['', 'x'.repeat(256), '🍰'.repeat(256), 'a\0']) expect(named(name)).toBe(`${field}.${name}`);
});
