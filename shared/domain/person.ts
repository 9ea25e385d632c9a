import { foldCase } from '../core/text.ts';
import { customerName, emailKey } from './customer/fields.ts';
import type { CustomerDetails } from './customer/input.ts';

/**
 * Data that identifies a person, without the customer id. It is kept until the erasure is complete.
 */
export interface Person {
  readonly id: string;
  /** The email's key (`emailKey`). */
  readonly email: string | null;
  readonly phone: string | null;
  readonly name: string | null;
}

/** Characters of the shortest text that identifies a person in a longer text. */
const leastIdentifier = 2;
/** A number with fewer digits is compared as written, because quantities and codes look the same. */
const leastPhoneDigits = 7;

/** Escapes the characters that have a meaning in a pattern. The flag `u` rejects other escapes. */
const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

const scriptsWithoutSpaces = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
const withoutSpaces = `[${scriptsWithoutSpaces.map((name) => `\\p{scx=${name}}`).join('')}]`;
/** A character of a word in a script with spaces. */
const inWord = String.raw`(?!${withoutSpaces})[\p{L}\p{M}\p{N}_]`;
const [beginsWithoutSpaces, endsWithoutSpaces] = [new RegExp(`^${withoutSpaces}`, 'u'), new RegExp(`${withoutSpaces}\\p{M}*$`, 'u')];

/**
 * Returns a pattern of the text as a whole word, with any white space between its words. In a script
 * without spaces, the text itself matches.
 */
const wordPattern = (text: string): RegExp => {
  const whole = text.normalize('NFC').trim();
  const before = beginsWithoutSpaces.test(whole) ? '' : `(?<!${inWord})`;
  const after = endsWithoutSpaces.test(whole) ? '' : `(?!${inWord})`;
  return new RegExp(before + escaped(whole).replaceAll(/\s+/g, '\\s+') + after, 'u');
};

export const sameEmail = (email: unknown, person: Person): boolean =>
  typeof email === 'string' && person.email !== null && emailKey(email) === emailKey(person.email);

const nameKey = (name: string): string => foldCase(name).replaceAll(/\s+/g, ' ').trim();

/**
 * Whether first and last name together are the person's. Ignores case, spacing and Unicode form.
 */
const hasBothNames = (details: CustomerDetails, { name }: Person): boolean => {
  if (name === null || !details.first_name?.trim() || !details.last_name?.trim()) return false;
  return nameKey(customerName(details) ?? '') === nameKey(name);
};

/**
 * Returns a pattern of the whole address: `ada@a.co` does not match inside `xada@a.co` or
 * `ada@a.co.uk`.
 */
const emailPattern = (email: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}._+-])${escaped(emailKey(email))}(?![\\p{L}\\p{N}-]|\\.[\\p{L}\\p{N}])`, 'u');

const isDigit = (codePoint: number): boolean => /\p{Nd}/u.test(String.fromCodePoint(codePoint));

/**
 * Returns the value of a digit of any script. Unicode orders the digits of a script from 0 to 9.
 */
const digitOf = (digit: string): string => {
  const codePoint = digit.codePointAt(0) ?? 0;
  let first = codePoint;
  while (isDigit(first - 1)) first--;
  return String((codePoint - first) % 10);
};

/** Returns the text with the digits of every script as `0` to `9`. */
const withPlainDigits = (text: string): string => text.replaceAll(/[^\P{Nd}0-9]/gu, digitOf);

/** Returns the digits of a phone number, without `00` or `+` at its beginning. */
const phoneDigits = (phone: string): string => withPlainDigits(phone).replaceAll(/\D/g, '').replace(/^00/, '');

/** Whether two phone numbers are the same: by their digits if they have seven, otherwise as written. */
export const samePhone = (phone: unknown, { phone: theirs }: Person): boolean => {
  if (typeof phone !== 'string' || theirs === null) return false;
  const digits = phoneDigits(theirs);
  return nameKey(phone) === nameKey(theirs) || (digits.length >= leastPhoneDigits && phoneDigits(phone) === digits);
};

/**
 * Returns a pattern of the whole number, with any punctuation and invisible characters between its
 * digits, and `00` or `+` before them. A short number, and a text with letters such as a name, match
 * only as whole words.
 */
const phonePattern = (phone: string): RegExp => {
  const digits = phoneDigits(phone);
  return digits.length < leastPhoneDigits || /\p{L}/u.test(phone)
    ? wordPattern(phone)
    : new RegExp(`(?<![\\p{L}\\d])(?:00|\\+)?${[...digits].join('[\\s\\p{P}\\p{Cf}+]*')}(?!\\d)`, 'u');
};

const identifierPattern = (identifier: string): RegExp => (identifier.includes('@') ? emailPattern(identifier) : phonePattern(identifier));

/** A date or an amount with its separators. A phone number that is written like it is left. */
const dateOrAmount = /^(?:\d{4}[-/.]\d\d[-/.]\d\d|\d\d[-/.]\d\d[-/.]\d{4}|\d{1,3}(?:[,.]\d{3})+(?:[,.]\d\d)?|\d+[.,]\d\d)$/;

/**
 * Replaces each identifier in the text (decisions §7): names, emails and phone numbers as whole
 * words. Ignores case, spacing, Unicode form and the punctuation of phone numbers.
 */
export const withoutIdentifiers = (text: string, identifiers: readonly unknown[]): string => {
  const composed = text.normalize('NFC');
  const left = identifiers
    .filter((identifier): identifier is string => typeof identifier === 'string' && identifier.trim().length >= leastIdentifier)
    .reduce(
      (rest, identifier) =>
        rest.replaceAll(new RegExp(identifierPattern(identifier), 'giu'), (found) =>
          dateOrAmount.test(found) && found !== identifier ? found : '[erased]',
        ),
      composed,
    );
  return left === composed ? text : left;
};

/**
 * Decodes percent-encoding up to five times, for URLs within the query of URLs. The number is
 * limited because strangers choose the texts.
 */
const decoded = (text: string, times = 5): string => {
  const once = text.replaceAll(/(?:%[\da-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString());
  return once === text || times === 1 ? once : decoded(once, times - 1);
};

/**
 * Returns all texts and field names of a value. Names are included because callers choose those of
 * free-form fields.
 */
const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member)]) : [];
};

/** Characters of the shortest phone number that is searched in texts of sessions. */
const leastContact = 4;

/** Whether any text or field name of the value contains the person's email or phone. */
export const carriesContact = (value: unknown, { email, phone }: Person): boolean => {
  const address = email === null ? undefined : emailPattern(email);
  const number = phone === null || phone.length < leastContact ? undefined : phonePattern(nameKey(phone));
  return textsIn(value).some((text) => {
    const plain = emailKey(decoded(text));
    return address?.test(plain) === true || number?.test(withPlainDigits(plain)) === true;
  });
};

/**
 * Whether a shopper is the person: by both names, if there is no other email, or by the phone in
 * any form.
 */
export const isNamedAs = (details: CustomerDetails | null, person: Person): boolean => {
  if (details === null) return false;
  return samePhone(details.phone, person) || (details.email === null && hasBothNames(details, person));
};
