import { emailKey, unicodeEmail } from '../core/email.ts';
import { foldCase } from '../core/text.ts';

/**
 * How a person's name, email and phone are found in texts (decisions §7). People, browsers and
 * gateways write one name or number in several forms: all of them must match.
 */

/** A number with fewer digits is compared as written, because quantities and codes look the same. */
export const minPhoneDigits = 7;
/** Characters of the shortest text that identifies a person in a longer text. */
const minIdentifierLength = 2;

/** The apostrophes and hyphens that keyboards and word processors write for `'` and `-`. */
const apostrophes = "['’‘ʼʹ`´＇]";
const hyphens = '\\p{Pd}';
const spaces = '[\\s\\p{Cf}]';

/** Returns the form in which two names are equal, in any case, spacing, punctuation and Unicode form. */
export const nameKey = (name: string): string =>
  foldCase(name)
    .replaceAll(new RegExp(apostrophes, 'gu'), "'")
    .replaceAll(new RegExp(hyphens, 'gu'), '-')
    .replaceAll('ß', 'ss')
    .replaceAll('i\u0307', 'i')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[\s,]+/g, ' ')
    .trim();

/** Letters that have another form in the other case, each with a pattern of its forms. */
const letterForms: ReadonlyMap<string, string> = new Map([
  ['ß', '(?:ß|ss)'],
  ['ẞ', '(?:ß|ss)'],
  ['ss', '(?:ß|ss)'],
  ['i\u0307', '(?:i\u0307|\u0130|i)'],
  ['\u0130', '(?:i\u0307|\u0130|i)'],
]);

/** Returns a pattern of a word in all its forms. */
const formsOf = (word: string): string =>
  word.normalize('NFC').replaceAll(/ss|ẞ|ß|i\u0307|\u0130|[.*+?^${}()|[\]\\]|['’‘ʼʹ`´＇]|\p{Pd}/giu, (found) => {
    const form = letterForms.get(found.toLowerCase()) ?? letterForms.get(found);
    if (form !== undefined) return form;
    if (/\p{Pd}/u.test(found)) return hyphens;
    return new RegExp(apostrophes, 'u').test(found) ? apostrophes : `\\${found}`;
  });

const classOf = (scripts: readonly string[]): string => `[${scripts.map((name) => `\\p{scx=${name}}`).join('')}]`;
const withoutSpaces = classOf(['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']);
/** Scripts in which a full name has no space between its parts. */
const joinsNames = classOf(['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']);
/** A character of a word in a script with spaces. Some apostrophes are letters to Unicode. */
const inWord = String.raw`(?![ʼʹ]|${withoutSpaces})[\p{L}\p{M}\p{N}_]`;
const [beginsWithoutSpaces, endsWithoutSpaces] = [new RegExp(`^${withoutSpaces}`, 'u'), new RegExp(`${withoutSpaces}\\p{M}*$`, 'u')];
const endsJoined = new RegExp(`${joinsNames}\\p{M}*$`, 'u');
const beginsJoined = new RegExp(`^${joinsNames}`, 'u');

/**
 * Returns the pattern as one of whole words: the text around it begins and ends no word, except with a
 * possessive `s`, as in German. In a script without spaces, the text itself matches.
 */
const asWholeWords = (pattern: string, first: string, last: string): string => {
  const before = beginsWithoutSpaces.test(first) ? '' : `(?<!${inWord})`;
  const after = endsWithoutSpaces.test(last) ? '' : `s?(?!${inWord})`;
  return before + pattern + after;
};

const wordsOf = (text: string): readonly string[] =>
  text
    .normalize('NFC')
    .split(new RegExp(`${spaces}+`, 'u'))
    .filter(Boolean);

/** Returns a pattern of the text as written, with any white space between its words. */
const asWritten = (text: string): RegExp => {
  const words = wordsOf(text);
  return new RegExp(asWholeWords(words.map(formsOf).join(`${spaces}+`), words[0] ?? '', words.at(-1) ?? ''), 'giu');
};

/** Returns a pattern of what is between two parts of a name: white space or a comma. */
const betweenParts = (before: string, after: string): string => {
  const comma = `${spaces}*[,،，、・･]${spaces}*`;
  return `(?:${comma}|${spaces}${endsJoined.test(before) && beginsJoined.test(after) ? '*' : '+'})`;
};

/**
 * Returns a pattern of first and last name together, in either order. A name of one word has none: a
 * first or last name alone may be goods. The record of an order has both in one text, so each word
 * may begin the last name.
 */
const namePattern = (name: string): RegExp | undefined => {
  const words = wordsOf(name)
    .map((word) => word.replace(/,$/, ''))
    .filter(Boolean);
  if (words.length < 2) return undefined;
  const orders = words.map((_, index) => [...words.slice(index), ...words.slice(0, index)]);
  const patterns = orders.map((order) => {
    const joined = order.map((word, index) => (index === 0 ? '' : betweenParts(order[index - 1] ?? '', word)) + formsOf(word)).join('');
    return asWholeWords(joined, order[0] ?? '', order.at(-1) ?? '');
  });
  return new RegExp(patterns.join('|'), 'giu');
};

/**
 * Returns a pattern of the whole address: `ada@a.co` does not match inside `xada@a.co` or
 * `ada@a.co.uk`. It matches both forms of an international domain.
 */
