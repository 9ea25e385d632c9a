import * as v from 'valibot';
import { address, count, flag, list, money, orNull, shape, text, textsByName, timestamp } from '../wire-shape.ts';

const payload = {
  id: text('Id of the customer.'),
  first_name: orNull(text('First name.')),
  last_name: orNull(text('Last name.')),
  email: orNull(text('Unique within the account, in any case.')),
  phone: orNull(text('Free text.')),
  company: orNull(text('Company.')),
  tags: list(v.string(), 'Free-form tags.'),
  is_blacklisted: flag('Whether the bakery no longer serves them.'),
  total_orders: count('Orders that are neither cancelled nor deleted.'),
  total_spent: money('Their totals, of those in the currency the account had when they were counted.'),
  last_order_date: orNull(timestamp('Moment of the latest order.')),
  marketing_email: orNull(flag('Whether they agreed to email; null where nothing is recorded.')),
  marketing_sms: orNull(flag('Whether they agreed to text messages; null where nothing is recorded.')),
  external_id: orNull(text('Id in another system.')),
  created_at: timestamp('Moment they were added.'),
  updated_at: timestamp('Moment of the last save; changes of the totals alone leave it.'),
};

export const customerEventObject = shape('CustomerEventObject', 'What `customer.*` events tell of a customer.', payload);
export const customer = shape('Customer', 'Somebody who orders.', {
  ...payload,
  notes: orNull(text('Free text that keeps its markup.')),
  address: orNull(address()),
  metadata: textsByName("The caller's own texts by name."),
});

export type CustomerEventObject = v.InferOutput<typeof customerEventObject>;
export type Customer = v.InferOutput<typeof customer>;
