import * as v from 'valibot';
import { calendarDate, markup, namedRecord, oneOf, optionalText, orNull, requiredText, url } from '../../core/fields.ts';
import type { CustomerDetails } from '../customer/input.ts';
import { customerDetailsSchema } from '../customer/input.ts';
import type { Address } from '../free-members.ts';
import { address, customFieldValues, metadata } from '../free-members.ts';
import { clockTime, quantity } from '../order/input.ts';
import { deliveryTypes } from '../order/record.ts';

const maxItems = 100;

const item = namedRecord('CheckoutItemInput', { product_id: requiredText(), variant_id: optionalText(), quantity: quantity() });

/** Body of POST /checkout (decisions §6); what the URLs may be is the operation's business. */
export const checkoutInputSchema = namedRecord('CheckoutInput', {
  items: v.pipe(
    v.array(item, 'must be an array'),
    v.minLength(1, 'must have at least one entry'),
    v.maxLength(maxItems, `must have at most ${maxItems} entries`),
  ),
  customer: orNull(customerDetailsSchema),
  delivery_type: v.nullish(oneOf(deliveryTypes), 'pickup'),
  delivery_date: calendarDate(),
  delivery_time: orNull(clockTime()),
  delivery_address: orNull(address()),
  notes: orNull(markup()),
  custom_fields: v.nullish(customFieldValues(), {}),
  metadata: v.nullish(metadata(), {}),
  external_id: optionalText(),
  success_url: url('uri-template'),
  cancel_url: url('uri-template'),
});

export type CheckoutInput = v.InferOutput<typeof checkoutInputSchema>;
export type CheckoutItemInput = CheckoutInput['items'][number];

/** What the hosted page can ask a shopper, in the order of its form. */
export const answerNames = ['first_name', 'last_name', 'email', 'phone', 'delivery_address'] as const;
export type AnswerName = (typeof answerNames)[number];

/** What a cart says already. */
export interface Said {
  readonly customer: CustomerDetails | null;
  readonly delivery_type: string;
  readonly delivery_address: Address | null;
}

/** What has to be asked besides: who the shopper is, and where a delivery goes. */
export const missingAnswers = ({ customer, delivery_type, delivery_address }: Said): readonly AnswerName[] => {
  const needsName = !customer?.last_name && !customer?.first_name && !customer?.company;
  return [
    ...(needsName ? (['first_name', 'last_name'] as const) : []),
    ...(customer?.email ? [] : (['email'] as const)),
    ...(customer ? [] : (['phone'] as const)),
    ...(delivery_type !== 'pickup' && !delivery_address ? (['delivery_address'] as const) : []),
  ];
};
