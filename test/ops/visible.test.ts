import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { visibleLine, visibly } from '../../ops/terminal.ts';
import { run } from './command.ts';

const hostile = ['\0', '\t', '\r', '\x1b', '\x7f', '\x9b', '\u00ad', '\u061c', '\u200b', '\u200e', '\u2028', '\u202e', '\u2066', '\ufeff'];

test('an error shows control, bidi and invisible characters of a text as escapes and stays one JSON document', async () => {
  const name = `${hostile.slice(1).join('')}\n\u{e0041}`;
  const { code, stderr } = await run(['listen', name]);
  expect(code).toBe(1);
  expect(stderr).not.toMatch(/[^\P{C}\n]|[\u2028\u2029]/u);
  expect(JSON.parse(stderr).error.message).toContain(name);
});

test.each([...hostile, '\n'])('a line shows %j as an escape', (character) => {
  expect(visibleLine(`a${character}b`)).toBe(`a\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}b`);
});

test('letters of every script, accents and emoji pass unchanged', () => {
  expect(visibleLine('Crème “Ünï” שלום 日本 🥐 ✓ → …')).toBe('Crème “Ünï” שלום 日本 🥐 ✓ → …');
});

test('a terminal passes line ends and escapes the rest on both streams', () => {
  const shown: string[] = [];
  const stream = (text: string) => void shown.push(text);
  const terminal = visibly({ env: {}, stdin: Readable.from([]), stdout: stream, stderr: stream });
  terminal.stdout('a\x1b\n');
  terminal.stderr('\u202e\nb');
  expect(shown).toEqual(['a\\u001b\n', '\\u202e\nb']);
});
