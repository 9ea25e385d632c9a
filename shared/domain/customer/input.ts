import * as v from 'valibot';
import { namedRecord, parse, partial, type record } from '../../core/fields.ts';
import * as inputs from '../inputs.ts';
import { emptyValuesOf, sentOf } from '../record-fields.ts';
import { type Customer, customerFields, shown } from './fields.ts';

const customerInput = sentOf(shown, inputs);
const { first_name, last_name, email, phone, company } = customerInput;

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

export const customerDetailsSchema = v.pipe(namedRecord('CustomerDetails', { first_name, last_name, email, phone, company }), identified());
export type CustomerDetails = v.InferOutput<typeof customerDetailsSchema>;

/** Returns the record of a new customer. */
export const makeCustomer = (input: CustomerDetails & Partial<CustomerInput>, id: string, now: string): Customer => ({
  ...emptyValuesOf(customerFields),
  ...input,
  id,
  created_at: now,
  updated_at: now,
});

/** Fields of a change. A sent field replaces the whole stored field; absent fields stay. */
export const customerChanges = partial({ ...customerInput, is_blacklisted: inputs.flag() });
type CustomerChanges = v.InferOutput<ReturnType<typeof record<typeof customerChanges>>>;

/** Returns the record after a change. Rejects a record without email, phone and last name. */
export const changeCustomer = (customer: Customer, changes: CustomerChanges, updated_at: string): Customer => {
  const changed = { ...customer, ...changes, updated_at };
  parse(customerDetailsSchema, changed);
  return changed;
};
