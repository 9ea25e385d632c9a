import { notFound } from '../../shared/core/errors.ts';
import { record } from '../../shared/core/fields.ts';
import { isoFromMs, notBefore } from '../../shared/core/time.ts';
import { type Product, productView } from '../../shared/domain/product/fields.ts';
import { changeProduct, makeProduct, productChanges, productInput } from '../../shared/domain/product/input.ts';
import type { Store } from '../../shared/table/store.ts';
import { byId, onAccount } from './action.ts';
import type { Modified } from './modify.ts';

/**
 * Saves a product that is not deleted. It never skips the write, because every save emits an event.
 */
const modifyProduct = async (
  store: Store,
  account: string,
  id: string,
  change: (product: Product) => Product,
): Promise<Modified<Product>> => {
  const stored = await store.products.get(account, id);
  if (!stored || stored.record.status === 'deleted') throw notFound('Product');
  const record = notBefore(stored.record, change(stored.record));
  return { record, writes: [store.products.replaceWrite(account, record, stored)] };
};

export const product = {
  create: onAccount({
    summary: 'Adds a product; active and on the storefront unless said otherwise.',
    input: record(productInput),
    async decide({ store, clock, newId }, said, account) {
      const product = makeProduct(said, account.currency, { nowMs: clock.now(), newId });
      return { result: productView(product), writes: [store.products.createWrite(account.id, product)] };
    },
  }),
  update: onAccount({
    summary: 'Saves a product: changes the members given, each whole; the others stay.',
    input: record({ ...byId, ...productChanges }),
    async decide({ store, clock, newId }, { id, ...changes }, account) {
      const how = { nowMs: clock.now(), newId };
      const { record, writes } = await modifyProduct(store, account.id, id, (product) => changeProduct(product, changes, how));
      return { result: productView(record), writes };
    },
  }),
  /** Soft delete: the record stays with status `deleted` (§ States, Product status). */
  delete: onAccount({
    summary: 'Deletes a product; it leaves the API, the storefront and the search.',
    input: record(byId),
    async decide({ store, clock }, { id }, account) {
      const { writes } = await modifyProduct(store, account.id, id, (product) => ({
        ...product,
        status: 'deleted',
        updated_at: isoFromMs(clock.now()),
      }));
      return { result: { deleted: true, id }, writes };
    },
  }),
};
