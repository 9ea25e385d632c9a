import { type EventOfChange, type Images, isSaved } from '../event/records.ts';
import { type Customer, customerPayload } from './record.ts';

/**
 * Returns the events of a change. A change of only the totals is not a save and emits nothing
 * (decisions §7).
 */
export const customerEvents = ({ before, after }: Images<Customer>): readonly EventOfChange[] => {
  if (before && !isSaved(before, after)) return [];
  return [{ type: before ? 'customer.updated' : 'customer.created', object: customerPayload(after.record) }];
};
