import { notFound } from '../../shared/core/errors.ts';
import { record } from '../../shared/core/fields.ts';
import { isoFromMs, withLaterTime } from '../../shared/core/time.ts';
import type { Account } from '../../shared/domain/account/record.ts';
import { type Product, productView } from '../../shared/domain/product/fields.ts';
import { changeProduct, makeProduct, productChanges, productInput } from '../../shared/domain/product/input.ts';
import type { Decision } from '../../shared/operations/operation.ts';
import { type ActionServices, idField, onAccount } from './action.ts';
import { deletedView } from './views.ts';

/**
 * Saves a product that is not deleted. It never skips the write, because every save emits an event.
 */
const modifyProduct = async <View>(
  { store, clock }: ActionServices,
  { id: account }: Account,
  id: string,
  change: (product: Product, nowMs: number) => Product,
  view: (product: Product) => View,
): Promise<Decision<View>> => {
  const stored = await store.products.get(account, id);
  if (!stored || stored.record.status === 'deleted') throw notFound('Product');
  const record = withLaterTime(stored.record, change(stored.record, clock.now()));
  return { result: view(record), writes: [store.products.replaceWrite(account, record, stored)] };
};

export const product = {
  create: onAccount({
    summary: 'Creates a product. By default it is active and on the storefront.',
    input: record(productInput),
    async decide({ store, clock, newId }, input, account) {
      const product = makeProduct(input, account.currency, { nowMs: clock.now(), newId });
      return { result: productView(product), writes: [store.products.createWrite(account.id, product)] };
    },
  }),
  update: onAccount({
    summary: 'Changes the fields that you send and emits product.updated. Lists are replaced whole. Other fields stay.',
    input: record({ ...idField, ...productChanges }),
    decide(services, { id, ...changes }, account) {
      const { newId } = services;
      return modifyProduct(services, account, id, (product, nowMs) => changeProduct(product, changes, { nowMs, newId }), productView);
    },
  }),
  /** Soft delete: the record stays with status `deleted` (§ States, Product status). */
  delete: onAccount({
    summary: 'Deletes a product. This cannot be undone. It leaves the storefront and the search.',
    input: record(idField),
    decide(services, { id }, account) {
      const softDelete = (product: Product, nowMs: number): Product => ({ ...product, status: 'deleted', updated_at: isoFromMs(nowMs) });
      return modifyProduct(services, account, id, softDelete, deletedView);
    },
  }),
};
