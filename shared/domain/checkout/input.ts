import * as v from 'valibot';
import { invalidValue } from '../../core/errors.ts';
import {
  bounds,
  calendarDate,
  listOf,
  markup,
  namedRecord,
  oneOf,
  optionalRecordId,
  optionalText,
  orNull,
  recordId,
  rewrittenUrl,
} from '../../core/fields.ts';
import { browserUrl } from '../../core/text.ts';
import { customerDetailsSchema } from '../customer/input.ts';
import { deliveryTypes } from '../enumerations.ts';
import { address, customFieldValues, metadata } from '../free-fields.ts';
import { quantity } from '../inputs.ts';

const placeholder = '{CHECKOUT_SESSION_ID}';

interface ReturnUrlOptions {
  /** The field that errors name. */
  readonly field: 'success_url' | 'cancel_url';
  readonly sessionId: string;
  /** Whether plain HTTP to this machine is allowed; in the local service only. */
  readonly allowLoopback: boolean;
}

/**
 * Returns the address to which a shopper returns, as stored (decisions §6, Checkout session):
 * absolute, ASCII, with the session's id for `{CHECKOUT_SESSION_ID}`. The placeholder is replaced
 * in the text as sent, because the URL standard would encode its braces in a path.
 */
export const returnUrl = (text: string, { field, sessionId, allowLoopback }: ReturnUrlOptions): string => {
  const url = browserUrl(text.replaceAll(placeholder, sessionId), { allowLoopback });
  if (!url) throw invalidValue(field, `${field} must be an HTTPS URL without credentials.`);
  if (url.host.includes(sessionId)) throw invalidValue(field, `${field} may have ${placeholder} in its path, query and fragment only.`);
  if (url.href.length > bounds.url)
    throw invalidValue(field, `${field} must be at most ${bounds.url} characters long, also percent-encoded and with the session's id.`);
  return url.href;
};

const maxItems = 100;

const item = namedRecord('CheckoutItemInput', { product_id: recordId(), variant_id: optionalRecordId(), quantity: quantity() });

/** Body of POST /checkout (decisions §6). The operation checks the URLs. */
export const checkoutInputSchema = namedRecord('CheckoutInput', {
  items: v.pipe(listOf(item, maxItems), v.minLength(1, 'must have at least one entry')),
  customer: orNull(customerDetailsSchema),
  delivery_type: v.nullish(oneOf(deliveryTypes), 'pickup'),
  delivery_date: calendarDate(),
  /** A slot's start or id, or a time if the account has no slots of that type. */
  delivery_time: orNull(recordId()),
  delivery_address: orNull(address()),
  notes: orNull(markup()),
  custom_fields: v.nullish(customFieldValues(), {}),
  metadata: v.nullish(metadata(), {}),
  external_id: optionalText(),
  success_url: rewrittenUrl('uri-template'),
  cancel_url: rewrittenUrl('uri-template'),
});

export type CheckoutInput = v.InferOutput<typeof checkoutInputSchema>;
export type CheckoutItemInput = CheckoutInput['items'][number];
