import type { InferOutput } from 'valibot';
import { money, oneOf, shape, text, timestamp, url } from '../wire-shape.ts';
import { checkoutStatuses } from './record.ts';

export const checkoutSession = shape('CheckoutSession', 'A cart to be paid on the hosted page.', {
  id: text('Id of the session.'),
  url: url('Hosted page. Redirect the shopper to it.'),
  status: oneOf(checkoutStatuses, 'Always `open` in this response.'),
  currency: text('ISO 4217 code of every amount.'),
  subtotal: money('Sum of the items at catalog prices.'),
  delivery_fee: money("The account's fee times the slot's multiplier. 0 for pickup and dispatch."),
  total: money('Subtotal plus delivery fee.'),
  expires_at: timestamp('The session can be paid until this time: 24 hours after it was created.'),
  created_at: timestamp('Time at which the session was created.'),
});

export type CheckoutSession = InferOutput<typeof checkoutSession>;
