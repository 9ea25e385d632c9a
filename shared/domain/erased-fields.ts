import type { CheckoutItem, CheckoutSession, SessionPayment } from './checkout/record.ts';
import { customerFields } from './customer/record.ts';
import { lineFields, type Order, type OrderItem, orderFields } from './order/record.ts';
import type * as orderWire from './order/wire.ts';
import { paymentFields } from './payment/record.ts';
import { carriesContact, type Person, withoutIdentifiers } from './person.ts';
import { erase, type Fields, kept } from './record-fields.ts';

/**
 * What an erasure keeps and removes. It keeps amounts, dates, goods and ids, because the bakery
 * must account for them. A table says for each field of a record, its view and its event payload
 * whether the field is kept or what replaces it. A table with a missing field does not compile.
 */

export const eraseCustomer = <Value extends object>(customer: Value): Value => erase(customer, customerFields);

export const erasePayment = <Value extends object>(payment: Value): Value => erase(payment, paymentFields);

/** Texts that identify the person: the current values, and the values at the time of the order. */
type Identifiers = readonly unknown[];

const unnamed = (text: string | null, identifiers: Identifiers): string | null => text && withoutIdentifiers(text, identifiers);

/** An order line keeps what was bought. */
const lineTable = { ...lineFields, name: withoutIdentifiers } as const satisfies Fields<OrderItem, Identifiers>;

const orderTable = {
  ...orderFields,
  order_type: unnamed,
  payment_method: unnamed,
  event_category: unnamed,
  items: (items, identifiers) => items.map((item) => erase(item, lineTable, identifiers)),
  payments: (payments) => payments.map(erasePayment),
} as const satisfies Fields<Order & orderWire.OrderWithPayments, Identifiers>;

type Placed = Partial<Pick<Order, 'customer_name' | 'customer_email' | 'customer_phone'>>;

/**
 * Removes the person from an order, its view or its payload, and their names and contacts from its
 * free texts.
 */
export const eraseOrder = <Value extends object>(order: Value, { name, email, phone }: Person): Value => {
  const { customer_name, customer_email, customer_phone } = order as Placed;
  return erase(order, orderTable, [name, email, phone, customer_name, customer_email, customer_phone]);
};

const goodsFields = {
  product_id: kept,
  variant_id: kept,
  /** The product's name, from the catalog. */
  name: kept,
  quantity: kept,
  unit_price: kept,
  total: kept,
  image: kept,
} as const satisfies Fields<CheckoutItem>;

/** A session's payment keeps every field, because all are needed to find a running payment. */
const sessionPaymentFields = {
  gateway: kept,
  keys: kept,
  method: kept,
  lease_until_ms: kept,
  transaction_id: kept,
  redirect_url: kept,
} as const satisfies Fields<SessionPayment>;

interface SessionContext {
  readonly person: Person;
  readonly nowMs: number;
}

/** Removes query and fragment, and a path that contains the person's email or phone. */
const withoutQuery = (text: string, { person }: SessionContext): string => {
  const { origin, pathname } = new URL(text);
  return `${origin}${carriesContact(pathname, person) ? '/' : pathname}`;
};

const sessionFields = {
  id: kept,
  account: kept,
  status: kept,
  currency: kept,
  items: (items) => items.map((item) => erase(item, goodsFields)),
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
  payment: (payment) => payment && erase(payment, sessionPaymentFields),
  asked: kept,
  declined: kept,
  refused: kept,
  order_id: kept,
  expires_ms: (expiresMs, { nowMs }) => Math.min(expiresMs, nowMs),
  created_at: kept,
  updated_at: kept,
} as const satisfies Fields<Pick<CheckoutSession, keyof CheckoutSession>, SessionContext>;

export const erasing = { customer: customerFields, order: orderTable, payment: paymentFields, session: sessionFields };

/**
 * Removes the person from a session. An open cart ends. A running payment becomes an order without
 * a customer.
 */
export const eraseSession = (session: CheckoutSession, person: Person, nowMs: number): CheckoutSession =>
  erase(session, sessionFields, { person, nowMs });

/**
 * Returns the fields of a session that can contain personal data, which are those that an erasure
 * replaces.
 */
export const personalFieldsOf = (session: CheckoutSession): readonly unknown[] =>
  Object.entries(sessionFields).flatMap(([field, replacement]) => (replacement === kept ? [] : [session[field as keyof CheckoutSession]]));
