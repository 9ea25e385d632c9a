import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import {
  bounds,
  endOfRange,
  filterText,
  finiteNumber,
  inQuery,
  isoMs,
  markup,
  momentMs,
  money,
  notNegativeMoney,
  openRecord,
  orNull,
  parse,
  partial,
  positiveMoney,
  record,
  requiredText,
  seconds,
  tags,
  text,
  untilInQuery,
  url,
} from '../../shared/core/fields.ts';

const read = (schema: v.GenericSchema, value: unknown) => parse(record({ member: schema }), { member: value }).member;
const invalidValue = (field: string) => expect.objectContaining({ code: 'invalid_value', details: { field } });
const expectRejected = (schema: v.GenericSchema, value: unknown, field = 'member') =>
  expect(() => read(schema, value)).toThrow(invalidValue(field));

const stringKinds = [
  ['text', text()],
  ['requiredText', requiredText()],
  ['url', url()],
  ['markup', markup()],
  ['filterText', filterText()],
] as const;

describe.each(stringKinds)('%s', (name, schema) => {
  test(`${name} rejects NUL characters, half surrogate pairs and values that are not strings`, () => {
    for (const value of ['a\0b', 'a\ud83c', '\udf70\ud83c', 5, true, [], {}, ['a']]) expectRejected(schema, value);
  });
});

describe('text', () => {
  test('text is trimmed and stripped of HTML', () => {
    expect(read(text(), '  <b> Flour </b>\n')).toBe('Flour');
  });

  test('text is rejected if it is too long before HTML is removed', () => {
    for (const unit of ['<!--', '<', '<a', '<b>']) expectRejected(text(), unit.repeat(60_000));
    for (const unit of ['<!--', '<', '<a']) read(text(), unit.repeat(63));
    read(text(), `${'<'.repeat(85)}${'a>'.repeat(85)}`);
  });

  test('text is measured without the white space around it', () => {
    expect(read(text(), ` ${'a'.repeat(bounds.text)} `)).toHaveLength(bounds.text);
  });

  test('text is rejected if it is required and empty without HTML', () => {
    for (const value of ['', '  ', '<b></b>']) expectRejected(requiredText(), value);
  });
});

test('markup keeps its tags and inner white space, trimmed at the ends', () => {
  expect(read(markup(), '\n <p>two\n lines</p> ')).toBe('<p>two\n lines</p>');
});

test('a filter is neither trimmed nor stripped', () => {
  expect(read(filterText(), ' <b>x</b> ')).toBe(' <b>x</b> ');
});

describe('numbers', () => {
  test.each([['5'], [Number.POSITIVE_INFINITY], [Number.NaN], [1e12], [-1e12], [1e300], [true], [[5]]])(
    '%p is not a valid amount',
    (value) => {
      for (const schema of [money(), positiveMoney(), finiteNumber()]) expectRejected(schema, value);
    },
  );

  test('the maximum applies to the rounded amount', () => {
    for (const schema of [money(), positiveMoney(), notNegativeMoney()]) {
      for (const value of [999_999_999_999.995, 999_999_999_999.9999]) expectRejected(schema, value);
      expect(read(schema, 999_999_999_999.994)).toBe(999_999_999_999.99);
    }
    for (const value of [-999_999_999_999.995, -1e12]) expectRejected(money(), value);
    expect(read(money(), -999_999_999_999.994)).toBe(-999_999_999_999.99);
  });

  test('an amount that rounds to 0 is rejected if it must be greater', () => {
    for (const value of [0, -0, -1, 0.004, 5e-324]) expectRejected(positiveMoney(), value);
    expect(read(positiveMoney(), 0.005)).toBe(0.01);
    expect(read(money(), -1.005)).toBe(-1.01);
  });

  test('a plain number keeps every digit, within what the table can store', () => {
    expect([0, 12.345678, -0.5, 1e-9].map((value) => read(finiteNumber(), value))).toEqual([0, 12.345678, -0.5, 1e-9]);
    for (const value of [1e-300, -1e-10, 5e-324]) expectRejected(finiteNumber(), value);
  });
});

