import { ApiError, invalidValue } from '../../core/errors.ts';
import { addMoney, maxAmount } from '../../core/money.ts';
import type { Account } from '../account/record.ts';
import { type Customer, customerName } from '../customer/fields.ts';
import type { OrderStatus, PaymentMethod } from '../enumerations.ts';
import { type EventOfChange, type Images, isSaved } from '../event/types.ts';
import type { Payment } from '../payment/fields.ts';
import type { PaymentInput } from '../payment/input.ts';
import { makePayment } from '../payment/rules.ts';
import { type Dispute, type Order, type OrderItem, type OrderStatusChangedEventObject, orderPayload } from './fields.ts';
import type { OrderChanges, OrderInput } from './input.ts';
import { changeItems, type Offer } from './items.ts';

/**
 * Changes of status that the dashboard allows. A status without a row may change to any other (§
 * Order status transitions).
 */
const orderTransitions: Readonly<Partial<Record<OrderStatus, readonly OrderStatus[]>>> = {
  pending: ['confirmed', 'in_production', 'ready', 'dispatched', 'delivered', 'completed', 'cancelled'],
  confirmed: ['in_production', 'ready', 'dispatched', 'delivered', 'completed', 'cancelled'],
  in_production: ['ready', 'dispatched', 'delivered', 'completed', 'cancelled'],
  ready: ['in_production', 'dispatched', 'delivered', 'completed', 'cancelled'],
  dispatched: ['ready', 'delivered', 'completed', 'cancelled'],
  quote: ['pending', 'confirmed', 'cancelled'],
  delivered: ['completed'],
  completed: [],
  cancelled: [],
};

export const mayBecome = (from: string, to: OrderStatus): boolean => orderTransitions[from as OrderStatus]?.includes(to) ?? true;

/**
 * Values of `payment_method` that the service itself writes (§ Enumerations). Callers may send any
 * text.
 */
export const orderPaymentMethods = ['stripe', 'paypal', 'square', 'shopify', 'bank_transfer', 'cash', 'card', 'other'] as const;
type OrderPaymentMethod = (typeof orderPaymentMethods)[number];

/**
 * An order's payment method, by the method of its payment. Wallets count as cards; the payment
 * keeps the exact method (decisions §6).
 */
export const orderPaymentMethodOf: Readonly<Record<PaymentMethod, OrderPaymentMethod>> = {
  card: 'card',
  credit_card: 'card',
  apple_pay: 'card',
  google_pay: 'card',
  bank_transfer: 'bank_transfer',
  wire_transfer: 'bank_transfer',
  cash: 'cash',
  paypal: 'paypal',
  check: 'other',
  cheque: 'other',
  afterpay: 'other',
  klarna: 'other',
  store_credit: 'other',
  imported: 'other',
  other: 'other',
};

/** Currency if neither the order nor its account has one (§ Payloads). */
const fallbackCurrency = 'AUD';

/** Returns the currency in which an account sells by default. */
export const saleCurrency = ({ currency }: Pick<Account, 'currency'>): string => currency ?? fallbackCurrency;

/** Whether the order counts in its customer's totals (decisions §6). */
export const countsForCustomer = (order: Pick<Order, 'customer_id' | 'status' | 'deleted_at'>): boolean =>
  order.customer_id !== null && order.status !== 'cancelled' && order.deleted_at === null;

/**
 * Returns the UTC calendar month (`YYYY-MM`) in which an order counts against the account's limit.
 */
export const orderMonth = (nowMs: number): string => new Date(nowMs).toISOString().slice(0, 7);

/** Returns a sentence with the statuses that may follow a status, for an error. */
const describeNext = (from: OrderStatus): string => {
  const next = orderTransitions[from] ?? [];
  return next.length > 0 ? `It can become ${next.join(', ')}.` : 'This status is final.';
};

/**
 * Returns the order with another status. Rejects a change that the table of transitions does not
 * allow (§ Order status transitions).
 */
export const transitionOrder = (order: Order, status: OrderStatus, updated_at: string): Order => {
  if (!mayBecome(order.status, status))
    throw new ApiError(
      'conflict',
      `The order cannot change from ${order.status} to ${status}. ${describeNext(order.status as OrderStatus)}`,
      {
        field: 'status',
      },
    );
  return { ...order, status, previous_status: order.status === status ? order.previous_status : order.status, updated_at };
};

/**
 * Returns the order after a change, with recalculated amounts. A different status must be an allowed
 * transition.
 */
export const changeOrder = (order: Order, changes: OrderChanges, offer: Offer, updated_at: string): Order => {
  const { items: inputs, status, ...fields } = changes;
  const lines = inputs ? changeItems(order, inputs, offer) : {};
  const changed = { ...order, ...fields, ...lines, updated_at };
  const transitioned = status === undefined || status === order.status ? changed : transitionOrder(changed, status, updated_at);
  return { ...transitioned, ...orderAmounts(changed.items, transitioned), delivery_time: scheduledTime(transitioned) };
};

