import type { CustomerDetails } from './customer/input.ts';
import { customerName, emailKey } from './customer/record.ts';

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

/** Shorter texts occur inside other words. */
const leastIdentifier = 4;
/** A number with fewer digits does not identify a person in a longer text. */
const leastPhoneDigits = 6;

/** Escapes the characters that have a meaning in a pattern. The flag `u` rejects other escapes. */
const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

export const sameEmail = (email: unknown, person: Person): boolean =>
  typeof email === 'string' && person.email !== null && emailKey(email) === emailKey(person.email);

const nameKey = (name: string): string => name.normalize('NFC').toLowerCase().replaceAll(/\s+/g, ' ').trim();

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

/**
 * Returns a pattern of the whole number, with any punctuation and invisible characters between its
 * digits, and `00` or `+` before them.
 */
const phonePattern = (phone: string): RegExp | undefined => {
  const digits = withPlainDigits(phone).replaceAll(/\D/g, '').replace(/^00/, '');
  return digits.length < leastPhoneDigits
    ? undefined
    : new RegExp(`(?<!\\d)(?:00|\\+)?${[...digits].join('[\\s\\p{P}\\p{Cf}+]*')}(?!\\d)`, 'u');
};

/** Returns a pattern of a phone number, or of a text with any white space between its words. */
const identifierPattern = (identifier: string): RegExp =>
  (/\p{L}/u.test(identifier) ? undefined : phonePattern(identifier)) ??
  new RegExp(escaped(identifier.normalize('NFC')).replaceAll(/\s+/g, '\\s+'), 'u');

/**
 * Replaces each identifier in the text. Ignores case, spacing, Unicode form and the punctuation of
 * phone numbers.
 */
export const withoutIdentifiers = (text: string, identifiers: readonly unknown[]): string => {
  const composed = text.normalize('NFC');
  const left = identifiers
    .filter((identifier): identifier is string => typeof identifier === 'string' && identifier.length >= leastIdentifier)
    .reduce((rest, identifier) => rest.replaceAll(new RegExp(identifierPattern(identifier), 'giu'), '[erased]'), composed);
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

/** Whether any text or field name of the value contains the person's email or phone. */
export const carriesContact = (value: unknown, { email, phone }: Person): boolean => {
  const address = email === null ? undefined : emailPattern(email);
  const number = phone === null ? undefined : phonePattern(phone);
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
  const samePhone = details.phone !== null && person.phone !== null && nameKey(details.phone) === nameKey(person.phone);
  return samePhone || (details.email === null && hasBothNames(details, person));
};
