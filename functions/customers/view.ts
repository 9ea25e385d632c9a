import { customerPayload } from '../../shared/domain/customer/events.ts';
import type { Customer } from '../../shared/domain/customer/record.ts';
import type * as wire from '../../shared/domain/customer/wire.ts';

/** Every member of the customer.* payload, and what only the API shows (decisions §6). */
export const customerView = (customer: Customer): wire.Customer => ({
  ...customerPayload(customer),
  notes: customer.notes,
  address: customer.address,
  metadata: customer.metadata,
});
