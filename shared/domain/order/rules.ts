import { ApiError, invalidValue } from '../../core/errors.ts';
import { addMoney, maxAmount } from '../../core/money.ts';
import { type Customer, customerName } from '../customer/record.ts';
import type { OrderStatus } from '../enumerations.ts';
import { makePayment, type PaymentInput } from '../payment/input.ts';
import type { Payment } from '../payment/record.ts';
import type { OrderChanges, OrderInput } from './input.ts';
import { changeItems, type Offer } from './items.ts';
import { mayBecome, type Order, type OrderItem } from './record.ts';

/**
 * Returns the order with another status. Rejects a change that the table of transitions does not
 * allow (§ Order status transitions).
 */
export const transitionOrder = (order: Order, status: OrderStatus, updated_at: string): Order => {
  if (!mayBecome(order.status, status))
    throw new ApiError('conflict', `The status cannot change from ${order.status} to ${status}.`, { field: 'status' });
  return { ...order, status, previous_status: order.status === status ? order.previous_status : order.status, updated_at };
};

/** Rejects another payment status for an order with refunds, whose status follows from them. */
const assertPaymentStatus = ({ payment_status, payment_status_before }: Order, changes: OrderChanges): void => {
  if (payment_status_before === null || changes.payment_status === undefined || changes.payment_status === payment_status) return;
  throw new ApiError('conflict', 'The payment status of an order with refunds follows from its payments.', { field: 'payment_status' });
};

/**
 * Returns the order after a change, with recalculated amounts. A different status must be an allowed
 * transition.
 */
export const changeOrder = (order: Order, changes: OrderChanges, offer: Offer, updated_at: string): Order => {
  const { items: inputs, status, ...members } = changes;
  assertPaymentStatus(order, changes);
  const items = inputs ? changeItems(order, inputs, offer) : order.items;
  const changed = { ...order, ...members, items, updated_at };
  const transitioned = status === undefined || status === order.status ? changed : transitionOrder(changed, status, updated_at);
  return { ...transitioned, ...orderAmounts(items, transitioned), delivery_time: scheduledTime(transitioned) };
};

/** Items with prices, and the order's amounts. */
interface PricedOrder extends Pick<Order, 'items' | 'subtotal' | 'tax' | 'delivery_fee' | 'discount' | 'total'> {}

type Contact = Pick<Customer, 'first_name' | 'last_name' | 'email' | 'phone'>;

/** Fields of an order that the service sets. */
interface OrderOrigin extends Pick<Order, 'id' | 'order_number' | 'currency' | 'source' | 'created_at'> {
  readonly customer: (Contact & Pick<Customer, 'id'>) | null;
  /** The details that the caller or shopper gave. Missing ones come from the customer. */
  readonly given: Contact | undefined;
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
  said: Omit<OrderInput, 'customer' | 'payments' | 'emit_webhooks' | 'currency' | keyof PricedOrder>,
  priced: PricedOrder,
  { customer, given, ...origin }: OrderOrigin,
): Order => ({
  ...said,
  ...priced,
  ...origin,
  customer_id: customer?.id ?? null,
  customer_name: (given && customerName(given)) ?? (customer && customerName(customer)),
  customer_email: given?.email ?? customer?.email ?? null,
  customer_phone: given?.phone ?? customer?.phone ?? null,
  delivery_time: scheduledTime(said),
  previous_status: null,
  payment_status_before: null,
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
  if (unknown !== undefined) throw invalidValue(`custom_fields.${unknown}`, 'The account has no such custom field.');
};
