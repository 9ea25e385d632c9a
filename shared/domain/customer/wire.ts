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
  is_blacklisted: flag('Whether the bakery no longer serves the customer.'),
  total_orders: count('Orders that are neither cancelled nor deleted.'),
  total_spent: money("Sum of the orders' totals. An order counts if it is in the account's currency at the time of counting."),
  last_order_date: orNull(timestamp('Time of the latest order.')),
  marketing_email: orNull(flag('Whether the customer agreed to marketing by email. Null if not recorded.')),
  marketing_sms: orNull(flag('Whether the customer agreed to marketing by text message. Null if not recorded.')),
  external_id: orNull(text('Id in another system.')),
  created_at: timestamp('Time of creation.'),
  updated_at: timestamp('Time of the last save. A change of only the totals does not change it.'),
};

export const customerEventObject = shape('CustomerEventObject', 'A customer in `customer.*` events.', payload);
export const customer = shape('Customer', 'A customer of the bakery.', {
  ...payload,
  notes: orNull(text('Free text that keeps its markup.')),
  address: orNull(address()),
  metadata: textsByName("The caller's texts by name."),
});

export type CustomerEventObject = v.InferOutput<typeof customerEventObject>;
export type Customer = v.InferOutput<typeof customer>;
