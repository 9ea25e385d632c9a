import { notFound } from '../../shared/core/errors.ts';
import type { Product } from '../../shared/domain/product.ts';
import type { Store } from '../../shared/table/store.ts';
import { retryStale } from './retry-stale.ts';

/** A save of a product that is not deleted: always written, for every save is one that is told of. */
export const modifyProduct = (store: Store, account: string, id: string, change: (product: Product) => Product): Promise<Product> =>
  retryStale(async () => {
    const stored = await store.products.get(account, id);
    if (!stored || stored.record.status === 'deleted') throw notFound('Product');
    const next = change(stored.record);
    await store.commit([store.products.replaceWrite(account, next, stored.revision)]);
    return next;
  });
