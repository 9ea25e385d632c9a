import { personal } from '../../contract/specification.ts';
import type { Random } from '../scheduler/random.ts';

/**
 * Matches markers: unique texts that stand for personal data. A marker contains its author and
 * field. It starts and ends with letters that no id has.
 */
const pattern = /lulu[0-9a-z]+?ulul/g;
const compact = (text: string): string => text.toLowerCase().replaceAll(/[^0-9a-z]/g, '');

/** Returns a unique text for an author and a field. */
export const marker = (by: string, field: string): string => `lulu${compact(by)}${compact(field)}ulul`;

/** Returns every marker in a text, in upper or lower case. */
export const markersIn = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(pattern));

const addresses = 4;

/** Returns one of a few email addresses per account, so that customers return. */
export const someEmail = (tenant: number, random: Random): string =>
  `${marker(`mail ${tenant}`, String(random.below(addresses)))}.Zoë.Åsa@Post.example`;

/** Spellings of an address that the specification takes for one: upper and lower case, and forms of Unicode. */
const spellings: readonly ((email: string) => string)[] = [
  (email) => email,
  (email) => email.toUpperCase(),
  (email) => email.toLowerCase(),
  (email) => email.normalize('NFD'),
  (email) => email.toUpperCase().normalize('NFD'),
  // The sign of the unit ångström, which composes to the letter.
  (email) => email.replace('Å', '\u212b'),
];

/** Returns the address in one of its spellings. */
export const spelled = (email: string, random: Random): string => random.pick(spellings)(email);

/** Returns details of a new person. The email may belong to another customer. */
export const newPerson = (by: string, tenant: number, random: Random) => ({
  first_name: marker(by, 'first'),
  last_name: marker(by, 'last'),
  email: random.chance(0.7) ? someEmail(tenant, random) : null,
  phone: marker(by, 'phone'),
  company: marker(by, 'company'),
});

/** Returns text fields of an order, which may contain personal data. */
export const orderTexts = (by: string) => ({
  delivery_address: marker(by, 'address'),
  external_id: marker(by, 'external'),
  metadata: { card: marker(by, 'meta') },
});

/** Returns a new customer with a marker in every personal field. */
export const newCustomer = (by: string, tenant: number, random: Random) => ({
  ...Object.fromEntries(personal.customer.map((field) => [field, marker(by, field)])),
  ...newPerson(by, tenant, random),
  tags: [marker(by, 'tag')],
  address: { line1: marker(by, 'street') },
  metadata: { known_as: marker(by, 'meta') },
});
