import type { InferOutput } from 'valibot';
import { erasedOf, field, namesOf, pick, retained, retainedOr } from '../record-fields.ts';
import { address, count, customFieldValues, flag, money, orNull, shape, text, texts, textsByName, timestamp } from '../wire-shape.ts';

/** Fields of `data.object` in customer.* (§ Payloads). */
const eventFields = {
  id: field(text('Id of the customer.'), { erased: retained }),
  first_name: field(orNull(text('First name of the customer. Null if not known.')), { erased: null, sent: (is) => is.optionalText() }),
  last_name: field(orNull(text('Last name of the customer. Null if not known.')), { erased: null, sent: (is) => is.optionalText() }),
  email: field(orNull(text('Email address. No other customer of the account has it, in any case. Null if not known.')), {
    erased: null,
    sent: (is) => is.orNull(is.email()),
  }),
  phone: field(orNull(text('Phone number as the caller wrote it. Null if not known.')), { erased: null, sent: (is) => is.optionalText() }),
  company: field(orNull(text('Company that the customer orders for. Null without one.')), {
    erased: null,
    sent: (is) => is.optionalText(),
  }),
  tags: field(texts('Labels that the bakery chose. Empty without labels.'), { erased: [], sent: (is) => is.tags() }),
  is_blacklisted: field(flag('Whether the bakery no longer serves the customer.'), {
    erased: false,
    sent: (is) => is.withDefault(is.flag(), false),
  }),
  total_orders: field(count('Orders that are neither cancelled nor deleted.'), { erased: retainedOr(0) }),
  total_spent: field(money("Sum of the orders' totals. An order counts if it is in the account's currency at the time of counting."), {
    erased: retainedOr(0),
  }),
  last_order_date: field(
    orNull(timestamp('`created_at` of the newest order that counted when it was created. Null before the first one.')),
    { erased: retainedOr(null) },
  ),
  marketing_email: field(orNull(flag('Whether the customer agreed to marketing by email. Null if not recorded.')), {
    erased: null,
    sent: (is) => is.orNull(is.flag()),
  }),
  marketing_sms: field(orNull(flag('Whether the customer agreed to marketing by text message. Null if not recorded.')), {
    erased: null,
    sent: (is) => is.orNull(is.flag()),
  }),
  external_id: field(orNull(text('Id of the customer in your own system. Null if none was sent.')), {
    erased: null,
    sent: (is) => is.optionalText(),
  }),
  created_at: field(timestamp('Time at which the customer was created.'), { erased: retained }),
  updated_at: field(timestamp('Time of the last save. A change of only the totals does not change it.'), { erased: retained }),
};

/**
 * Fields of responses: those of events, and fields that only the API and the dashboard return
 * (decisions §6).
 */
export const shown = {
  ...eventFields,
  notes: field(orNull(text('Notes of the bakery about the customer, with markup. Null without notes.')), {
    erased: null,
    sent: (is) => is.orNull(is.markup()),
  }),
  address: field(orNull(address()), { erased: null, sent: (is) => is.orNull(is.address()) }),
  custom_fields: field(customFieldValues('Values by key of the custom field.'), {
    erased: {},
    sent: (is) => is.withDefault(is.customFieldValues(), {}),
  }),
  metadata: field(textsByName("The caller's texts by name."), { erased: {}, sent: (is) => is.withDefault(is.metadata(), {}) }),
};

export const customerEventObject = shape('CustomerEventObject', 'A customer in `customer.*` events.', eventFields);
export const customer = shape('Customer', 'A customer of the bakery.', shown);
export type CustomerEventObject = InferOutput<typeof customerEventObject>;
type CustomerView = InferOutput<typeof customer>;

export interface Customer extends CustomerView {
  /**
   * Set if the person was erased. The record stays for its orders and identifies no person. New
   * orders cannot refer to it.
   */
  readonly erased_at?: string;
}

export const customerFields = { ...erasedOf(shown), erased_at: retained };
export const customerPayload = (record: Customer): CustomerEventObject => pick(record, namesOf(eventFields));
export const customerView = (record: Customer): CustomerView => pick(record, namesOf(shown));

export const customerName = ({ first_name, last_name }: Pick<Customer, 'first_name' | 'last_name'>): string | null =>
  [first_name, last_name].filter(Boolean).join(' ') || null;
