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
  order_number: integer('Increases within the account. Gaps are possible.'),
  friendly_order_number: text('Display number: `#` and the order number.'),
  external_id: orNull(text('Id in another system.')),
  status: known(orderStatuses, 'Status of the order. New values may be added.'),
  payment_status: known(orderPaymentStatuses, 'Payment status. Imported orders may have other values.'),
  subtotal: money('Sum of the items.'),
  tax: money('Tax on top of the items.'),
  delivery_fee: money('Fee on top of the items.'),
  discount: money('Subtracted from the total.'),
  total: money('Subtotal plus tax plus delivery fee minus discount.'),
  currency: text('ISO 4217 code of every amount. `AUD` if neither the order nor the account has a currency.'),
  customer_id: orNull(text('Id of the customer. Null for a walk-in.')),
  customer_name: orNull(text('Name of the customer when the order was created.')),
  customer_email: orNull(text('Email of the customer when the order was created.')),
  customer_phone: orNull(text('Phone of the customer when the order was created.')),
  delivery_type: known(deliveryTypes, 'How the order reaches the customer. `dispatch` is by carrier.'),
  delivery_date: orNull(day('Requested day.')),
  delivery_time: orNull(clockTime('Requested time. Null for `dispatch`.')),
  items_count: count('Number of lines.'),
  order_type: orNull(text('Free text, without HTML.')),
  source: text('Channel that created the order, for example `api` or `checkout`.'),
  created_at: timestamp('Time of creation.'),
  updated_at: timestamp('Time of the last save.'),
};

export const orderItem = shape('OrderItem', 'One line of an order.', {
  id: text('Id of the line. It never changes.'),
  product_id: orNull(text('Id of the product. Null for a line without a product.')),
  variant_id: orNull(text('Id of the variant of the product. Null without a variant.')),
  name: text('Name at the time of the order.'),
  quantity: count('Quantity.'),
  unit_price: money('Price per unit.'),
  total: money('Quantity times unit price.'),
  notes: orNull(text('Free text that keeps its markup.')),
});

const members = {
  ...payload,
  items: list(orderItem, 'Lines, in the order sent.'),
  payment_method: orNull(
    text('Free text, returned as sent. The service itself writes values such as `stripe`, `card`, `cash` or `other`.'),
  ),
  event_category: orNull(text('Occasion, as free text.')),
  delivery_address: orNull(address()),
  notes: orNull(text('Free text that keeps its markup.')),
  custom_fields: customFieldValues('Values by key of the custom field.'),
  metadata: textsByName("The caller's texts by name."),
};

export const order = shape('Order', 'An order without its payments.', members);
export const orderWithPayments = shape('OrderWithPayments', 'An order with its payments.', {
  ...members,
  payments: list(payment, 'Payments and refunds, oldest first.'),
});

export const orderEventObject = shape('OrderEventObject', 'An order in `order.*` events.', payload);
export const orderStatusChangedEventObject = shape('OrderStatusChangedEventObject', 'An order with its previous status.', {
  ...payload,
  previous_status: v.exactOptional(text('Status before the change. Absent if not recorded.')),
});

export type OrderEventObject = v.InferOutput<typeof orderEventObject>;
export type OrderStatusChangedEventObject = v.InferOutput<typeof orderStatusChangedEventObject>;
export type Order = v.InferOutput<typeof order>;
export type OrderWithPayments = v.InferOutput<typeof orderWithPayments>;
