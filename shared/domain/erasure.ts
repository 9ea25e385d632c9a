import type { CheckoutSession } from './checkout/record.ts';
import type { Customer } from './customer/record.ts';
import type { Order } from './order/record.ts';

/**
 * What is left of a person: amounts, dates, goods and ids, which the bakery has to account for, and nothing that tells who it was.
 * Each table names the members that go; it serves the record, its API view and its event payload alike, whichever of them they have.
 */

export const erasedCustomer = {
  first_name: null,
  last_name: null,
  email: null,
  phone: null,
  company: null,
  tags: [],
  is_blacklisted: false,
  marketing_email: null,
  marketing_sms: null,
  external_id: null,
  notes: null,
  address: null,
  metadata: {},
} as const satisfies Partial<Customer>;

const erasedOrder = {
  external_id: null,
  customer_name: null,
  customer_email: null,
  customer_phone: null,
  delivery_address: null,
  notes: null,
  custom_fields: {},
  metadata: {},
} as const satisfies Partial<Order>;

/** The gateway's transaction stays: it is what the money is accounted for by. */
export const erasedPayment = { description: null, method_details: null } as const;

/** What a person is known by beyond their id, as long as their erasure is under way. */
export interface Person {
  readonly id: string;
  /** In lower case. */
  readonly email: string | null;
  readonly phone: string | null;
  readonly name: string | null;
}

type Members = Readonly<Record<string, unknown>>;

const replaced = <Value extends object>(value: Value, members: Members): Value =>
  Object.fromEntries(Object.entries(value).map(([name, old]) => [name, Object.hasOwn(members, name) ? members[name] : old])) as Value;

/** Shorter ones stand in other words. */
const leastIdentifier = 4;

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The text without the identifiers. */
const withoutIdentifiers = (text: string, identifiers: readonly unknown[]): string =>
  identifiers
    .filter((identifier): identifier is string => typeof identifier === 'string' && identifier.length >= leastIdentifier)
    .reduce((left, identifier) => left.replaceAll(new RegExp(escaped(identifier), 'gi'), '[erased]'), text);

export const eraseCustomer = <Value extends object>(customer: Value): Value => replaced(customer, erasedCustomer);

export const erasePayment = <Value extends object>(payment: Value): Value => replaced(payment, erasedPayment);

type Placed = Partial<Pick<Order, 'items' | 'customer_name' | 'customer_email' | 'customer_phone'>>;

/** Lines keep what was bought, without notes and without the person's name in it: the one they have, and the one they ordered with. */
export const eraseOrder = <Value extends object>(order: Value, { name, email, phone }: Person): Value => {
  const { items, payments, customer_name, customer_email, customer_phone } = order as Placed & { readonly payments?: readonly object[] };
  const identifiers = [name, email, phone, customer_name, customer_email, customer_phone];
  return replaced(order, {
    ...erasedOrder,
    ...(items ? { items: items.map((item) => ({ ...item, name: withoutIdentifiers(item.name, identifiers), notes: null })) } : {}),
    ...(payments ? { payments: payments.map(erasePayment) } : {}),
  });
};

/** What an order is called on the line of a gateway fee, where the bakery called it by the person. */
export const eraseLabel = (label: string, { name, email, phone }: Person): string => withoutIdentifiers(label, [name, email, phone]);

const withoutQuery = (text: string): string => {
  const url = new URL(text);
  return `${url.origin}${url.pathname}`;
};

/** A cart that is still open ends; money that is under way is settled as an order of nobody. */
export const eraseSession = (session: CheckoutSession, nowMs: number): CheckoutSession => ({
  ...session,
  customer: null,
  delivery_address: null,
  notes: null,
  custom_fields: {},
  metadata: {},
  external_id: null,
  success_url: withoutQuery(session.success_url),
  cancel_url: withoutQuery(session.cancel_url),
  expires_ms: Math.min(session.expires_ms, nowMs),
});

const sameEmail = (email: unknown, person: Person): boolean =>
  typeof email === 'string' && person.email !== null && email.toLowerCase() === person.email;

/** Whether an order, its view or its payload is the person's: by id, or by the email it was placed with. */
export const isOrderOf = (order: { readonly customer_id?: unknown; readonly customer_email?: unknown }, person: Person): boolean =>
  order.customer_id === person.id || sameEmail(order.customer_email, person);

export const isSessionOf = ({ customer }: CheckoutSession, person: Person): boolean => sameEmail(customer?.email, person);

interface EventBody {
  readonly type: string;
  /** Unix seconds. */
  readonly created: number;
  readonly data: { readonly object: Readonly<Record<string, unknown>> };
}

/** The customers that an event tells of: one, or none. */
export const customerOfEvent = (type: string, object: unknown): string | undefined => {
  const { id, customer_id } = object as { readonly id?: unknown; readonly customer_id?: unknown };
  const customer = type.startsWith('customer.') ? id : /^(order|payment)\./.test(type) ? customer_id : undefined;
  return typeof customer === 'string' ? customer : undefined;
};

const erasePayload = (type: string, object: EventBody['data']['object'], person: Person): object => {
  if (type.startsWith('customer.')) return eraseCustomer(object);
  return type.startsWith('order.') ? eraseOrder(object, person) : erasePayment(object);
};

/** The event's body without the person; undefined where it does not tell of them: by id, or by their email until then. */
export const eraseEvent = (body: string, person: Person, emailUntilSeconds = 0): string | undefined => {
  const event = JSON.parse(body) as EventBody;
  const { type, created, data } = event;
  const isTheirs =
    customerOfEvent(type, data.object) === person.id ||
    (type.startsWith('order.') && created <= emailUntilSeconds && isOrderOf(data.object, person));
  return isTheirs ? JSON.stringify({ ...event, data: { ...data, object: erasePayload(type, data.object, person) } }) : undefined;
};

/** The event's body of an account that is erased: that something happened, not what. */
export const emptyEvent = (body: string): string => {
  const event = JSON.parse(body) as EventBody;
  return JSON.stringify({ ...event, data: { object: { id: event.data.object['id'] } } });
};
