import { type EventOfChange, type Images, isSaved } from '../event/records.ts';
import { type Customer, customerPayload } from './record.ts';

/** A change of the totals alone is no save, and emits nothing (decisions §7). */
export const customerEvents = ({ before, after }: Images<Customer>): readonly EventOfChange[] => {
  if (before && !isSaved(before, after)) return [];
  return [{ type: before ? 'customer.updated' : 'customer.created', object: customerPayload(after.record) }];
};
