import type { CheckoutSession } from './checkout/record.ts';
import { eraseCustomer, eraseOrder, erasePayment, personalFieldsOf } from './erased-fields.ts';
import { carriesContact, isNamedAs, type Person, sameEmail, withoutIdentifiers } from './person.ts';

/**
 * Returns an order's label on the line of a gateway fee, without the person if the bakery used
 * their name.
 */
export const eraseLabel = (label: string, { name, email, phone }: Person): string => withoutIdentifiers(label, [name, email, phone]);

/**
 * Whether an order, its view or its payload is the person's: by id, or by the email it was placed
 * with.
 */
export const isOrderOf = (order: { readonly customer_id?: unknown; readonly customer_email?: unknown }, person: Person): boolean =>
  order.customer_id === person.id || sameEmail(order.customer_email, person);

/**
 * Whether a session is the person's (decisions §7, customer.erase): a paid one by the email it was
 * opened with, an unpaid one also by an email or phone in any of its texts, and by both names if it
 * has no email.
 */
export const isSessionOf = (session: CheckoutSession, person: Person): boolean => {
  const { status, customer } = session;
  if (sameEmail(customer?.email, person)) return true;
  return status !== 'paid' && (isNamedAs(customer, person) || carriesContact(personalFieldsOf(session), person));
};

interface EventBody {
  readonly type: string;
  /** Unix seconds. */
  readonly created: number;
  readonly data: { readonly object: Readonly<Record<string, unknown>> };
}

/** Returns the customers of an event: one, or none. */
export const customerOfEvent = (type: string, object: unknown): string | undefined => {
  const { id, customer_id } = object as { readonly id?: unknown; readonly customer_id?: unknown };
  const customer = type.startsWith('customer.') ? id : /^(order|payment)\./.test(type) ? customer_id : undefined;
  return typeof customer === 'string' ? customer : undefined;
};

const erasePayload = (type: string, object: EventBody['data']['object'], person: Person): object => {
  if (type.startsWith('customer.')) return eraseCustomer(object);
  return type.startsWith('order.') ? eraseOrder(object, person) : erasePayment(object);
};

/**
 * Returns the event's body without the person; undefined if it does not contain them, by id or,
 * until that time, by email.
 */
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
