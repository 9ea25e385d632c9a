import { notFound } from '../../shared/core/errors.ts';
import type { Product } from '../../shared/domain/product/record.ts';
import type { Store } from '../../shared/table/store.ts';
import type { Modified } from './modify-record.ts';

/** A save of a product that is not deleted: always written, for every save is one that is told of. */
export const modifyProduct = async (
  store: Store,
  account: string,
  id: string,
  change: (product: Product) => Product,
): Promise<Modified<Product>> => {
  const stored = await store.products.get(account, id);
  if (!stored || stored.record.status === 'deleted') throw notFound('Product');
  const record = change(stored.record);
  return { record, writes: [store.products.replaceWrite(account, record, stored.revision)] };
};
