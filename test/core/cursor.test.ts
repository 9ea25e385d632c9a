import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Cursor, decodeCursor, encodeCursor } from '../../shared/core/cursor.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 60 });
const cursors: fc.Arbitrary<Cursor> = fc.record({ fingerprint: anyText, position: anyText, id: anyText });

test('a cursor reads back as it was made, and is safe in a query string', () => {
  fc.assert(
    fc.property(cursors, (cursor) => {
      const text = encodeCursor(cursor);
      expect(decodeCursor(text)).toEqual(cursor);
      expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
    }),
  );
});

test('a text is a cursor only where it is the one spelling of it', () => {
  const encoded = fc.json().map((json) => Buffer.from(json).toString('base64url'));
  fc.assert(
    fc.property(fc.oneof(anyText, encoded, fc.base64String()), (text) => {
      const cursor = decodeCursor(text);
      if (cursor) expect(encodeCursor(cursor)).toBe(text);
    }),
  );
});

test('one character changed, added or taken away never reads as the same cursor', () => {
  fc.assert(
    fc.property(cursors, fc.nat(), fc.constantFrom('', 'A', '=', '\n', 'AA', ' '), (cursor, seed, edit) => {
      const text = encodeCursor(cursor);
      const i = seed % (text.length + 1);
      const edited = text.slice(0, i) + edit + text.slice(i + 1);
      if (edited !== text) expect(decodeCursor(edited)).not.toEqual(cursor);
    }),
  );
});

const made = encodeCursor({ fingerprint: 'f', position: 'p', id: 'i' });
const packed = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

test.each([
  ['nothing', ''],
  ['words', 'not-a-cursor'],
  ['padding', `${made}=`],
  ['a space behind it', `${made} `],
  ['a JSON null', packed(null)],
  ['an object', packed({ position: 'p', id: 'i' })],
  ['another version', packed([2, 'f', 'p', 'i'])],
  ['one member too few', packed([1, 'f', 'p'])],
  ['one member too many', packed([1, 'f', 'p', 'i', 'x'])],
  ['a number for an id', packed([1, 'f', 'p', 7])],
  ['spaces in its JSON', Buffer.from('[1, "f", "p", "i"]').toString('base64url')],
  ['bytes that are no UTF-8', Buffer.from([0xff, 0xfe, 0x5b]).toString('base64url')],
])('%s does not decode', (_what, text) => {
  expect(decodeCursor(text)).toBeUndefined();
});
