import { record, requiredText } from '../../shared/core/fields.ts';
import { changeProduct, productChanges } from '../../shared/domain/product/input.ts';
import { productView } from '../../shared/domain/product/view.ts';
import type { AccountAction } from './action.ts';
import { modifyProduct } from './modify-product.ts';

const input = record({ id: requiredText(), ...productChanges });

export const updateProduct: AccountAction<typeof input> = {
  summary: 'Saves a product: changes the members given, each whole; the others stay.',
  account: 'required',
  input,
  async decide({ store, clock, newId }, { id, ...changes }, account) {
    const how = { nowMs: clock.now(), newId };
    const { record, writes } = await modifyProduct(store, account.id, id, (product) => changeProduct(product, changes, how));
    return { result: productView(record), writes };
  },
};
