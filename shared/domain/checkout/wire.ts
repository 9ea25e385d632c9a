import type * as v from 'valibot';
import { money, oneOf, shape, text, timestamp, url } from '../wire-shape.ts';
import { checkoutStatuses } from './record.ts';

export const checkoutSession = shape('CheckoutSession', 'A cart that waits to be paid on a page of ours.', {
  id: text('Id of the session.'),
  url: url('The hosted page: send the shopper there.'),
  status: oneOf(checkoutStatuses, '`open` when it is made.'),
  currency: text('ISO 4217 code of every amount.'),
  subtotal: money('Sum of the items at catalog prices.'),
  delivery_fee: money("The account's fee times the slot's multiplier; 0 unless it is delivered."),
  total: money('Subtotal and delivery fee.'),
  expires_at: timestamp('Moment from which it can no longer be paid: 24 hours after it was made.'),
  created_at: timestamp('Moment it was made.'),
});

export type CheckoutSession = v.InferOutput<typeof checkoutSession>;
