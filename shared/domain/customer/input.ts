import * as v from 'valibot';
import { bounds, markup, namedRecord, optionalText, orNull, parse, partial, plainString, type record, tags } from '../../core/fields.ts';
import { hasAtMost } from '../../core/text.ts';
import { address, metadata } from '../free-members.ts';
import { empties } from '../record-fields.ts';
import { type Customer, customerFields, emailKey } from './record.ts';

const invisible = /[\p{C}\p{Default_Ignorable_Code_Point}\s\u2800]/u;
const localPart = /^(?:"[^"@<>]+"|[^",:;?@<>]+)$/u;
const domainLabel = /^(?!-)[^",:;?@<>]{1,63}(?<!-)$/u;

const isEmail = (text: string): boolean => {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(at, 0));
  const labels = text.slice(at + 1).split('.');
  const isLocal = localPart.test(local) && hasAtMost(local, 64);
  return isLocal && labels.length > 1 && labels.every((label) => domainLabel.test(label)) && !invisible.test(text);
};

/** A trimmed email address. Markup in it is an error and is never removed (decisions §3). */
export const email = () =>
  v.pipe(
    plainString,
    // The lookup key of the email must also fit, because NFC normalization can make a text longer.
    v.check(
      (text) => hasAtMost(text, bounds.email) && hasAtMost(emailKey(text), bounds.email),
      `must be at most ${bounds.email} characters long`,
    ),
    v.metadata({ maxLength: bounds.email, format: 'email' }),
    v.check(isEmail, 'must be an email address'),
  );

/** Details with which an order finds or creates its customer. */
const customerDetails = {
  first_name: optionalText(),
  last_name: optionalText(),
  email: orNull(email()),
  phone: optionalText(),
  company: optionalText(),
};

/** Fields of a customer that the service sets. */
type Decided = 'id' | 'total_orders' | 'total_spent' | 'last_order_date' | 'erased_at' | 'created_at' | 'updated_at';

const customerInput = {
  ...customerDetails,
  tags: tags(),
  is_blacklisted: v.nullish(v.boolean('must be true or false'), false),
  marketing_email: orNull(v.boolean('must be true or false')),
  marketing_sms: orNull(v.boolean('must be true or false')),
  external_id: optionalText(),
  notes: orNull(markup()),
  address: orNull(address()),
  metadata: v.nullish(metadata(), {}),
} satisfies { [Field in Exclude<keyof Customer, Decided>]: v.GenericSchema<unknown, Customer[Field]> };

/**
 * Requires an email, a phone or a last name, because customers without any of them cannot be
 * distinguished. The error names the email.
 */
const identified = <Details extends { email: string | null; phone: string | null; last_name: string | null }>() =>
  v.rawCheck<Details>(({ dataset, addIssue }) => {
    if (!dataset.typed || dataset.value.email || dataset.value.phone || dataset.value.last_name) return;
    addIssue({
      message: 'is required if phone and last_name are missing',
      path: [{ type: 'object', origin: 'value', input: { ...dataset.value }, key: 'email', value: dataset.value.email }],
    });
  });

/** Body of POST /customers. */
export const customerInputSchema = v.pipe(namedRecord('CustomerInput', customerInput), identified());
export type CustomerInput = v.InferOutput<typeof customerInputSchema>;

export const customerDetailsSchema = v.pipe(namedRecord('CustomerDetails', customerDetails), identified());
export type CustomerDetails = v.InferOutput<typeof customerDetailsSchema>;

/** Returns the record of a new customer. */
export const makeCustomer = (input: CustomerDetails & Partial<CustomerInput>, id: string, now: string): Customer => ({
  ...empties(customerFields),
  ...input,
  id,
  created_at: now,
  updated_at: now,
});

/** Fields of a change. A sent field replaces the whole stored field; absent fields stay. */
export const customerChanges = partial({ ...customerInput, is_blacklisted: v.boolean('must be true or false') });
type CustomerChanges = v.InferOutput<ReturnType<typeof record<typeof customerChanges>>>;

/** Returns the record after a change. Rejects a record without email, phone and last name. */
export const changeCustomer = (customer: Customer, changes: CustomerChanges, updated_at: string): Customer => {
  const changed = { ...customer, ...changes, updated_at };
  parse(customerDetailsSchema, changed);
  return changed;
};
