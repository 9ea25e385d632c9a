import type { Account } from '../account/record.ts';
import type { Address } from '../free-members.ts';
import type { PaymentMethod } from '../payment/record.ts';

/** § Enumerations, Order status. */
export const orderStatuses = [
  'draft',
  'inquiry',
  'quote',
  'pending',
  'payment_pending_verification',
  'confirmed',
  'in_production',
  'ready',
  'dispatched',
  'delivered',
  'completed',
  'cancelled',
] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** Accepted on create; reads echo whatever is stored. */
export const orderPaymentStatuses = [
  'pending',
  'pending_payment',
  'partial_payment',
  'paid',
  'failed',
  'refunded',
  'overdue',
  'partial_refund',
  'disputed',
  'chargebacked',
] as const;

export const deliveryTypes = ['pickup', 'delivery', 'dispatch'] as const;

/** Moves the service's own surfaces enforce; a status without a row is not constrained (§ Order status transitions). */
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

export interface OrderItem {
  readonly id: string;
  readonly product_id: string | null;
  readonly name: string;
  readonly quantity: number;
  readonly unit_price: number;
  readonly total: number;
  readonly notes: string | null;
}

/** Everything of an order but its payments; what a list shows is the same record. */
export interface Order {
  readonly id: string;
  /** Rises per account; gaps are allowed. */
  readonly order_number: number;
  readonly external_id: string | null;
  readonly status: string;
  readonly payment_status: string;
  readonly subtotal: number;
  readonly tax: number;
  readonly delivery_fee: number;
  readonly discount: number;
  readonly total: number;
  readonly currency: string;
  readonly customer_id: string | null;
  readonly customer_name: string | null;
  readonly customer_email: string | null;
  readonly customer_phone: string | null;
  readonly delivery_type: string;
  readonly delivery_date: string | null;
  /** `HH:MM`; null for dispatch orders. */
  readonly delivery_time: string | null;
  readonly delivery_address: Address | null;
  readonly order_type: string | null;
  readonly source: string;
  readonly payment_method: string | null;
  readonly event_category: string | null;
  readonly items: readonly OrderItem[];
  readonly notes: string | null;
  readonly custom_fields: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, string>>;
  /** The status before the last status change; null where there was none. */
  readonly previous_status: string | null;
  /** What the order has added to its customer's `total_spent`; null where it does not count, nor has a customer. Never returned. */
  readonly counted: number | null;
  readonly created_at: string;
  readonly updated_at: string;
  /** Set by the soft delete. */
  readonly deleted_at: string | null;
}

/** Values of `payment_method` that the service itself writes (§ Enumerations); reads may carry any text. */
const orderPaymentMethods = ['stripe', 'paypal', 'square', 'shopify', 'bank_transfer', 'cash', 'card', 'other'] as const;
type OrderPaymentMethod = (typeof orderPaymentMethods)[number];

/** What an order says of the method of its payment: wallets are cards, and the detail stays on the payment (decisions §6). */
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

/** Where neither the order nor its account names one (§ Payloads). */
const fallbackCurrency = 'AUD';

/** What an account sells in unless it is said. */
export const saleCurrency = ({ currency }: Pick<Account, 'currency'>): string => currency ?? fallbackCurrency;

export const friendlyOrderNumber = (order: Pick<Order, 'order_number'>): string => `#${order.order_number}`;

/** Whether the order counts in its customer's totals (decisions §6). */
export const countsForCustomer = (order: Pick<Order, 'customer_id' | 'status' | 'deleted_at'>): boolean =>
  order.customer_id !== null && order.status !== 'cancelled' && order.deleted_at === null;

/** The UTC calendar month an order is counted in against the plan's limit, `YYYY-MM`. */
export const orderMonth = (nowMs: number): string => new Date(nowMs).toISOString().slice(0, 7);