test('a time must be a text, and may have white space around it', () => {
  expect(read(seconds(), ' 2026-03-05 ')).toBe(1_772_668_800);
  expect(read(seconds(), '1772668800')).toBe(1_772_668_800);
  expect(read(isoMs(), '2026-03-05T00:00:00.001Z')).toBe(1_772_668_800_001);
  expect(read(isoMs(), '20260305')).toBe(1_772_668_800_000);
  expect(read(momentMs(), '20260305')).toBe(1_772_668_800_000);
  expect(read(momentMs(), '1772668800')).toBe(1_772_668_800_000);
  for (const schema of [seconds(), momentMs(), isoMs()])
    for (const value of [1_772_668_800, 20_260_305, '', 'soon', null]) expectRejected(schema, value);
  for (const value of ['1772668800', 1_772_668_800_000]) expectRejected(isoMs(), value);
});

describe("a space before a time zone's offset", () => {
  test("a space before a time zone's offset is read as a plus sign in a query", () => {
    for (const text of ['2026-03-05T02:00:00 02:00', ' 2026-03-05T02:00 0200 ', '2026-03-05T02:00 02', '2026-03-05T02:00+02:00']) {
      expect(read(inQuery(isoMs()), text)).toBe(1_772_668_800_000);
      expect(read(untilInQuery(seconds()), text)).toBe(1_772_668_800);
    }
  });

  test("a space before a time zone's offset is invalid in a body", () => {
    for (const schema of [seconds(), momentMs(), isoMs(), endOfRange(momentMs())]) expectRejected(schema, '2026-03-05T02:00:00 02:00');
  });

  test("a space before a time zone's offset is invalid elsewhere in a query's time", () => {
    for (const text of [
      '2026-03-05 02:00',
      '2026-03-05 02',
      '2026 03-05',
      '2026-03-05T10:00  02:00',
      '1772668800 02',
      '2026-03-05T10:00Z 02',
    ])
      expectRejected(inQuery(seconds()), text);
  });
});

test.each([
  ['a query', untilInQuery(momentMs())],
  ['a body', endOfRange(momentMs())],
])('the end of a range in %s includes the whole UTC day of a date in every spelling', (_, schema) => {
  const seen = ['2026-03-05', '20260305', ' 20260305 ', '2026-03-05T10:00Z', '1772668800'].map((text) => read(schema, text));
  expect(seen).toEqual([...Array(3).fill(1_772_755_199_999), 1_772_704_800_000, 1_772_668_800_000]);
});

describe('parsing', () => {
  const schema = record({ name: text(), supplier: orNull(record({ id: orNull(text()) })) });

  test('parsing drops unknown fields', () => {
    expect(parse(schema, { name: 'a', other: 1 })).toEqual({ name: 'a', supplier: null });
  });

  test('parsing ignores inherited fields', () => {
    expect(() => parse(schema, JSON.parse('{"__proto__": {"name": "a"}}'))).toThrow(invalidValue('name'));
    expect(parse(openRecord({}, v.unknown()), JSON.parse('{"toString": 1}'))).toEqual({ toString: 1 });
  });

  test('parsing throws an error with the path of the first invalid field', () => {
    expect(() => parse(schema, {})).toThrow(invalidValue('name'));
    expect(() => parse(schema, { name: 'a', supplier: { id: 5 } })).toThrow(invalidValue('supplier.id'));
    expect(() => parse(schema, { name: 'a', supplier: [] })).toThrow(invalidValue('supplier'));
  });

  test('parsing throws an error that calls a missing field required, or states the rule of an invalid one', () => {
    expect(() => parse(schema, {})).toThrow('name is required.');
    expect(() => parse(schema, { name: 5 })).toThrow('name must be a string.');
  });

  test('parsing rejects a value that is not an object without a field', () => {
    for (const value of [null, [], 'text', 5]) {
      expect(() => parse(schema, value, 'input')).toThrow(
        expect.objectContaining({ message: 'The input must be an object.', details: {} }),
      );
    }
  });

  test('parsing keeps absent fields of a change absent', () => {
    const changes = record(partial({ name: text(), tags: tags() }));
    expect(parse(changes, {})).toEqual({});
    expect(parse(changes, { tags: null })).toEqual({ tags: [] });
  });
});
