import { foldCase } from '../../core/text.ts';
import { type Fields, kept, keptOr, namesOf, pick } from '../record-fields.ts';
import type * as wire from './wire.ts';

export interface Customer extends wire.Customer {
  /**
   * Set if the person was erased. The record stays for its orders and identifies no person. New
   * orders cannot refer to it.
   */
  readonly erased_at?: string;
}

/** Fields of `data.object` in customer.* (§ Payloads). */
const told = {
  id: kept,
  first_name: null,
  last_name: null,
  email: null,
  phone: null,
  company: null,
  tags: [],
  is_blacklisted: false,
  total_orders: keptOr(0),
  total_spent: keptOr(0),
  last_order_date: keptOr(null),
  marketing_email: null,
  marketing_sms: null,
  external_id: null,
  created_at: kept,
  updated_at: kept,
} as const satisfies Fields<wire.CustomerEventObject>;

/**
 * Fields of responses: the fields of events, and fields that only the API and the dashboard return
 * (decisions §6).
 */
const shown = { ...told, notes: null, address: null, metadata: {} } as const satisfies Fields<wire.Customer>;

export const customerFields = { ...shown, erased_at: kept } as const satisfies Fields<Customer>;

export const customerPayload = (customer: Customer): wire.CustomerEventObject => pick(customer, namesOf(told));
export const customerView = (customer: Customer): wire.Customer => pick(customer, namesOf(shown));

/**
 * Emails with the same key belong to one customer: they are equal after NFC, lower-casing and NFC
 * (decisions §3). The key of a key is the key.
 */
export const emailKey = foldCase;

export const customerName = ({ first_name, last_name }: Pick<Customer, 'first_name' | 'last_name'>): string | null =>
  [first_name, last_name].filter(Boolean).join(' ') || null;
