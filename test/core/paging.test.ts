import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as v from 'valibot';
import { type Cursor, decodeCursor, encodeCursor, pageParameters } from '../../shared/core/paging.ts';
import { anyCharacter } from '../support/any-character.ts';

const anyText = fc.string({ unit: anyCharacter, maxLength: 60 });
const cursors: fc.Arbitrary<Cursor> = fc.record({ fingerprint: anyText, position: anyText, id: anyText });

test('a cursor decodes to what was encoded, and needs no escaping in a query', () => {
  fc.assert(
    fc.property(cursors, (cursor) => {
      const text = encodeCursor(cursor);
      expect(decodeCursor(text)).toEqual(cursor);
      expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
    }),
  );
});

test('a cursor is valid only in its canonical spelling', () => {
  const encoded = fc.json().map((json) => Buffer.from(json).toString('base64url'));
  fc.assert(
    fc.property(fc.oneof(anyText, encoded, fc.base64String()), (text) => {
      const cursor = decodeCursor(text);
      if (cursor) expect(encodeCursor(cursor)).toBe(text);
    }),
  );
});

test('a cursor with a changed, added or missing character never decodes to the same cursor', () => {
  fc.assert(
    fc.property(cursors, fc.nat(), fc.constantFrom('', 'A', '=', '\n', 'AA', ' '), (cursor, seed, edit) => {
      const text = encodeCursor(cursor);
      const i = seed % (text.length + 1);
      const edited = text.slice(0, i) + edit + text.slice(i + 1);
      if (edited !== text) expect(decodeCursor(edited)).not.toEqual(cursor);
    }),
  );
});

const schema = v.object(pageParameters);

test.each<readonly [string | undefined, number]>([
  [undefined, 50],
  ['', 50],
  [' ', 50],
  ['abc', 50],
  ['10abc', 50],
  ['NaN', 50],
  ['Infinity', 50],
  ['null', 50],
  ['1', 1],
  ['50', 50],
  ['100', 100],
  ['101', 100],
  ['99999999999999999999', 100],
  ['0', 1],
  ['-1', 1],
  ['-99999', 1],
  ['-0', 1],
  ['+5', 5],
  ['007', 7],
  [' 7 ', 7],
  ['0.5', 1],
  ['10.5', 10],
  ['5.', 5],
  ['1e2', 100],
  ...['0x10', '0b11', '0o7', '1_0', '1,000', '٣', '５', '--1', '+', '5 5'].map((limit) => [limit, 50] as const),
])('a limit of %j counts as %d', (limit, effective) => {
  expect(v.parse(schema, limit === undefined ? {} : { limit }).limit).toBe(effective);
});

test('the parameter cursor is neither trimmed nor dropped, even if it is empty', () => {
  expect(v.parse(schema, { cursor: ' x ' }).cursor).toBe(' x ');
  expect(v.parse(schema, { cursor: '' }).cursor).toBe('');
  expect('cursor' in v.parse(schema, {})).toBe(false);
});
