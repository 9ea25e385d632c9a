import type { InferOutput } from 'valibot';
import { deliveryTypes, orderPaymentStatuses, orderStatuses } from '../enumerations.ts';
import { payment } from '../payment/fields.ts';
import { erasedOf, field, namesOf, pick, retained, retainedOr } from '../record-fields.ts';
import {
  address,
  clockTime,
  count,
  customFieldValues,
  day,
  extensibleOneOf,
  integer,
  list,
  money,
  optional,
  orNull,
  shape,
  text,
  textsByName,
  timestamp,
} from '../wire-shape.ts';

/** Fields of `data.object` in order.* (§ Payloads). */
const eventFields = {
  id: field(text('Id of the order.'), { erased: retained }),
  order_number: field(integer('Increases within the account. Gaps are possible.'), { erased: retained }),
  friendly_order_number: field(text('Display number: `#` and the order number.'), { erased: retained }),
  external_id: field(orNull(text('Id of the order in your own system. Null if none was sent.')), {
    erased: null,
    sent: (is) => is.optionalText(),
  }),
  status: field(extensibleOneOf(orderStatuses, 'Status of the order. New values may be added.'), {
    erased: retained,
    sent: (is) => is.oneOf(orderStatuses),
  }),
  payment_status: field(
    extensibleOneOf(
      orderPaymentStatuses,
      'Whether the order is paid. The service changes it with payments, refunds and disputes. Imported orders may have other values.',
    ),
    {
      erased: retainedOr('pending'),
      sent: (is) => is.oneOf(orderPaymentStatuses),
    },
  ),
  subtotal: field(money('Sum of the items.'), { erased: retained }),
  tax: field(money('Tax on top of the items.'), { erased: retainedOr(0), sent: (is) => is.withDefault(is.notNegativeMoney(), 0) }),
  delivery_fee: field(money('Fee on top of the items.'), { erased: retainedOr(0), sent: (is) => is.withDefault(is.notNegativeMoney(), 0) }),
  discount: field(money('Subtracted from the total.'), { erased: retainedOr(0), sent: (is) => is.withDefault(is.notNegativeMoney(), 0) }),
  total: field(money('Subtotal plus tax plus delivery fee minus discount.'), { erased: retained }),
  currency: field(text('ISO 4217 code of every amount. `AUD` if neither the order nor the account has a currency.'), { erased: retained }),
  customer_id: field(orNull(text('Id of the customer. Null for a walk-in.')), { erased: retainedOr(null) }),
  customer_name: field(orNull(text('Name of the customer when the order was created.')), { erased: null }),
  customer_email: field(orNull(text('Email of the customer when the order was created.')), { erased: null }),
  customer_phone: field(orNull(text('Phone of the customer when the order was created.')), { erased: null }),
  delivery_type: field(extensibleOneOf(deliveryTypes, 'How the order reaches the customer. `dispatch` is by carrier.'), {
    erased: retainedOr('pickup'),
    sent: (is) => is.withDefault(is.oneOf(deliveryTypes), 'pickup'),
  }),
  delivery_date: field(orNull(day('Day of the pickup or delivery that the customer asked for. Null if none was asked for.')), {
    erased: retainedOr(null),
    sent: (is) => is.orNull(is.calendarDate()),
  }),
  delivery_time: field(orNull(clockTime('Time of the pickup or delivery that the customer asked for. Null for `dispatch`.')), {
    erased: retainedOr(null),
    sent: (is) => is.orNull(is.clockTime()),
  }),
  items_count: field(count('Number of lines, not of pieces.'), { erased: retained }),
  order_type: field(orNull(text('Kind of order, as free text. Null if it was not sent.')), {
    erased: null,
    sent: (is) => is.optionalText(),
  }),
  source: field(text('Channel that created the order, for example `api` or `checkout`.'), { erased: retainedOr('api') }),
  created_at: field(timestamp('Time at which the order was created.'), { erased: retained }),
  updated_at: field(timestamp('Time of the last save.'), { erased: retained }),
};

