import { record, requiredText } from '../../shared/core/fields.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import type { AccountAction } from './action.ts';
import { modifyRecord } from './modify-record.ts';

const input = record({ id: requiredText() });

/** Soft: the record stays and is not found any more. */
export const deleteQuickSale: AccountAction<typeof input> = {
  summary: 'Deletes a quick sale.',
  account: 'required',
  input,
  async decide({ store, clock }, { id }, account) {
    const { writes } = await modifyRecord({ records: store.quickSales, account: account.id, id, name: 'Quick sale' }, (sale) => {
      const now = isoFromMs(clock.now());
      return { ...sale, deleted_at: now, updated_at: now };
    });
    return { result: { deleted: true, id }, writes };
  },
};
