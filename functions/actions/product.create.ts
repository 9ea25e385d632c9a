import { record } from '../../shared/core/fields.ts';
import { makeProduct, productInput } from '../../shared/domain/product/input.ts';
import { productView } from '../../shared/domain/product/view.ts';
import type { AccountAction } from './action.ts';

const input = record(productInput);

export const createProduct: AccountAction<typeof input> = {
  summary: 'Adds a product; active and on the storefront unless said otherwise.',
  account: 'required',
  input,
  async decide({ store, clock, newId }, said, account) {
    const product = makeProduct(said, account.currency, { nowMs: clock.now(), newId });
    return { result: productView(product), writes: [store.products.createWrite(account.id, product)] };
  },
};
