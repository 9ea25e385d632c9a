import type { Account } from '../account/record.ts';
import type { OrderStatus, PaymentMethod } from '../enumerations.ts';
import { type Fields, kept, keptOr, namesOf, pick } from '../record-fields.ts';
import type * as wire from './wire.ts';

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

export type OrderItem = wire.Order['items'][number];

/** An order without its payments. Lists show the same record. */
export interface Order extends Omit<wire.Order, keyof ReturnType<typeof computed>> {
  /** The status before the last change of status; null before the first. */
  readonly previous_status: string | null;
  /** The payment status before the first refund; null without a refund. Never returned. */
  readonly payment_status_before: string | null;
  /**
   * The amount that the order has added to its customer's `total_spent`; null if it does not count
   * or has no customer. Never returned.
   */
  readonly counted: number | null;
  /** Set by the soft delete. */
  readonly deleted_at: string | null;
}

export const friendlyOrderNumber = (order: Pick<wire.Order, 'order_number'>): string => `#${order.order_number}`;

/** Fields of a response that are calculated from the record. */
const computed = (order: Pick<wire.Order, 'order_number' | 'items'>) => ({
  friendly_order_number: friendlyOrderNumber(order),
  items_count: order.items.length,
});

/** Fields of `data.object` in order.* (§ Payloads). */
const told = {
  id: kept,
  order_number: kept,
  friendly_order_number: kept,
  external_id: null,
  status: kept,
  payment_status: keptOr('pending'),
  subtotal: kept,
  tax: keptOr(0),
  delivery_fee: keptOr(0),
  discount: keptOr(0),
  total: kept,
  currency: kept,
  customer_id: keptOr(null),
  customer_name: null,
  customer_email: null,
  customer_phone: null,
  delivery_type: keptOr('pickup'),
  delivery_date: keptOr(null),
  delivery_time: keptOr(null),
  items_count: kept,
  order_type: null,
  source: keptOr('api'),
  created_at: kept,
  updated_at: kept,
} as const satisfies Fields<wire.OrderEventObject>;

/**
 * Fields of responses: the fields of events, and fields that only the API returns (decisions §6).
 */
const shown = {
  ...told,
  items: [],
  payment_method: null,
  event_category: null,
  delivery_address: null,
  notes: null,
  custom_fields: {},
  metadata: {},
} as const satisfies Fields<wire.Order>;

export const orderFields = {
  ...shown,
  previous_status: keptOr(null),
  payment_status_before: keptOr(null),
  counted: keptOr(null),
  deleted_at: keptOr(null),
} as const satisfies Fields<wire.Order & Order>;

export const lineFields = {
  id: kept,
  product_id: kept,
  variant_id: kept,
  name: '',
  quantity: kept,
  unit_price: kept,
  total: kept,
  notes: null,
} as const satisfies Fields<OrderItem>;

export const orderPayload = (order: Order): wire.OrderEventObject => pick({ ...order, ...computed(order) }, namesOf(told));

export const orderView = (order: Order): wire.Order =>
  pick({ ...order, ...computed(order), items: order.items.map((item) => pick(item, namesOf(lineFields))) }, namesOf(shown));

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