/** Items with prices, and the order's amounts. */
interface PricedOrder extends Pick<Order, 'items' | 'subtotal' | 'tax' | 'delivery_fee' | 'discount' | 'total'> {}

type Contact = Pick<Customer, 'first_name' | 'last_name' | 'email' | 'phone'>;

/** Fields of an order that the service sets. */
interface OrderOrigin extends Pick<Order, 'id' | 'order_number' | 'currency' | 'source' | 'created_at'> {
  readonly customer: (Contact & Pick<Customer, 'id'>) | null;
  /** The details that the caller or shopper gave. Missing ones come from the customer. */
  readonly contact: Contact | undefined;
}

/**
 * Calculates total = subtotal + tax + delivery_fee − discount, in whole cents. Rejects a discount
 * that would make the total negative.
 */
export const orderAmounts = (
  items: readonly OrderItem[],
  { tax, delivery_fee, discount }: Pick<Order, 'tax' | 'delivery_fee' | 'discount'>,
) => {
  const subtotal = addMoney(...items.map((item) => item.total));
  const total = addMoney(subtotal, tax, delivery_fee, -discount);
  if (total < 0) throw invalidValue('discount', 'discount must not exceed the total before the discount.');
  if (subtotal >= maxAmount || total >= maxAmount) throw invalidValue('items', `The total of the order must be less than ${maxAmount}.`);
  return { subtotal, tax, delivery_fee, discount, total };
};

/**
 * Returns the delivery time; null for dispatch, because carriers promise no time (§ Enumerations,
 * Delivery type).
 */
const scheduledTime = ({ delivery_type, delivery_time }: Pick<Order, 'delivery_type' | 'delivery_time'>): string | null =>
  delivery_type === 'dispatch' ? null : delivery_time;

/** Returns the record of a new order. */
export const makeOrder = (
  input: Omit<OrderInput, 'customer' | 'payments' | 'emit_webhooks' | 'currency' | keyof PricedOrder>,
  priced: PricedOrder,
  { customer, contact, ...origin }: OrderOrigin,
): Order => ({
  ...input,
  ...priced,
  ...origin,
  customer_id: customer?.id ?? null,
  customer_name: (contact && customerName(contact)) ?? (customer && customerName(customer)),
  customer_email: contact?.email ?? customer?.email ?? null,
  customer_phone: contact?.phone ?? customer?.phone ?? null,
  delivery_time: scheduledTime(input),
  previous_status: null,
  counted: null,
  updated_at: origin.created_at,
  deleted_at: null,
});

/** Returns the record of a payment that is sent with an order. */
export const makeOrderPayment = (input: PaymentInput, order: Order, id: string, emits_on_create: boolean): Payment =>
  makePayment(input, {
    id,
    order_id: order.id,
    customer_id: order.customer_id,
    schedule_id: null,
    source: order.source,
    created_at: order.created_at,
    emits_on_create,
  });

/** Rejects custom fields without an active definition. The error names `custom_fields.<key>`. */
export const assertKnownFields = (values: Readonly<Record<string, unknown>>, known: ReadonlySet<string>): void => {
  const unknown = Object.keys(values).find((key) => !known.has(key));
  if (unknown !== undefined)
    throw invalidValue(
      `custom_fields.${unknown}`,
      `custom_fields.${unknown} is not a custom field of the account. Add it to the settings, or leave it out.`,
    );
};

/**
 * Returns the order with a report about a dispute; the same order if a later report is known or
 * nothing changed.
 */
export const withDispute = (order: Order, reported: Dispute): Order => {
  const { disputes = [] } = order;
  const known = disputes.find(({ id }) => id === reported.id);
  // A decision stands, whatever an older reading says that arrives later.
  const isDecided = known !== undefined && known.status !== 'open';
  const isEarlier = isDecided && (reported.status === 'open' || known.reported_ms > reported.reported_ms);
  if (isEarlier || known?.status === reported.status) return order;
  return { ...order, disputes: [...disputes.filter((one) => one !== known), reported] };
};

/**
 * Every save emits `order.updated`. A change of status also emits `order.status_changed`, the only
 * event with the previous status (decisions §7).
 */
export const orderEvents = ({ before, after }: Images<Order>): readonly EventOfChange[] => {
  const object = orderPayload(after.record);
  if (!before) return [{ type: 'order.created', object }];
  if (!isSaved(before, after) || before.record.deleted_at !== null) return [];
  if (after.record.deleted_at !== null) return [{ type: 'order.deleted', object }];
  const previous_status = before.record.status;
  const moved = previous_status !== after.record.status;
  const statusChange: OrderStatusChangedEventObject = { ...object, previous_status };
  return [{ type: 'order.updated', object }, ...(moved ? [{ type: 'order.status_changed', object: statusChange } as const] : [])];
};
