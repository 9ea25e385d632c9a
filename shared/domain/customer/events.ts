import { type EventOfChange, type Images, isSaved } from '../event/records.ts';
import type { Customer } from './record.ts';
import type * as wire from './wire.ts';

/** `data.object` of customer.* (§ Payloads). */
export const customerPayload = (customer: Customer): wire.CustomerEventObject => ({
  id: customer.id,
  first_name: customer.first_name,
  last_name: customer.last_name,
  email: customer.email,
  phone: customer.phone,
  company: customer.company,
  tags: customer.tags,
  is_blacklisted: customer.is_blacklisted,
  total_orders: customer.total_orders,
  total_spent: customer.total_spent,
  last_order_date: customer.last_order_date,
  marketing_email: customer.marketing_email,
  marketing_sms: customer.marketing_sms,
  external_id: customer.external_id,
  created_at: customer.created_at,
  updated_at: customer.updated_at,
});

/** A change of the totals alone is no save, and emits nothing (decisions §7). */
export const customerEvents = ({ before, after }: Images<Customer>): readonly EventOfChange[] => {
  if (before && !isSaved(before, after)) return [];
  return [{ type: before ? 'customer.updated' : 'customer.created', object: customerPayload(after.record) }];
};
