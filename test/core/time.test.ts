import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dayOf, endOfDay, isCalendarDate, isoFromMs, isoFromSeconds, parseIso, parseMoment, parseSeconds } from '../../shared/core/time.ts';

const at = (iso: string) => Date.parse(iso);

describe('valid times', () => {
  test.each([
    ['2026-03-05', '2026-03-05T00:00:00.000Z'],
    ['2026-03-05T10:20', '2026-03-05T10:20:00.000Z'],
    ['2026-03-05T10:20:30', '2026-03-05T10:20:30.000Z'],
    ['2026-03-05T10:20:30Z', '2026-03-05T10:20:30.000Z'],
    ['2026-03-05T10:20:30.5Z', '2026-03-05T10:20:30.500Z'],
    ['2026-03-05T10:20:30,25Z', '2026-03-05T10:20:30.250Z'],
    ['2026-03-05T10:20:30.123456789Z', '2026-03-05T10:20:30.123Z'],
    ['2026-03-05T10:20:30+02:00', '2026-03-05T08:20:30.000Z'],
    ['2026-03-05T10:20:30-0530', '2026-03-05T15:50:30.000Z'],
    ['2026-03-05T10:20:30+14', '2026-03-04T20:20:30.000Z'],
    ['2026-03-05t10:20:30z', '2026-03-05T10:20:30.000Z'],
    ['2026-03-05t10:20:30.5+02:00', '2026-03-05T08:20:30.500Z'],
    ['20260305', '2026-03-05T00:00:00.000Z'],
    ['20240229', '2024-02-29T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29', '2000-02-29T00:00:00.000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('parseIso reads %s as %s', (text, iso) => {
    expect(parseIso(text)).toBe(at(iso));
  });
});

test.each([
  ['2026-03-05T10:20:30.123000001Z', '2026-03-05T10:20:30.124Z'],
  ['2026-03-05T10:20:30.9999Z', '2026-03-05T10:20:31.000Z'],
  ['2026-03-05T23:59:59.999999999Z', '2026-03-06T00:00:00.000Z'],
  ['2026-03-05T10:20:30.123000000Z', '2026-03-05T10:20:30.123Z'],
  ['2026-03-05T10:20:30Z', '2026-03-05T10:20:30.000Z'],
  ['2026-03-05', '2026-03-05T00:00:00.000Z'],
])('the start of a range %s rounds to %s', (text, iso) => {
  expect(parseIso(text, 'up')).toBe(at(iso));
  expect(parseSeconds(text, 'up')).toBe(Math.ceil(at(iso) / 1000));
});

describe('invalid times', () => {
  test.each([
    ['a day that February lacks', '2026-02-29'],
    ['a century that is no leap year', '1900-02-29'],
    ['a 31st of April', '2026-04-31'],
    ['a thirteenth month', '2026-13-01'],
    ['a month 0', '2026-00-10'],
    ['a day 0', '2026-01-00'],
    ['an hour 24', '2026-01-01T24:00:00Z'],
    ['a minute 60', '2026-01-01T10:60:00Z'],
    ['a second 60', '2026-01-01T10:00:60Z'],
    ['an offset of 24 hours', '2026-01-01T10:00:00+24:00'],
    ['an offset of 60 minutes', '2026-01-01T10:00:00+01:60'],
    ['a moment after the year 9999', '9999-12-31T23:59:59-01:00'],
    ['a year of five digits', '12026-01-01'],
    ['one digit too few', '2026-1-1'],
    ['a zone without a time', '2026-01-01Z'],
    ['an hour alone', '2026-01-01T10'],
    ['text behind it', '2026-01-01 noon'],
    ['a line break behind it', '2026-01-01\n'],
    ['a space instead of a plus', '2026-03-05T10:20:30 02:00'],
    ['a day without hyphens and a time', '20260305T10:20:30Z'],
    ['a hyphen too few', '2026-0305'],
    ['a date of another culture', '01/02/2026'],
    ['words', 'yesterday'],
    ['a week date', '2026-W10-4'],
    ['an ordinal date', '2026-064'],
    ['a fraction of ten digits', '2026-03-05T10:20:30.1234567890Z'],
    ['nothing', ''],
    ['digits of another script', '٢٠٢٦-٠١-٠١'],
  ])('parseIso rejects %s', (_what, text) => {
    expect(parseIso(text)).toBeUndefined();
    expect(parseSeconds(text)).toBeUndefined();
  });
});

test('parseIso reads back every time of a year with four digits', () => {
  fc.assert(
    fc.property(fc.integer({ min: at('0001-01-01'), max: at('9999-12-31T23:59:59.999Z') }), (ms) => {
      expect(parseIso(isoFromMs(ms))).toBe(ms);
      expect(parseSeconds(isoFromMs(ms))).toBe(Math.floor(ms / 1000));
      expect(parseSeconds(isoFromMs(ms), 'up')).toBe(Math.ceil(ms / 1000));
    }),
  );
});

test('parseIso never throws, and every time that it returns can be written', () => {
  const likely = fc.stringMatching(/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2})?)?$/);
  fc.assert(
    fc.property(fc.oneof(likely, fc.string()), (text) => {
      const ms = parseIso(text);
      if (ms !== undefined) expect(isoFromMs(ms)).toMatch(/\.\d{3}Z$/);
    }),
  );
});

