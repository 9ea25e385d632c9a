import { describe, expect, test } from '@jest/globals';
import { parse } from '../../shared/core/fields.ts';
import { at, freeTextsOf, holdersOf, inputs, rejectedField, samples, textsOf, withText } from '../contract/inputs.ts';
import { foreignTexts, impossibleTexts, storedText } from './texts.ts';

const fields = inputs.flatMap(({ name, schema }) =>
  samples[name] ? freeTextsOf(schema, samples[name]).map((field) => ({ name, schema, field })) : [],
);

test('every route and action that takes a text has a sample', () => {
  expect(inputs.filter(({ name, schema }) => !samples[name] && textsOf(schema).length > 0)).toEqual([]);
  expect(fields.length).toBeGreaterThan(150);
});

describe('difficult texts', () => {
  test.each(fields)('$name keeps every difficult text in $field, trimmed and without markup as specified', ({ name, schema, field }) => {
    const stored = foreignTexts.map(({ sent }) => at(parse(schema, withText(samples[name], field, sent)), field));
    expect(stored).toEqual(foreignTexts.map((text) => storedText(name, field, text)));
  });
});

describe('NUL and half surrogate pairs', () => {
  test.each(fields)('$name rejects NUL and half surrogate pairs in $field, and names the field', ({ name, schema, field }) => {
    for (const text of impossibleTexts) expect(rejectedField(schema, withText(samples[name], field, text))).toBe(field);
  });
});

const maps = inputs.flatMap(({ name, schema }) =>
  holdersOf(schema).flatMap(({ kind, path }) =>
    kind === 'map' ? [{ name, schema, map: path.map((part) => (part === '*' ? '0' : part)).join('.') }] : [],
  ),
);

describe('a free-form object', () => {
  const reserved = ['__proto__', 'prototype', 'constructor'];
  const names = foreignTexts.map(({ sent }) => sent).filter((name) => !reserved.includes(name) && !name.includes('.'));

  test.each(maps)('$name $map keeps every difficult name as it is sent', ({ name, schema, map }) => {
    // A record has at most fifty names.
    for (let first = 0; first < names.length; first += 40) {
      const some = names.slice(first, first + 40);
      const body = withText(samples[name], map, { ...at(samples[name], map), ...Object.fromEntries(some.map((named) => [named, 'x'])) });
      expect(Object.keys(at(parse(schema, body), map))).toEqual(expect.arrayContaining(some));
    }
  });

  test.each(maps)('$name $map rejects reserved names, NUL and half surrogate pairs, and names the entry', ({ name, schema, map }) => {
    for (const named of [...reserved, '', ...impossibleTexts]) {
      for (const value of ['x', 1, null, { deep: 'x' }, ['x']])
        expect(rejectedField(schema, withText(samples[name], `${map}.${named}`, value))).toBe(`${map}.${named}`);
    }
  });
});
