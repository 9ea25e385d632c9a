import { type EventOfChange, type Images, isSaved } from '../event/records.ts';
import { type Product, productPayload } from './record.ts';

/**
 * Returns the events of a change: `product.updated` for every save, only `product.deleted` for the
 * soft delete, and none after it.
 */
export const productEvents = ({ before, after }: Images<Product>): readonly EventOfChange[] => {
  const object = productPayload(after.record);
  if (!before) return [{ type: 'product.created', object }];
  if (!isSaved(before, after) || before.record.status === 'deleted') return [];
  return [{ type: after.record.status === 'deleted' ? 'product.deleted' : 'product.updated', object }];
};