describe('parseMoment', () => {
  test.each([
    ['1', 1],
    ['0', 0],
    ['1772668800', 1_772_668_800],
    ['253402300799', 253_402_300_799],
    ['0001772668800', 1_772_668_800],
  ])('parseMoment reads %s as epoch seconds', (text, seconds) => {
    expect([parseSeconds(text), parseMoment(text)]).toEqual([seconds, seconds * 1000]);
  });

  test.each(['20260305', '20240229', '00010101', '99991231'])('parseMoment reads %s as a calendar day', (text) => {
    const day = `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;
    expect([parseSeconds(text), parseMoment(text)]).toEqual([at(day) / 1000, at(day)]);
  });

  test.each(['20260230', '20261301', '20260300', '20230229', '99999999', '00000000', '2026030', '202603051'])(
    'parseMoment reads %s as epoch seconds, because it is not a calendar day',
    (text) => {
      expect(parseSeconds(text)).toBe(Number(text));
    },
  );

  test('parseMoment reads eight digits as a date, or as epoch seconds if no such date exists', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{8}$/), (text) => {
        const day = `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;
        expect(parseSeconds(text)).toBe(isCalendarDate(day) ? at(day) / 1000 : Number(text));
      }),
    );
  });

  test.each(['253402300800', '1772668800000', '9'.repeat(400), '-1', '1.5', '1e9', '+1', '0x10', ' 1', '１２', ''])(
    'parseMoment rejects %p',
    (text) => {
      expect([parseSeconds(text), parseMoment(text)]).toEqual([undefined, undefined]);
    },
  );

  test('parseMoment writes times with milliseconds and Z', () => {
    expect(isoFromSeconds(1_772_668_800)).toBe('2026-03-05T00:00:00.000Z');
  });
});

test('a calendar date has hyphens, no time, and exists', () => {
  expect(['2024-02-29', '2026-02-29', '2026-01-01T00:00', '20260305', '1772668800'].map(isCalendarDate)).toEqual([
    ...[true, false],
    ...[false, false, false],
  ]);
});

test.each([
  ['2026-03-05', '2026-03-05T23:59:59.999Z'],
  ['20260305', '2026-03-05T23:59:59.999Z'],
  ['2026-03-05T10:00', '2026-03-05T10:00'],
  ['20260230', '20260230'],
  ['1772668800', '1772668800'],
  ['soon', 'soon'],
])('endOfDay of %s is %s', (text, end) => {
  expect(endOfDay(text)).toBe(end);
});

describe('dayOf', () => {
  test.each([
    ['2026-03-05', 'Australia/Sydney', '2026-03-05'],
    ['20260305', 'America/New_York', '2026-03-05'],
    ['2026-03-05T23:30:00Z', 'Australia/Sydney', '2026-03-06'],
    ['2026-03-05T03:30:00Z', 'America/New_York', '2026-03-04'],
    ['1772668800', 'America/New_York', '2026-03-04'],
    ['0987-03-05T12:00:00Z', 'UTC', '0987-03-05'],
  ])('dayOf of %s in %s is %s', (text, timeZone, day) => {
    expect(dayOf(text, timeZone)).toBe(day);
  });
});
