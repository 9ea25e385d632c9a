import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ApiError } from '../../shared/core/errors.ts';
import { parse } from '../../shared/core/fields.ts';
import { type Holder, holdersOf, inputs, samples } from './inputs.ts';

/** `any`: these tests inspect schemas and values of every shape. */
type Json = any;

/** Returns the error of a value; undefined if the value is accepted. */
const rejectionOf = (schema: Json, value: Json): { readonly field: string; readonly message: string } | undefined => {
  try {
    parse(schema, value);
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { field: error.details.field ?? '', message: error.message };
  }
};

const at = (value: Json, path: readonly string[]): Json => path.reduce((inner, name) => inner?.[name], value);

/** The requirement in each message, and a check of a value against it. */
const claims: readonly (readonly [RegExp, (value: unknown) => boolean])[] = [
  [/must be a string\.$/, (value) => typeof value === 'string'],
  [/must be a number\.$/, (value) => typeof value === 'number'],
  [/must be true or false\.$/, (value) => typeof value === 'boolean'],
  [/must be an array/, (value) => Array.isArray(value)],
  [/must be an object\.$/, (value) => typeof value === 'object' && value !== null && !Array.isArray(value)],
  [/is required/, (value) => value !== undefined && value !== null && value !== ''],
];

/**
 * Requirements of the message that the value already meets. A caller who follows them would have
 * nothing to change.
 */
const contradictions = ({ field, message }: { field: string; message: string }, input: Json): readonly string[] => {
  const value = at(input, field.split('.'));
  return claims.flatMap(([says, isThat]) => (says.test(message) && isThat(value) ? [`${message} It is ${JSON.stringify(value)}`] : []));
};

const wrong = [5, true, null, {}, [], [[]], '\0', 'x'.repeat(30_000)];

/** Adds an entry to a list, or under `2026` to a map. Returns the sample and the entry's name. */
const withEntry = (sample: Json, { kind, path }: Holder, entry: unknown) => {
  const input = structuredClone(sample);
  const real: string[] = [];
  for (const name of path) real.push(name === '*' ? (Object.keys(at(input, real))[0] ?? '') : name);
  const holder = at(input, real);
  const name = kind === 'list' ? String(holder.length) : '2026';
  holder[name] = entry;
  return { input, field: [...real, name].join('.') };
};

const holders = inputs.flatMap(({ name, schema }) =>
  [...new Map(holdersOf(schema).map((holder) => [`${name}: ${holder.path.join('.')} (${holder.kind})`, holder]))].map(
    ([title, holder]) => ({ title, name, schema, holder }),
  ),
);

test('the test finds lists and maps at their known paths', () => {
  expect(holders.length).toBeGreaterThan(50);
  const known = ['createOrder: items (list)', 'createExpense: tags (list)', 'createOrder: metadata (map)', 'createWebhook: events (list)'];
  expect(holders.map(({ title }) => title)).toEqual(
    expect.arrayContaining([...known, 'settings.put: time_slots.pickup.*.available_days (list)']),
  );
});

test('every sample is valid', () => {
  const rejected = inputs.flatMap(({ name, schema }) => (samples[name] ? [[name, rejectionOf(schema, samples[name])]] : []));
  expect(rejected.filter(([, rejection]) => rejection)).toEqual([]);
});

describe('wrong entries of lists and maps', () => {
  test.each(holders)('$title names a wrong entry by its index or key', ({ name, schema, holder }) => {
    const rejected = wrong.flatMap((entry) => {
      const { input, field } = withEntry(samples[name], holder, entry);
      const rejection = rejectionOf(schema, input);
      return rejection ? [{ rejection, field, input }] : [];
    });
    expect(rejected).not.toEqual([]);
    for (const { rejection, field, input } of rejected) {
      expect(`${rejection.field}.`).toMatch(new RegExp(`^${field.replaceAll('.', '\\.')}\\.`));
      expect(rejection.message.startsWith(`${rejection.field} `)).toBe(true);
      expect(contradictions(rejection, input)).toEqual([]);
    }
  });
});

/** Every path in a value. */
const pathsOf = (value: Json, path: readonly string[] = []): readonly (readonly string[])[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, nested]) => [[...path, name], ...pathsOf(nested, [...path, name])])
    : [];

const anything = fc.oneof(
  fc.constantFrom(null, true, 0, -1, 1e13, '', 'x', '\0', 'x'.repeat(300)),
  fc.object({
    key: fc.stringMatching(/^[a-z]{1,3}$/),
    maxDepth: 2,
    withNullPrototype: false,
    values: [fc.integer(), fc.constant('x'), fc.boolean()],
  }),
  fc.array(fc.constantFrom(null, 5, 'x', true, {}, [])),
);

describe('any value anywhere', () => {
  test.each(inputs.filter(({ name }) => pathsOf(samples[name] ?? {}).length > 0))(
    'the error of $name names the right field and is true, for any value anywhere',
    ({ name, schema }) => {
      fc.assert(
        fc.property(fc.constantFrom(...pathsOf(samples[name])), anything, (path, value) => {
          const input = structuredClone(samples[name]);
          at(input, path.slice(0, -1))[path.at(-1) ?? ''] = value;
          const rejection = rejectionOf(schema, input);
          if (!rejection) return;
          expect(rejection.message.startsWith(`${rejection.field} `)).toBe(true);
          expect(typeof at(input, rejection.field.split('.').slice(0, -1))).toBe('object');
          expect(contradictions(rejection, input)).toEqual([]);
        }),
        { numRuns: 300 },
      );
    },
  );
});
