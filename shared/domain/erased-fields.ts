import type { CheckoutItem, CheckoutSession, SessionPayment } from './checkout/record.ts';
import type { Customer } from './customer/record.ts';
import type * as customerWire from './customer/wire.ts';
import type { Order, OrderItem } from './order/record.ts';
import type * as orderWire from './order/wire.ts';
import { erasedPayment } from './payment/erased.ts';
import type { Payment, PaymentGatewayReference } from './payment/record.ts';
import type * as paymentWire from './payment/wire.ts';
import { carriesContact, type Person, withoutIdentifiers } from './person.ts';

/**
 * What an erasure leaves of a person: amounts, dates, goods and ids, which the bakery has to account for. A table says of every field of a
 * record, its view and its event payload whether it is kept or what replaces it; a table without one of them does not compile.
 */

/** Marks a field that does not identify anybody. */
export const kept = Symbol('kept');

type Plain = string | number | boolean | null | undefined;

/** `kept` is for plain values only: what has fields of its own has a table of its own. */
export type Erasing<Known extends object, Context = unknown> = {
  readonly [Field in keyof Known]-?:
    | ([Known[Field]] extends [Plain | readonly Plain[]] ? typeof kept : never)
    | Known[Field]
    | ((value: Known[Field], context: Context) => Known[Field]);
};

/** The fields of a record, and those that only its view or its payload has. */
type Shown<Known, View> = Known & Omit<View, keyof Known>;

/** A field that the table does not know was written by another version, and goes. */
const replaced = <Value extends object, Context>(value: Value, table: object, context: Context): Value =>
  Object.fromEntries(
    Object.entries(value).flatMap(([field, old]) => {
      if (!Object.hasOwn(table, field)) return [];
      const replacement: unknown = table[field as keyof typeof table];
      if (replacement === kept) return [[field, old]];
      return [[field, typeof replacement === 'function' ? replacement(old, context) : replacement]];
    }),
  ) as Value;

const customerFields = {
  id: kept,
  first_name: null,
  last_name: null,
  email: null,
  phone: null,
  company: null,
  tags: [],
  is_blacklisted: false,
  total_orders: kept,
  total_spent: kept,
  last_order_date: kept,
  marketing_email: null,
  marketing_sms: null,
  external_id: null,
  notes: null,
  address: null,
  metadata: {},
  created_at: kept,
  updated_at: kept,
  erased_at: kept,
} as const satisfies Erasing<Shown<Customer, customerWire.Customer & customerWire.CustomerEventObject>>;

export const eraseCustomer = <Value extends object>(customer: Value): Value => replaced(customer, customerFields, undefined);

const gatewayFields = {
  provider: kept,
  /** The bakery accounts for the money by it. */
  transaction_id: kept,
} as const satisfies Erasing<PaymentGatewayReference>;

const paymentFields = {
  ...erasedPayment,
  id: kept,
  order_id: kept,
  customer_id: kept,
  schedule_id: kept,
  amount: kept,
  tip_amount: kept,
  total_amount: kept,
  fee_amount: kept,
  net_amount: kept,
  type: kept,
  source: kept,
  method: kept,
  status: kept,
  previous_status: kept,
  gateway: (gateway) => gateway && replaced(gateway, gatewayFields, undefined),
  original_payment_id: kept,
  refunded_amount: kept,
  created_at: kept,
  completed_at: kept,
  updated_at: kept,
  emits_on_create: kept,
} as const satisfies Erasing<Shown<Payment, paymentWire.Payment>>;

export const erasePayment = <Value extends object>(payment: Value): Value => replaced(payment, paymentFields, undefined);

/** The texts that the person is known by, and those that they ordered with. */
type Identifiers = readonly unknown[];

const unnamed = (text: string | null, identifiers: Identifiers): string | null => text && withoutIdentifiers(text, identifiers);

/** A line keeps what was bought. */
const lineFields = {
  id: kept,
  product_id: kept,
  name: withoutIdentifiers,
  quantity: kept,
  unit_price: kept,
  total: kept,
  notes: null,
} as const satisfies Erasing<OrderItem, Identifiers>;

