import type { GenericSchema } from 'valibot';
import * as v from 'valibot';
import type { Region } from '../../shared/core/config.ts';
import { ApiError } from '../../shared/core/errors.ts';
import { bounds, markup, requiredText, text } from '../../shared/core/fields.ts';
import { hasAtMostCharacters } from '../../shared/core/text.ts';
import type { CheckoutSession } from '../../shared/domain/checkout/record.ts';
import { type FormFieldName, formFieldNames } from '../../shared/domain/checkout/record.ts';
import type { CustomerDetails } from '../../shared/domain/customer/input.ts';
import type { Address } from '../../shared/domain/free-fields.ts';
import { email } from '../../shared/domain/free-fields.ts';
import type { PaymentGateway } from '../../shared/providers/payment-gateways/gateway.ts';
import { type AddressPart, addressParts, isWholeAddress, joinAddress } from './address.ts';
import type { Locale } from './locale.ts';

export interface Field {
  readonly name: FormFieldName;
  readonly type: 'text' | 'email' | 'tel' | 'address';
  readonly autocomplete: string;
  readonly required: boolean;
  readonly schema: GenericSchema<unknown, string>;
}

const fields = {
  first_name: { type: 'text', autocomplete: 'given-name', required: false, schema: text() },
  last_name: { type: 'text', autocomplete: 'family-name', required: true, schema: requiredText() },
  email: { type: 'email', autocomplete: 'email', required: true, schema: email() },
  phone: { type: 'tel', autocomplete: 'tel', required: false, schema: text() },
  delivery_address: {
    type: 'address',
    autocomplete: 'street-address',
    required: true,
    schema: v.pipe(markup(), v.minLength(1, 'must not be empty')),
  },
} as const satisfies Record<FormFieldName, Omit<Field, 'name'>>;

/** Returns the fields that the page asks for, in the order of the form. */
export const requestedFields = ({ asked: requestedNames }: Pick<CheckoutSession, 'asked'>): readonly Field[] =>
  formFieldNames.filter((name) => requestedNames.includes(name)).map((name) => ({ name, ...fields[name] }));

export type FieldErrors = ReadonlyMap<string, string>;

export interface SubmittedForm {
  readonly customer: CustomerDetails;
  readonly delivery_address: Address | null;
  /** The payment method, by the name that the gateway uses. */
  readonly method: string;
}

export interface Submission {
  readonly form: ReadonlyMap<string, string>;
  readonly session: CheckoutSession;
  readonly gateway: PaymentGateway;
  /** Region of the account, which decides the form of an address. */
  readonly region: Region;
  readonly locale: Locale;
}

/** A text to read from the form. */
interface TextToRead {
  readonly name: FormFieldName | AddressPart['name'];
  readonly schema: GenericSchema<unknown, string>;
  readonly maxLength: number;
  readonly message: string;
}

/** Returns the texts to read. If the form does not have a whole address, it must have every part. */
const textsToRead = ({ form, session, region, locale: { texts } }: Submission): readonly TextToRead[] =>
  requestedFields(session).flatMap(({ name, schema }): readonly TextToRead[] => [
    {
      name,
      schema,
      maxLength: { email: bounds.email, delivery_address: bounds.markup }[name as string] ?? bounds.text,
      message: texts.fields[name][1],
    },
    ...(name !== 'delivery_address' || isWholeAddress(region, form) ? [] : addressParts(region)).map((part) => {
      const known = part.groups?.flatMap(([, options]) => options.map(([value]) => value));
      const schema = v.pipe(
        markup(bounds.text),
        v.check((text) => (known ? known.includes(text) : text !== ''), ''),
      );
      return { name: part.name, schema, maxLength: bounds.text, message: texts.parts[part.text][1] };
    }),
  ]);

/** Returns the submitted values, or the error of each invalid field. */
export const readSubmittedForm = (submission: Submission): SubmittedForm | FieldErrors => {
  const { form, session, gateway, region, locale } = submission;
  const { texts, tag } = locale;
  const tooLong = (maxLength: number) => texts.tooLong(maxLength.toLocaleString(tag));
  const errors = new Map<string, string>();
  const values = new Map<string, string>();
  const address: Record<string, string> = {};
  for (const { name, schema, maxLength, message } of textsToRead(submission)) {
    // A browser sends the line breaks of a textarea as CRLF.
    const text = (form.get(name) ?? '').replaceAll(/\r\n?/g, '\n');
    const parsed = v.safeParse(schema, text);
    if (!parsed.success) errors.set(name, hasAtMostCharacters(text.trim(), maxLength) ? message : tooLong(maxLength));
    else if (name.includes('address')) address[name] = parsed.output;
    else values.set(name, parsed.output);
  }
  if (!hasAtMostCharacters(joinAddress(region, address), bounds.markup)) errors.set('delivery_address', tooLong(bounds.markup));
  let method = '';
  try {
    method = gateway.method(form);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    errors.set('card_number', /\d/.test(form.get('card_number') ?? '') ? texts.cards.useTestCard : texts.fields.card_number[1]);
  }
  if (errors.size > 0) return errors;
  const detailOf = (name: keyof CustomerDetails): string | null => (values.get(name) ?? session.customer?.[name]) || null;
  return {
    customer: {
      first_name: detailOf('first_name'),
      last_name: detailOf('last_name'),
      email: detailOf('email'),
      phone: detailOf('phone'),
      company: detailOf('company'),
    },
    delivery_address: 'address_city' in address ? address : (address['delivery_address'] ?? session.delivery_address),
    method,
  };
};
