import { emailKey } from '../core/email.ts';
import { foldCase } from '../core/text.ts';
import { customerName } from './customer/fields.ts';
import type { CustomerDetails } from './customer/input.ts';
import { decodePercent, emailPattern, minPhoneDigits, nameKey, phoneDigits, phonePattern, withPlainDigits } from './person-texts.ts';

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

export const sameEmail = (email: unknown, person: Pick<Person, 'email'>): boolean =>
  typeof email === 'string' && person.email !== null && emailKey(email) === emailKey(person.email);

/** Whether two phone numbers are the same: by their digits if they have seven, otherwise as written. */
export const samePhone = (phone: unknown, { phone: theirs }: Pick<Person, 'phone'>): boolean => {
  if (typeof phone !== 'string' || theirs === null) return false;
  const digits = phoneDigits(theirs);
  return nameKey(phone) === nameKey(theirs) || (digits.length >= minPhoneDigits && phoneDigits(phone) === digits);
};

/** Whether first and last name together are the person's, in either order and in every form (`nameKey`). */
const hasBothNames = ({ first_name, last_name }: CustomerDetails, { name }: Person): boolean => {
  if (name === null || !first_name?.trim() || !last_name?.trim()) return false;
  const inOrders = [customerName({ first_name, last_name }), customerName({ first_name: last_name, last_name: first_name })];
  return inOrders.some((one) => nameKey(one ?? '') === nameKey(name));
};

/**
 * Returns all texts and field names of a value. Names are included because callers choose those of
 * free-form fields.
 */
const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.entries(value).flatMap(([name, inner]) => [name, ...textsIn(inner)]) : [];
};

/** Characters of the shortest phone number that is searched in texts of sessions. */
const minSearchedPhoneLength = 4;

/** Whether any text or field name of the value contains the person's email or phone. */
export const carriesContact = (value: unknown, { email, phone }: Person): boolean => {
  const address = email === null ? undefined : emailPattern(email);
  const number = phone === null || phone.length < minSearchedPhoneLength ? undefined : phonePattern(phone);
  return textsIn(value).some((text) => {
    const plain = foldCase(decodePercent(text));
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
