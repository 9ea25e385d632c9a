import type { Customer } from '../../shared/domain/customer.ts';
import type * as wire from '../../shared/domain/wire/customer.ts';
import { customerPayload } from '../../shared/events/customer-events.ts';

/** Every member of the customer.* payload, and what only the API shows (decisions §6). */
export const customerView = (customer: Customer): wire.Customer => ({
  ...customerPayload(customer),
  notes: customer.notes,
  address: customer.address,
  metadata: customer.metadata,
});