const orderFields = {
  id: kept,
  order_number: kept,
  friendly_order_number: kept,
  external_id: null,
  status: kept,
  payment_status: kept,
  subtotal: kept,
  tax: kept,
  delivery_fee: kept,
  discount: kept,
  total: kept,
  currency: kept,
  customer_id: kept,
  customer_name: null,
  customer_email: null,
  customer_phone: null,
  delivery_type: kept,
  delivery_date: kept,
  delivery_time: kept,
  delivery_address: null,
  order_type: unnamed,
  source: kept,
  payment_method: unnamed,
  event_category: unnamed,
  items: (items, identifiers) => items.map((item) => replaced(item, lineFields, identifiers)),
  items_count: kept,
  payments: (payments) => payments.map(erasePayment),
  notes: null,
  custom_fields: {},
  metadata: {},
  previous_status: kept,
  counted: kept,
  created_at: kept,
  updated_at: kept,
  deleted_at: kept,
} as const satisfies Erasing<Shown<Order, orderWire.OrderWithPayments & orderWire.OrderStatusChangedEventObject>, Identifiers>;

type Placed = Partial<Pick<Order, 'customer_name' | 'customer_email' | 'customer_phone'>>;

/** Erases a person's order, its view or its payload; what they are called inside its free texts goes as well. */
export const eraseOrder = <Value extends object>(order: Value, { name, email, phone }: Person): Value => {
  const { customer_name, customer_email, customer_phone } = order as Placed;
  return replaced(order, orderFields, [name, email, phone, customer_name, customer_email, customer_phone]);
};

const goodsFields = {
  product_id: kept,
  variant_id: kept,
  /** From the catalog. */
  name: kept,
  quantity: kept,
  unit_price: kept,
  total: kept,
} as const satisfies Erasing<CheckoutItem>;

/** Money that is under way is found by all of it. */
const sessionPaymentFields = {
  gateway: kept,
  keys: kept,
  method: kept,
  lease_until_ms: kept,
  transaction_id: kept,
  redirect_url: kept,
} as const satisfies Erasing<SessionPayment>;

interface SessionContext {
  readonly person: Person;
  readonly nowMs: number;
}

/** Where the shopper comes back to, without query and fragment, and without a path that carries the person's email or phone. */
const withoutQuery = (text: string, { person }: SessionContext): string => {
  const { origin, pathname } = new URL(text);
  return `${origin}${carriesContact(pathname, person) ? '/' : pathname}`;
};

const sessionFields = {
  id: kept,
  account: kept,
  status: kept,
  currency: kept,
  items: (items) => items.map((item) => replaced(item, goodsFields, undefined)),
  subtotal: kept,
  delivery_fee: kept,
  total: kept,
  customer: null,
  delivery_type: kept,
  delivery_date: kept,
  delivery_time: kept,
  delivery_address: null,
  notes: null,
  custom_fields: {},
  metadata: {},
  external_id: null,
  success_url: withoutQuery,
  cancel_url: withoutQuery,
  token: kept,
  tries: kept,
  payment: (payment) => payment && replaced(payment, sessionPaymentFields, undefined),
  asked: kept,
  declined: kept,
  refused: kept,
  order_id: kept,
  expires_ms: (expiresMs, { nowMs }) => Math.min(expiresMs, nowMs),
  created_at: kept,
  updated_at: kept,
} as const satisfies Erasing<Pick<CheckoutSession, keyof CheckoutSession>, SessionContext>;

export const erasing = { customer: customerFields, order: orderFields, payment: paymentFields, session: sessionFields };

/** Erases a session: an open cart ends; money that is under way is settled as an order of nobody. */
export const eraseSession = (session: CheckoutSession, person: Person, nowMs: number): CheckoutSession =>
  replaced(session, sessionFields, { person, nowMs });

/** The fields of a session that an erasure replaces, which are those that can carry a person. */
export const personalFieldsOf = (session: CheckoutSession): readonly unknown[] =>
  Object.entries(sessionFields).flatMap(([field, replacement]) => (replacement === kept ? [] : [session[field as keyof CheckoutSession]]));
