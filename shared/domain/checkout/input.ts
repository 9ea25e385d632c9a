import * as v from 'valibot';
import {
  calendarDate,
  markup,
  namedRecord,
  oneOf,
  optionalRecordId,
  optionalText,
  orNull,
  recordId,
  rewrittenUrl,
} from '../../core/fields.ts';
import { customerDetailsSchema } from '../customer/input.ts';
import { deliveryTypes } from '../enumerations.ts';
import { address, customFieldValues, metadata } from '../free-members.ts';
import { clockTime, quantity } from '../inputs.ts';

const maxItems = 100;

const item = namedRecord('CheckoutItemInput', { product_id: recordId(), variant_id: optionalRecordId(), quantity: quantity() });

/** Body of POST /checkout (decisions §6). The operation checks the URLs. */
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
  success_url: rewrittenUrl('uri-template'),
  cancel_url: rewrittenUrl('uri-template'),
});

export type CheckoutInput = v.InferOutput<typeof checkoutInputSchema>;
export type CheckoutItemInput = CheckoutInput['items'][number];
