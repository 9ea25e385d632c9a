import type { CheckoutItem, CheckoutSession, ChosenSlot, SessionPayment } from './checkout/record.ts';
import { customerFields } from './customer/fields.ts';
import { paymentMethods } from './enumerations.ts';
import { lineFields, type Order, type OrderItem, type OrderWithPayments, orderFields } from './order/fields.ts';
import { orderPaymentMethods } from './order/rules.ts';
import { type Payment, paymentFields } from './payment/fields.ts';
import { carriesContact, type Person } from './person.ts';
import { type Identifiers, withoutIdentifiers } from './person-texts.ts';
import { type ErasureTable, erase, personalNames, retained } from './record-fields.ts';

/**
 * Decides what an erasure keeps and removes. It keeps amounts, dates, goods and ids, because the bakery
 * must account for them. A table says for each field of a record, its view and its event payload
 * whether the field is kept or what replaces it. A table with a missing field does not compile.
 */

export const customerWithoutPerson = <Value extends object>(customer: Value): Value => erase(customer, customerFields);

export const paymentWithoutTexts = <Value extends object>(payment: Value): Value => erase(payment, paymentFields);

interface OrderContext {
  /** Texts that identify the person: the current values, and the values at the time of the order. */
  readonly identifiers: Identifiers;
  /** Names of products and variants of the catalog, which stay. */
  readonly catalogNames: ReadonlySet<string>;
}

const textWithoutPerson = (text: string | null, { identifiers }: OrderContext): string | null =>
  text && withoutIdentifiers(text, identifiers);

const knownMethods: ReadonlySet<string> = new Set([...orderPaymentMethods, ...paymentMethods]);

/** Whether a method is one of the specification's lists. Callers may send any other text. */
const isKnownMethod = (method: string | null): boolean => method !== null && knownMethods.has(method.trim().toLowerCase());

const methodWithoutPerson = (method: string | null, context: OrderContext): string | null =>
  isKnownMethod(method) ? method : textWithoutPerson(method, context);

/** An order line keeps what was bought. */
const lineTable = {
  ...lineFields,
  name: (name, { identifiers, catalogNames }) => (catalogNames.has(name) ? name : withoutIdentifiers(name, identifiers)),
} as const satisfies ErasureTable<OrderItem, OrderContext>;

const orderTable = {
  ...orderFields,
  order_type: textWithoutPerson,
  payment_method: methodWithoutPerson,
  event_category: textWithoutPerson,
  items: (items, context) => items.map((item) => erase(item, lineTable, context)),
  payments: (payments) => payments.map(paymentWithoutTexts),
} as const satisfies ErasureTable<Order & OrderWithPayments, OrderContext>;

/** What of an order is a person's, so that their erasure removes it. */
export interface PersonalPart {
  /** All texts that describe the person, except the phone number. */
  readonly details: boolean;
  readonly phone: boolean;
}

/** The part of an order of the person themselves. */
export const fullPersonalPart: PersonalPart = { details: true, phone: true };

type Contact = Partial<Pick<Order, 'customer_name' | 'customer_email' | 'customer_phone'>>;

/**
 * Removes the person's part from an order, its view or its payload. If the part has the details, it
 * removes their names and contacts from free texts too. `catalogNames` has the names of the order's products
 * in the catalog.
 */
export const orderWithoutPerson = <Value extends object>(
  order: Value,
  person: Person,
  { details, phone }: PersonalPart,
  catalogNames: ReadonlySet<string> = new Set(),
): Value => {
  const { customer_name, customer_email, customer_phone } = order as Contact;
  if (!details) return phone && customer_phone !== undefined ? { ...order, customer_phone: null } : order;
  const identifiers = {
    names: [person.name, customer_name],
    emails: [person.email, customer_email],
    phones: [person.phone, phone ? customer_phone : null],
  };
  const erased = erase(order, orderTable, { identifiers, catalogNames });
  return phone || customer_phone === undefined ? erased : { ...erased, customer_phone };
};

