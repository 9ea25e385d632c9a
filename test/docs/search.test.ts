import { expect, test } from '@jest/globals';
import { textOf } from '../../pages/docs/markdown.ts';
import { indexOf, partsOf, readIndex, snippetOf } from '../../pages/docs/search-index.ts';

const marked = (text: string, words: readonly string[]) =>
  snippetOf(text, words)
    .map((part) => (part.isMatch ? `[${part.text}]` : part.text))
    .join('');

test('a search result returns its text and the words that matched', () => {
  const text = 'Replace the secret without a pause.';
  const [found] = readIndex(indexOf([{ id: 'webhooks/', title: 'Webhooks', page: 'Webhooks', text }])).search('secrt');
  expect(found).toMatchObject({ id: 'webhooks/', text, terms: ['secret'] });
});

test('a snippet marks each whole word that matched, in any case, and no part of another word', () => {
  expect(marked('Secret and secrets: the secret.', ['secret.', 'secret'])).toBe('[Secret] and secrets: the [secret].');
});

test('a snippet of a long text shows about 150 characters around the first match, from word to word', () => {
  const text = `${'first words '.repeat(50)}the secret ${'last words '.repeat(50)}`;
  const snippet = marked(text, ['secret']);
  expect(snippet).toMatch(/^… (first|words) .*the \[secret\] last .* (last|words) …$/);
  expect(snippet.length).toBeLessThan(170);
});

test('a snippet of a text without a match is its beginning', () => {
  expect(snippetOf('Rules for every request.', ['(none)'])).toEqual([{ text: 'Rules for every request.', isMatch: false }]);
  expect(partsOf('Rules', [])).toEqual([{ text: 'Rules', isMatch: false }]);
});

test('the plain text of Markdown has no marks, and keeps the code of samples', () => {
  const markdown = [
    '## Verify',
    'See [the `secret`](webhooks.md) and **wait**.',
    '- [ ] one',
    '| A | B |',
    '|---|---|',
    '| c | d |',
    '```ts a.ts',
    'run()',
    '```',
  ];
  expect(textOf(markdown.join('\n'))).toBe('Verify See the secret and wait. one A · B c · d run()');
});
