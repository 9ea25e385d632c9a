import { type EventOfChange, type Images, isSaved } from '../event/records.ts';
import { type Product, productPayload } from './record.ts';

/**
 * `product.updated` on every save; the soft delete is `product.deleted` alone, and nothing is heard
 * afterwards.
 */
export const productEvents = ({ before, after }: Images<Product>): readonly EventOfChange[] => {
  const object = productPayload(after.record);
  if (!before) return [{ type: 'product.created', object }];
  if (!isSaved(before, after) || before.record.status === 'deleted') return [];
  return [{ type: after.record.status === 'deleted' ? 'product.deleted' : 'product.updated', object }];
};
