import type { GenericSchema, InferOutput } from 'valibot';
import * as v from 'valibot';
import { ApiError } from '../../shared/core/errors.ts';
import { markup, parse, record, requiredText, text } from '../../shared/core/fields.ts';
import type { CheckoutSession } from '../../shared/domain/checkout.ts';
import { type CustomerDetails, email } from '../../shared/domain/customer-input.ts';
import type { Address } from '../../shared/domain/extra-members.ts';
import type { PaymentGateway } from '../../shared/providers/payment-gateways/gateway.ts';

/** Inputs of the page by name, in order. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly type: 'text' | 'email' | 'tel' | 'address' | 'card';
  readonly autocomplete: string;
  readonly required: boolean;
  readonly schema: GenericSchema<unknown, string>;
}

const fields = {
  first_name: { label: 'First name', type: 'text', autocomplete: 'given-name', required: false, schema: text() },
  last_name: { label: 'Last name', type: 'text', autocomplete: 'family-name', required: true, schema: requiredText() },
  email: { label: 'Email', type: 'email', autocomplete: 'email', required: true, schema: email() },
  phone: { label: 'Phone (optional)', type: 'tel', autocomplete: 'tel', required: false, schema: text() },
  delivery_address: {
    label: 'Delivery address',
    type: 'address',
    autocomplete: 'street-address',
    required: true,
    schema: v.pipe(markup(), v.minLength(1, 'must not be empty')),
  },
} as const satisfies Record<string, Omit<Field, 'name'>>;

type FieldName = keyof typeof fields;

/** What the page still has to ask: who the shopper is, and where a delivery goes. */
export const missingFields = ({ customer, delivery_type, delivery_address }: CheckoutSession): readonly Field[] => {
  const needsName = !customer?.last_name && !customer?.first_name && !customer?.company;
  const names: readonly FieldName[] = [
    ...(needsName ? (['first_name', 'last_name'] as const) : []),
    ...(customer?.email ? [] : (['email'] as const)),
    ...(customer ? [] : (['phone'] as const)),
    ...(delivery_type !== 'pickup' && !delivery_address ? (['delivery_address'] as const) : []),
  ];
  return names.map((name) => ({ name, ...fields[name] }));
};

export type FieldErrors = ReadonlyMap<string, string>;

export interface Answers {
  readonly customer: CustomerDetails;
  readonly delivery_address: Address | null;
  /** In the gateway's terms. */
  readonly method: string;
}

const messages: Readonly<Record<string, string>> = {
  first_name: 'This first name is too long.',
  last_name: 'Enter your last name.',
  email: 'Enter an email address, like name@example.com.',
  phone: 'This phone number is too long.',
  delivery_address: 'Enter the address to deliver to.',
};

/** The answers, or what is wrong with each field. */
export const readAnswers = (
  session: CheckoutSession,
  form: ReadonlyMap<string, string>,
  gateway: PaymentGateway,
): Answers | FieldErrors => {
  const errors = new Map<string, string>();
  const values = new Map<string, string>();
  for (const { name, schema } of missingFields(session)) {
    const entry = record({ [name]: schema });
    try {
      values.set(name, (parse(entry, { [name]: form.get(name) ?? '' }) as InferOutput<typeof entry>)[name] as string);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      errors.set(name, messages[name] ?? error.message);
    }
  }
  let method = '';
  try {
    method = gateway.method(form);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    errors.set(error.details.field ?? '', error.message);
  }
  if (errors.size > 0) return errors;
  const said = (name: keyof CustomerDetails): string | null => session.customer?.[name] || values.get(name) || null;
  return {
    customer: {
      first_name: said('first_name'),
      last_name: said('last_name'),
      email: said('email'),
      phone: said('phone'),
      company: said('company'),
    },
    delivery_address: session.delivery_address || values.get('delivery_address') || null,
    method,
  };
};