export const line = {
  id: field(text('Id of the line. It never changes.'), { erased: retained }),
  product_id: field(orNull(text('Id of the product. Null for a line without a product.')), {
    erased: retained,
    sent: (is) => is.orNull(is.recordId()),
  }),
  variant_id: field(orNull(text('Id of the variant of the product. Null without a variant.')), {
    erased: retained,
    sent: (is) => is.optionalRecordId(),
  }),
  name: field(text('Name at the time of the order.'), { erased: '', sent: (is) => is.optionalText() }),
  quantity: field(count('Number of pieces.'), { erased: retained, sent: (is) => is.quantity() }),
  unit_price: field(money("Price of one piece in the order's currency."), {
    erased: retained,
    sent: (is) => is.orNull(is.notNegativeMoney()),
  }),
  total: field(money("Quantity times unit price, in the order's currency."), { erased: retained }),
  notes: field(orNull(text('Wishes for this line, with markup. Null without notes.')), {
    erased: null,
    sent: (is) => is.orNull(is.markup()),
  }),
};
export const orderItem = shape('OrderItem', 'One line of an order.', line);
export type OrderItem = InferOutput<typeof orderItem>;

/** Fields of responses: those of events, and fields that only the API returns (decisions §6). */
export const shown = {
  ...eventFields,
  items: field(list(orderItem, 'Lines, in the order sent.'), { erased: [] }),
  payment_method: field(
    orNull(text('Free text, returned as sent. The service itself writes values such as `stripe`, `card`, `cash` or `other`.')),
    { erased: null, sent: (is) => is.orNull(is.verbatim()) },
  ),
  event_category: field(orNull(text('Occasion, as free text. Null if it was not sent.')), {
    erased: null,
    sent: (is) => is.optionalText(),
  }),
  delivery_address: field(orNull(address()), { erased: null, sent: (is) => is.orNull(is.address()) }),
  notes: field(orNull(text('Notes about the order, with markup. Null without notes.')), {
    erased: null,
    sent: (is) => is.orNull(is.markup()),
  }),
  custom_fields: field(customFieldValues('Values by key of the custom field.'), {
    erased: {},
    sent: (is) => is.withDefault(is.customFieldValues(), {}),
  }),
  metadata: field(textsByName("The caller's texts by name."), { erased: {}, sent: (is) => is.withDefault(is.metadata(), {}) }),
};

export const order = shape('Order', 'An order without its payments.', shown);
export const orderWithPayments = shape('OrderWithPayments', 'An order with its payments.', {
  ...shown,
  payments: list(payment, 'Payments and refunds, oldest first.'),
});
export const orderEventObject = shape('OrderEventObject', 'An order in `order.*` events.', eventFields);
export const orderStatusChangedEventObject = shape('OrderStatusChangedEventObject', 'An order with its previous status.', {
  ...eventFields,
  previous_status: optional(text('Status before the change. Absent if not recorded.')),
});
type OrderView = InferOutput<typeof order>;
export type OrderWithPayments = InferOutput<typeof orderWithPayments>;
export type OrderEventObject = InferOutput<typeof orderEventObject>;
export type OrderStatusChangedEventObject = InferOutput<typeof orderStatusChangedEventObject>;

/** A dispute of a payment, as its gateway has reported it. */
export interface Dispute {
  /** The gateway's id. */
  readonly id: string;
  readonly status: 'open' | 'won' | 'lost';
  /** Time of the report, in milliseconds since the Unix epoch. An earlier report changes nothing. */
  readonly reported_ms: number;
}

/** An order without its payments. Lists show the same record. */
export interface Order extends Omit<OrderView, keyof ReturnType<typeof computed>> {
  /** The status before the last change of status; null before the first. */
  readonly previous_status: string | null;
  /** Disputes of its payments at their gateways; absent without one. Never returned. */
  readonly disputes?: readonly Dispute[];
  /**
   * The amount that the order has added to its customer's `total_spent`; null if it does not count
   * or has no customer. Never returned.
   */
  readonly counted: number | null;
  /**
   * Highest number of a line that the order has had, if that line was removed: no later line gets
   * its id. Never returned.
   */
  readonly last_line?: number;
  /** Set by the soft delete. */
  readonly deleted_at: string | null;
}

export const orderFields = {
  ...erasedOf(shown),
  previous_status: retainedOr(null),
  disputes: (disputes: Order['disputes']) => disputes,
  counted: retainedOr(null),
  last_line: retained,
  deleted_at: retainedOr(null),
};
export const lineFields = erasedOf(line);

export const friendlyOrderNumber = (record: Pick<OrderView, 'order_number'>): string => `#${record.order_number}`;

/** Fields of a response that are calculated from the record. */
const computed = (record: Pick<OrderView, 'order_number' | 'items'>) => ({
  friendly_order_number: friendlyOrderNumber(record),
  items_count: record.items.length,
});

export const orderPayload = (record: Order): OrderEventObject => pick({ ...record, ...computed(record) }, namesOf(eventFields));

export const orderView = (record: Order): OrderView =>
  pick({ ...record, ...computed(record), items: record.items.map((item) => pick(item, namesOf(line))) }, namesOf(shown));
