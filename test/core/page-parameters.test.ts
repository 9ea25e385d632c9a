import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { pageParameters } from '../../shared/core/page-parameters.ts';

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
])('a limit of %j is %d', (limit, effective) => {
  expect(v.parse(schema, limit === undefined ? {} : { limit }).limit).toBe(effective);
});

test('a cursor is taken verbatim, an empty one too', () => {
  expect(v.parse(schema, { cursor: ' x ' }).cursor).toBe(' x ');
  expect(v.parse(schema, { cursor: '' }).cursor).toBe('');
  expect('cursor' in v.parse(schema, {})).toBe(false);
});