export const emailPattern = (email: string): RegExp => {
  const key = emailKey(email);
  const at = key.lastIndexOf('@');
  const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('i\u0307', '(?:i\u0307|\u0130)');
  const domains = new Set([key, unicodeEmail(key)].map((one) => escaped(one.slice(one.lastIndexOf('@') + 1))));
  const wide = `(?!${withoutSpaces})`;
  return new RegExp(
    `(?<!${wide}[\\p{L}\\p{N}._+-])${escaped(key.slice(0, at))}@(?:${[...domains].join('|')})(?!${wide}[\\p{L}\\p{N}]|[-.]+${wide}[\\p{L}\\p{N}])`,
    'iu',
  );
};

const isDigit = (codePoint: number): boolean => /\p{Nd}/u.test(String.fromCodePoint(codePoint));

/**
 * Returns the value of a digit of any script. Unicode orders the digits of a script from 0 to 9. A
 * digit of two units gets an invisible character, so that positions in the text stay.
 */
const digitOf = (digit: string): string => {
  const codePoint = digit.codePointAt(0) ?? 0;
  let first = codePoint;
  while (isDigit(first - 1)) first--;
  return String((codePoint - first) % 10) + (digit.length > 1 ? '\u2060' : '');
};

/** Returns the text with the digits of every script as `0` to `9`, of the same length. */
export const withPlainDigits = (text: string): string => text.replaceAll(/[^\P{Nd}0-9]/gu, digitOf);

/** A country code, and the zero after it that people write for callers in the country. */
const localZero = /^(\D*(?:\+|00)\D*\d(?:\D*\d){0,2}\D*?)\(0\)/u;

/** Returns the digits of a phone number, without `00` or `+` at its beginning, and without `(0)`. */
export const phoneDigits = (phone: string): string =>
  withPlainDigits(phone.normalize('NFKC')).replace(localZero, '$1').replaceAll(/\D/g, '').replace(/^00/, '');

/**
 * Returns a pattern of the whole number, with any punctuation and invisible characters between its
 * digits, and `00` or `+` before them. A short number matches only as written.
 */
export const phonePattern = (phone: string): RegExp => {
  const digits = phoneDigits(phone);
  if (digits.length < minPhoneDigits) return new RegExp(asWritten(withPlainDigits(phone)), 'iu');
  const between = '[\\s\\p{P}\\p{Cf}+]*';
  const zero = `(?:${between}\\(0\\))?`;
  const joined = [...digits].map((digit, index) => (index === 0 ? '' : (index <= 3 ? zero : '') + between) + digit).join('');
  return new RegExp(`(?<!${inWord})(?:00|\\+)?${joined}(?!${inWord})`, 'iu');
};

/** A date or an amount with its separators. A phone number that is written like it is left. */
const dateOrAmount = /^(?:\d{4}[-/.]\d\d[-/.]\d\d|\d\d[-/.]\d\d[-/.]\d{4}|\d{1,3}(?:[,.]\d{3})+(?:[,.]\d\d)?|\d+[.,]\d\d)$/;
/** The decimals of an amount. */
const decimals = /^[.,]\d{1,2}(?![\d\p{L}]|[.,]\d)/u;

export interface Identifiers {
  readonly names: readonly unknown[];
  readonly emails: readonly unknown[];
  readonly phones: readonly unknown[];
}

type Pattern = readonly [pattern: RegExp, written?: string];

const identifiersIn = (values: readonly unknown[]): readonly string[] =>
  [...new Set(values)].filter((value): value is string => typeof value === 'string' && value.trim().length >= minIdentifierLength);

const patternsOf = ({ names, emails, phones }: Identifiers): readonly Pattern[] => [
  ...identifiersIn(emails).flatMap((email): readonly Pattern[] => (email.includes('@') ? [[emailPattern(email)]] : [])),
  ...identifiersIn(names).flatMap((name): readonly Pattern[] => {
    const pattern = namePattern(name);
    return pattern ? [[pattern]] : [];
  }),
  ...identifiersIn(phones).map((phone): Pattern => [phonePattern(phone), phone]),
];

/** Replaces each match. A phone is searched in the text with plain digits, which keeps its own. */
const replaceMatches = (text: string, [pattern, written]: Pattern): string => {
  const plain = written === undefined ? text : withPlainDigits(text);
  let rest = '';
  let end = 0;
  for (const match of plain.matchAll(new RegExp(pattern, 'giu'))) {
    const [found] = match;
    const after = match.index + found.length;
    const isOther = (found !== written && dateOrAmount.test(found)) || decimals.test(plain.slice(after));
    if (written !== undefined && isOther) continue;
    rest += `${text.slice(end, match.index)}[erased]`;
    end = after;
  }
  return rest + text.slice(end);
};

/**
 * Replaces each identifier in the text (decisions §7): names, emails and phone numbers as whole
 * words, in every form.
 */
export const withoutIdentifiers = (text: string, identifiers: Identifiers): string => {
  const composed = text.normalize('NFC');
  const redacted = patternsOf(identifiers).reduce(replaceMatches, composed);
  return redacted === composed ? text : redacted;
};

/**
 * Decodes percent-encoding up to five times, for URLs within the query of URLs. The number is
 * limited because strangers choose the texts.
 */
export const decodePercent = (text: string, times = 5): string => {
  const once = text.replaceAll(/(?:%[\da-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString());
  return once === text || times === 1 ? once : decodePercent(once, times - 1);
};
