import type { GenericSchema, InferOutput } from 'valibot';
import * as v from 'valibot';
import type { Region } from '../../shared/core/config.ts';
import { ApiError } from '../../shared/core/errors.ts';
import { bounds, markup, parse, record, requiredText, text } from '../../shared/core/fields.ts';
import { hasAtMost } from '../../shared/core/text.ts';
import type { CheckoutSession } from '../../shared/domain/checkout/record.ts';
import { type AnswerName, answerNames } from '../../shared/domain/checkout/record.ts';
import type { CustomerDetails } from '../../shared/domain/customer/input.ts';
import type { Address } from '../../shared/domain/free-members.ts';
import { email } from '../../shared/domain/free-members.ts';
import type { PaymentGateway } from '../../shared/providers/payment-gateways/gateway.ts';
import { joinAddress } from './address.ts';

export interface Field {
  readonly name: AnswerName;
  readonly label: string;
  readonly type: 'text' | 'email' | 'tel' | 'address';
  readonly autocomplete: string;
  readonly required: boolean;
  readonly schema: GenericSchema<unknown, string>;
}

const fields = {
  first_name: { label: 'First name', type: 'text', autocomplete: 'given-name', required: false, schema: text() },
  last_name: { label: 'Last name', type: 'text', autocomplete: 'family-name', required: true, schema: requiredText() },
  email: { label: 'Email', type: 'email', autocomplete: 'email', required: true, schema: email() },
  phone: { label: 'Phone', type: 'tel', autocomplete: 'tel', required: false, schema: text() },
  delivery_address: {
    label: 'Street address',
    type: 'address',
    autocomplete: 'street-address',
    required: true,
    schema: v.pipe(markup(), v.minLength(1, 'must not be empty')),
  },
} as const satisfies Record<AnswerName, Omit<Field, 'name'>>;

/** Returns the fields that the page asks for, in the order of the form. */
export const askedFields = ({ asked }: Pick<CheckoutSession, 'asked'>): readonly Field[] =>
  answerNames.filter((name) => asked.includes(name)).map((name) => ({ name, ...fields[name] }));

/** Returns the value that the session already has for a field. */
export const answerOf = ({ customer, delivery_address }: CheckoutSession, name: AnswerName): string => {
  const answer = name === 'delivery_address' ? delivery_address : customer?.[name];
  return typeof answer === 'string' ? answer : '';
};

export type FieldErrors = ReadonlyMap<string, string>;

export interface Answers {
  readonly customer: CustomerDetails;
  readonly delivery_address: Address | null;
  /** The payment method, by the name that the gateway uses. */
  readonly method: string;
}

/** The error text beside a field with a missing or invalid value. */
export const messages: Readonly<Record<AnswerName, string>> = {
  first_name: 'Enter your first name.',
  last_name: 'Enter your last name.',
  email: 'Enter an email address, like name@example.com.',
  phone: 'Enter a phone number.',
  delivery_address: 'Enter the street and number.',
};

const most: Readonly<Record<AnswerName, number>> = {
  first_name: bounds.text,
  last_name: bounds.text,
  email: bounds.email,
  phone: bounds.text,
  delivery_address: bounds.markup,
};

const messageOf = (name: AnswerName, text: string): string =>
  hasAtMost(text.trim(), most[name]) ? messages[name] : `Use at most ${most[name].toLocaleString('en')} characters.`;

export interface Submission {
  readonly form: ReadonlyMap<string, string>;
  readonly session: CheckoutSession;
  readonly gateway: PaymentGateway;
  /** Region of the account, which decides the form of an address. */
  readonly region: Region;
}

/** Returns the submitted values, or the error of each invalid field. */
export const readAnswers = ({ form, session, gateway, region }: Submission): Answers | FieldErrors => {
  const errors = new Map<string, string>();
  const values = new Map<string, string>();
  for (const { name, schema } of askedFields(session)) {
    const entry = record({ [name]: schema });
    const text = name === 'delivery_address' ? joinAddress(region, form) : (form.get(name) ?? '');
    try {
      values.set(name, (parse(entry, { [name]: text }) as InferOutput<typeof entry>)[name] as string);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      errors.set(name, messageOf(name, text));
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
  const said = (name: keyof CustomerDetails): string | null => (values.get(name) ?? session.customer?.[name]) || null;
  return {
    customer: {
      first_name: said('first_name'),
      last_name: said('last_name'),
      email: said('email'),
      phone: said('phone'),
      company: said('company'),
    },
    delivery_address: values.get('delivery_address') ?? session.delivery_address,
    method,
  };
};
