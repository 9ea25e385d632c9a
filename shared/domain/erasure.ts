import type { CheckoutSession } from './checkout/record.ts';
import { eraseCustomer, eraseOrder, erasePayment, personalFieldsOf } from './erased-fields.ts';
import { customerOfEvent, decodeEvent, type SentEvent } from './event/envelope.ts';
import { carriesContact, isNamedAs, type Person, sameEmail, samePhone, withoutIdentifiers } from './person.ts';

/** Returns an order's label in a gateway fee's line without the person's name, email and phone. */
export const eraseLabel = (label: string, { name, email, phone }: Person): string => withoutIdentifiers(label, [name, email, phone]);

interface Placed {
  readonly customer_id?: unknown;
  readonly customer_email?: unknown;
  readonly customer_phone?: unknown;
}

/**
 * Whether an order, its view or its payload belongs to the person: by customer id, or by the email
 * or phone in the order's contact details (decisions §7).
 */
export const isOrderOf = (order: Placed, person: Person): boolean =>
  order.customer_id === person.id || sameEmail(order.customer_email, person) || samePhone(order.customer_phone, person);

/**
 * Whether a session belongs to the person (decisions §7, customer.erase). A paid session does by
 * its email. An unpaid one also does by an email or phone in any of its texts, and by both names if
 * it has no email.
 */
export const isSessionOf = (session: CheckoutSession, person: Person): boolean => {
  const { status, customer } = session;
  if (sameEmail(customer?.email, person)) return true;
  return status !== 'paid' && (isNamedAs(customer, person) || carriesContact(personalFieldsOf(session), person));
};

const erasePayload = (type: string, object: SentEvent['data']['object'], person: Person): object => {
  if (type.startsWith('customer.')) return eraseCustomer(object);
  return type.startsWith('order.') ? eraseOrder(object, person) : erasePayment(object);
};

/**
 * Returns the event's body without the person; undefined if the body does not contain the person.
 * Events up to `emailUntilSeconds` are also recognized by email.
 */
export const eraseEvent = (body: string, person: Person, emailUntilSeconds = 0): string | undefined => {
  const event = decodeEvent(body);
  const { type, created, data } = event;
  const isTheirs =
    customerOfEvent(event) === person.id || (type.startsWith('order.') && created <= emailUntilSeconds && isOrderOf(data.object, person));
  return isTheirs ? JSON.stringify({ ...event, data: { ...data, object: erasePayload(type, data.object, person) } }) : undefined;
};

/** Returns the event's body for an erased account: it shows that an event happened, but no data. */
export const emptyEvent = (body: string): string => {
  const event = decodeEvent(body);
  return JSON.stringify({ ...event, data: { object: { id: event.data.object['id'] } } });
};
