import { personal } from '../../contract/specification.ts';
import type { Random } from '../scheduler/random.ts';

/**
 * Texts that identify a person wherever they appear. Each is unique, and contains its author and
 * field, so that its owner follows from the records that ever had it. It begins and ends with
 * letters that no id has.
 */
const pattern = /lulu[0-9a-z]+?ulul/g;
const compact = (text: string): string => text.toLowerCase().replaceAll(/[^0-9a-z]/g, '');

/** Returns a unique text for an author and a field. */
export const marker = (by: string, member: string): string => `lulu${compact(by)}${compact(member)}ulul`;

/** Every marker in a text, in whatever case it is written. */
export const markersIn = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(pattern));

const addresses = 4;

/** Returns one of a few email addresses of an account's people, so that customers return. */
export const someEmail = (tenant: number, random: Random): string =>
  `${marker(`mail ${tenant}`, String(random.below(addresses)))}@Post.example`;

/** Returns a new person's details; the email may belong to another customer. */
export const newPerson = (by: string, tenant: number, random: Random) => ({
  first_name: marker(by, 'first'),
  last_name: marker(by, 'last'),
  email: random.chance(0.7) ? someEmail(tenant, random) : null,
  phone: marker(by, 'phone'),
  company: marker(by, 'company'),
});

/** Texts of an order, in which a person may be told as well. */
export const orderTexts = (by: string) => ({
  delivery_address: marker(by, 'address'),
  external_id: marker(by, 'external'),
  metadata: { card: marker(by, 'meta') },
});

/** A new customer with a text in every personal field. */
export const newCustomer = (by: string, tenant: number, random: Random) => ({
  ...Object.fromEntries(personal.customer.map((field) => [field, marker(by, field)])),
  ...newPerson(by, tenant, random),
  tags: [marker(by, 'tag')],
  address: { line1: marker(by, 'street') },
  metadata: { known_as: marker(by, 'meta') },
});
