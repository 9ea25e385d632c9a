import type { CheckoutItem, CheckoutSession, SessionPayment } from './checkout/record.ts';
import { customerFields } from './customer/record.ts';
import { lineFields, type Order, type OrderItem, orderFields } from './order/record.ts';
import type * as orderWire from './order/wire.ts';
import { paymentFields } from './payment/record.ts';
import { carriesContact, type Person, withoutIdentifiers } from './person.ts';
import { erase, type Fields, kept } from './record-fields.ts';

/**
 * An erasure keeps these facts of a person: amounts, dates, goods and ids, which the bakery must
 * account for. A table says for each field of a record, its view and its event payload whether it
 * is kept or what replaces it. A table with a missing field does not compile.
 */

export const eraseCustomer = <Value extends object>(customer: Value): Value => erase(customer, customerFields);

export const erasePayment = <Value extends object>(payment: Value): Value => erase(payment, paymentFields);

/** The texts that the person is known by, and those that they ordered with. */
type Identifiers = readonly unknown[];

const unnamed = (text: string | null, identifiers: Identifiers): string | null => text && withoutIdentifiers(text, identifiers);

/** A line keeps what was bought. */
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
 * Erases a person's order, its view or its payload; what they are called inside its free texts goes
 * as well.
 */
export const eraseOrder = <Value extends object>(order: Value, { name, email, phone }: Person): Value => {
  const { customer_name, customer_email, customer_phone } = order as Placed;
  return erase(order, orderTable, [name, email, phone, customer_name, customer_email, customer_phone]);
};

const goodsFields = {
  product_id: kept,
  variant_id: kept,
  /** From the catalog. */
  name: kept,
  quantity: kept,
  unit_price: kept,
  total: kept,
  image: kept,
} as const satisfies Fields<CheckoutItem>;

/** Money that is under way is found by all of it. */
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
 * Erases a session. An open cart ends; a payment under way is settled as an order without a
 * customer.
 */
export const eraseSession = (session: CheckoutSession, person: Person, nowMs: number): CheckoutSession =>
  erase(session, sessionFields, { person, nowMs });

/** The fields of a session that an erasure replaces, which are those that can carry a person. */
export const personalFieldsOf = (session: CheckoutSession): readonly unknown[] =>
  Object.entries(sessionFields).flatMap(([field, replacement]) => (replacement === kept ? [] : [session[field as keyof CheckoutSession]]));
