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

/** Every member of the customer.* payload, and what only the API and the dashboard show (decisions §6). */
export const customerView = (customer: Customer): wire.Customer => ({
  ...customerPayload(customer),
  notes: customer.notes,
  address: customer.address,
  metadata: customer.metadata,
});
