import { type EventOfChange, type Images, isSaved } from '../event/records.ts';
import { isStorefrontVisible, type Product } from './record.ts';
import type * as wire from './wire.ts';

/** `data.object` of product.*: exactly these members (§ Payloads). */
const productPayload = (product: Product): wire.ProductEventObject => ({
  id: product.id,
  name: product.name,
  status: product.status,
  storefront_visible: isStorefrontVisible(product),
  updated_at: product.updated_at,
});

/** `product.updated` on every save; the soft delete is `product.deleted` alone, and nothing is heard afterwards. */
export const productEvents = ({ before, after }: Images<Product>): readonly EventOfChange[] => {
  const object = productPayload(after.record);
  if (!before) return [{ type: 'product.created', object }];
  if (!isSaved(before, after) || before.record.status === 'deleted') return [];
  return [{ type: after.record.status === 'deleted' ? 'product.deleted' : 'product.updated', object }];
};
