import * as v from 'valibot';
import { deliveryTypes, orderPaymentStatuses, orderStatuses } from '../enumerations.ts';
import { payment } from '../payment/wire.ts';
import {
  address,
  clockTime,
  count,
  customFieldValues,
  day,
  integer,
  known,
  list,
  money,
  orNull,
  shape,
  text,
  textsByName,
  timestamp,
} from '../wire-shape.ts';

const payload = {
  id: text('Id of the order.'),
  order_number: integer('Rises within the account; gaps are possible.'),
  friendly_order_number: text('`#` and the number, for people.'),
  external_id: orNull(text('Id in another system.')),
  status: known(orderStatuses, 'Where the order stands; treat an unknown value as unknown.'),
  payment_status: known(orderPaymentStatuses, 'How far it is paid; imported orders may carry other values.'),
  subtotal: money('Sum of the items.'),
  tax: money('Tax on top of the items.'),
  delivery_fee: money('Fee on top of the items.'),
  discount: money('Taken off.'),
  total: money('Subtotal, tax and delivery fee, without the discount.'),
  currency: text('ISO 4217 code of every amount; `AUD` where neither the order nor the account has one.'),
  customer_id: orNull(text('Null for a walk-in.')),
  customer_name: orNull(text('Name of the customer when the order was made.')),
  customer_email: orNull(text('Email of the customer when the order was made.')),
  customer_phone: orNull(text('Phone of the customer when the order was made.')),
  delivery_type: known(deliveryTypes, 'How it reaches the customer; `dispatch` is by carrier.'),
  delivery_date: orNull(day('Day it is wanted.')),
  delivery_time: orNull(clockTime('Time it is wanted; null for `dispatch`.')),
  items_count: count('Number of lines.'),
  order_type: orNull(text('Free text, without HTML.')),
  source: text('Where it was made: `api`, `checkout`.'),
  created_at: timestamp('Moment it was made.'),
  updated_at: timestamp('Moment of the last save.'),
};

export const orderItem = shape('OrderItem', 'One line of an order.', {
  id: text('Id of the line.'),
  product_id: orNull(text('Null for a line that no product stands for.')),
  name: text('Name as it was when ordered.'),
  quantity: count('How many.'),
  unit_price: money('Price of one.'),
  total: money('Quantity times unit price.'),
  notes: orNull(text('Free text that keeps its markup.')),
});

const members = {
  ...payload,
  items: list(orderItem, 'Lines in the order they were sent.'),
  payment_method: orNull(
    text('Free text, echoed as it was sent; what the service writes itself: `stripe`, `card`, `cash`, `other` and the like.'),
  ),
  event_category: orNull(text('Free text; the occasion.')),
  delivery_address: orNull(address()),
  notes: orNull(text('Free text that keeps its markup.')),
  custom_fields: customFieldValues('Values by key of the custom field.'),
  metadata: textsByName("The caller's own texts by name."),
};

export const order = shape('Order', 'An order without its payments.', members);
export const orderWithPayments = shape('OrderWithPayments', 'An order and what was paid for it.', {
  ...members,
  payments: list(payment, 'Payments and refunds, oldest first.'),
});

export const orderEventObject = shape('OrderEventObject', 'What `order.*` events tell of an order.', payload);
export const orderStatusChangedEventObject = shape('OrderStatusChangedEventObject', 'An order and the status it had before.', {
  ...payload,
  previous_status: v.exactOptional(text('Status before the change; absent where none was recorded.')),
});

export type OrderEventObject = v.InferOutput<typeof orderEventObject>;
export type OrderStatusChangedEventObject = v.InferOutput<typeof orderStatusChangedEventObject>;
export type Order = v.InferOutput<typeof order>;
export type OrderWithPayments = v.InferOutput<typeof orderWithPayments>;
