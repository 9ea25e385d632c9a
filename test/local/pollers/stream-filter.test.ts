import { expect, test } from '@jest/globals';
import { matchesAny, matchesPattern } from '../../../local/pollers/stream.ts';
import { streamFilters } from '../../../shared/table/schema.ts';

const keyed = (pk: string) => ({ eventName: 'INSERT', dynamodb: { Keys: { pk: { S: pk }, sk: { S: 'x' } } } });

test('the stream filters let expenses through and nothing else', () => {
  expect(matchesAny(streamFilters, keyed('exp#acct_1'))).toBe(true);
  for (const pk of ['dlv#acct_1', 'exp', 'expx#acct_1', 'idm#exp#acct_1']) expect(matchesAny(streamFilters, keyed(pk))).toBe(false);
});

test.each([
  [{ a: ['x', 'y'] }, { a: 'y' }, true],
  [{ a: ['x'] }, { a: 'y' }, false],
  [{ a: [1] }, { a: '1' }, false],
  [{ a: [null] }, { a: null }, true],
  [{ a: [{ exists: false }] }, {}, true],
  [{ a: [{ exists: true }] }, {}, false],
  [{ a: { b: [{ prefix: 'x' }] } }, { a: { b: 'xyz' } }, true],
  [{ a: { b: [{ prefix: 'x' }] } }, { a: 'x' }, false],
  [{ a: ['x'], b: ['y'] }, { a: 'x' }, false],
])('the filter %j on %j gives %s', (pattern, value, matches) => {
  expect(matchesPattern(pattern, value)).toBe(matches);
});

test('a rule that the runtime does not know is an error, not a match', () => {
  expect(() => matchesPattern({ a: [{ suffix: 'x' }] }, { a: 'x' })).toThrow('does not know the filter rule');
});