/** Whether two JSON values are the same, also in the order of their members. */
export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Whether a line has a name or notes that neither the order nor the catalog has. */
const isNewText = ({ name, notes }: OrderItem, before: Order, catalogNames: ReadonlySet<string>): boolean =>
  !(catalogNames.has(name) || before.items.some((line) => line.name === name)) ||
  (notes !== null && before.items.every((line) => line.notes !== notes));

/**
 * Whether a change puts text on an order: a value of a field that an erasure empties, unless the
 * order has that value already. `catalogNames` has the names of products in the catalog.
 */
export const addsText = (before: Order, after: Order, catalogNames: ReadonlySet<string>): boolean =>
  personalNames(orderFields).some((field) => {
    if (field === 'items') return after.items.some((line) => isNewText(line, before, catalogNames));
    if (!(field in after)) return false;
    const [was, is] = [before[field as keyof Order], after[field as keyof Order]];
    if (field === 'payment_method' && isKnownMethod(after.payment_method)) return false;
    return !isSame(was, is) && !isSame(is, orderFields[field]);
  });

/** Whether a payment has a value that an erasure empties. */
export const hasText = (payment: Payment): boolean => !isSame(paymentWithoutTexts(payment), payment);

const goodsFields = {
  product_id: retained,
  variant_id: retained,
  /** The product's name, from the catalog. */
  name: retained,
  quantity: retained,
  unit_price: retained,
  total: retained,
  image: retained,
} as const satisfies ErasureTable<CheckoutItem>;

/** A session's payment keeps every field, because all are needed to find a running payment. */
const sessionPaymentFields = {
  gateway: retained,
  keys: retained,
  method: retained,
  lease_until_ms: retained,
  transaction_id: retained,
  redirect_url: retained,
} as const satisfies ErasureTable<SessionPayment>;

interface SessionContext {
  readonly person: Person;
  readonly nowMs: number;
}

/** Removes query and fragment, and a path that contains the person's email or phone. */
const withoutQuery = (text: string, { person }: SessionContext): string => {
  const { origin, pathname } = new URL(text);
  return `${origin}${carriesContact(pathname, person) ? '/' : pathname}`;
};

/** The slot's label is the merchant's. */
const slotFields = { label: retained, start: retained, end: retained } as const satisfies ErasureTable<ChosenSlot>;

const sessionFields = {
  id: retained,
  account: retained,
  status: retained,
  currency: retained,
  items: (items) => items.map((item) => erase(item, goodsFields)),
  subtotal: retained,
  delivery_fee: retained,
  total: retained,
  slot: (slot) => slot && erase(slot, slotFields),
  customer: null,
  delivery_type: retained,
  delivery_date: retained,
  delivery_time: retained,
  delivery_address: null,
  notes: null,
  custom_fields: {},
  metadata: {},
  external_id: null,
  success_url: withoutQuery,
  cancel_url: withoutQuery,
  token: retained,
  tries: retained,
  payment: (payment) => payment && erase(payment, sessionPaymentFields),
  asked: retained,
  declined: retained,
  refused: retained,
  order_id: retained,
  expires_ms: (expiresMs, { nowMs }) => Math.min(expiresMs, nowMs),
  created_at: retained,
  updated_at: retained,
} as const satisfies ErasureTable<Pick<CheckoutSession, keyof CheckoutSession>, SessionContext>;

export const erasureTables = { customer: customerFields, order: orderTable, payment: paymentFields, session: sessionFields };

/**
 * Removes the person from a session. An open cart ends. A running payment becomes an order without
 * a customer.
 */
export const sessionWithoutPerson = (session: CheckoutSession, person: Person, nowMs: number): CheckoutSession =>
  erase(session, sessionFields, { person, nowMs });

/**
 * Returns the fields of a session that can contain personal data, which are those that an erasure
 * replaces.
 */
export const personalFieldsOf = (session: CheckoutSession): readonly unknown[] =>
  Object.entries(sessionFields).flatMap(([field, replacement]) =>
    replacement === retained ? [] : [session[field as keyof CheckoutSession]],
  );
