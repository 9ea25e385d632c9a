import { ApiError, notFound } from '../../shared/core/errors.ts';
import { record, requiredText } from '../../shared/core/fields.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { changeExpense, expenseChanges } from '../../shared/domain/expense/rules.ts';
import type { AccountAction } from './action.ts';
import { modifyExpense } from './modify-expense.ts';
import { expenseView } from './views.ts';

const input = record({ id: requiredText(), ...expenseChanges });

export const updateExpense: AccountAction<typeof input> = {
  summary: 'Changes the members given, each whole; the others stay.',
  account: 'required',
  input,
  async decide({ store, clock }, { id, ...changes }, account) {
    const unchanged = Object.keys(changes).length === 0;
    const { record, writes } = await modifyExpense(store, account.id, id, (current) => {
      if (!current) throw notFound('Expense');
      if (!current.editable) throw new ApiError('conflict', 'Gateway-fee expenses are recorded by the service and cannot be edited.');
      return unchanged ? current : changeExpense(current, changes, isoFromMs(clock.now()));
    });
    return { result: expenseView(record), writes };
  },
};
