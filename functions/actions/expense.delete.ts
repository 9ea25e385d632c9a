import { ApiError, notFound } from '../../shared/core/errors.ts';
import { record, requiredText } from '../../shared/core/fields.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import type { AccountAction } from './action.ts';
import { modifyExpense } from './modify-expense.ts';

const input = record({ id: requiredText() });

/** Soft: the record stays and is not returned any more. */
export const deleteExpense: AccountAction<typeof input> = {
  summary: 'Deletes an expense; no event tells of it.',
  account: 'required',
  input,
  async decide({ store, clock }, { id }, account) {
    const { writes } = await modifyExpense(store, account.id, id, (current) => {
      if (!current) throw notFound('Expense');
      if (!current.editable) throw new ApiError('conflict', 'Gateway-fee expenses are recorded by the service and cannot be deleted.');
      const now = isoFromMs(clock.now());
      return { ...current, deleted_at: now, updated_at: now };
    });
    return { result: { deleted: true, id }, writes };
  },
};
