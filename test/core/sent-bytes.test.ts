import { expect, test } from '@jest/globals';
import { sentBytes } from '../../shared/core/sent-bytes.ts';

test.each([
  ['a letter', 'x', 1],
  ['a quote', '"', 4],
  ['a backslash', '\\', 4],
  ['a line end', '\n', 3],
  ['a control character', '\u0001', 7],
  ['an emoji', '🍰', 4],
])('a response takes as many bytes for %s as Lambda sends', (_title, character, bytes) => {
  const view = { text: character.repeat(100) };
  const payload = JSON.stringify({ body: JSON.stringify(view) });
  expect(sentBytes(view)).toBe(Buffer.byteLength(payload) - '{"body":}'.length);
  expect(sentBytes(view) - sentBytes({ text: '' })).toBe(100 * bytes);
});
