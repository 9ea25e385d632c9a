import { record, requiredText } from '../../shared/core/fields.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import type { AccountAction } from './action.ts';
import { modifyProduct } from './modify-product.ts';

const input = record({ id: requiredText() });

/** Soft: the record stays with status `deleted` (§ States, Product status). */
export const deleteProduct: AccountAction<typeof input> = {
  summary: 'Deletes a product; it leaves the API, the storefront and the search.',
  account: 'required',
  input,
  async decide({ store, clock }, { id }, account) {
    const { writes } = await modifyProduct(store, account.id, id, (product) => ({
      ...product,
      status: 'deleted',
      updated_at: isoFromMs(clock.now()),
    }));
    return { result: { deleted: true, id }, writes };
  },
};
