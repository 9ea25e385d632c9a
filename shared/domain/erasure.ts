import type { CheckoutSession } from './checkout/record.ts';
import { customerWithoutPerson, orderWithoutPerson, type PersonalPart, paymentWithoutTexts, personalFieldsOf } from './erased-fields.ts';
import { decodeEvent, type SentEvent } from './event/envelope.ts';
import { carriesContact, isNamedAs, type Person, sameEmail } from './person.ts';
import { withoutIdentifiers } from './person-texts.ts';

/** Returns an order's label in a gateway fee's line without the person's name, email and phone. */
export const eraseLabel = (label: string, { name, email, phone }: Person): string =>
  withoutIdentifiers(label, { names: [name], emails: [email], phones: [phone] });

/**
 * Whether a session that is not paid belongs to the person (decisions §7, customer.erase): by an email
 * or phone in any of its texts, and by both names if it has no email.
 */
export const sessionNamesPerson = (session: CheckoutSession, person: Person): boolean =>
  isNamedAs(session.customer, person) || sameEmail(session.customer?.email, person) || carriesContact(personalFieldsOf(session), person);

/** Whether a session belongs to the person by its own data. A paid session does by its email only. */
export const isSessionOf = (session: CheckoutSession, person: Person): boolean =>
  session.status === 'paid' ? sameEmail(session.customer?.email, person) : sessionNamesPerson(session, person);

const erasePayload = ({ type, data: { object } }: SentEvent, person: Person, part: PersonalPart): object => {
  if (type.startsWith('customer.')) return customerWithoutPerson(object);
  if (type.startsWith('order.')) return orderWithoutPerson(object, person, part);
  return part.details ? paymentWithoutTexts(object) : object;
};

/** Returns the body of an event without the person, of whose order `part` is. */
export const eraseEvent = (body: string, person: Person, part: PersonalPart): string => {
  const event = decodeEvent(body);
  return JSON.stringify({ ...event, data: { ...event.data, object: erasePayload(event, person, part) } });
};

/** Returns the event's body for an erased account: it shows that an event happened, but no data. */
export const emptyEvent = (body: string): string => {
  const event = decodeEvent(body);
  return JSON.stringify({ ...event, data: { object: { id: event.data.object['id'] } } });
};
