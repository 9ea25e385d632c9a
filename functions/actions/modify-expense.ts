import type { Expense } from '../../shared/domain/expense/record.ts';
import type { Store } from '../../shared/table/store.ts';
import type { Modified } from './modify-record.ts';

/** `change` sees undefined where there is no expense, and refuses by throwing; a record given back as it came is not written. */
export const modifyExpense = async (
  store: Store,
  account: string,
  id: string,
  change: (expense: Expense | undefined) => Expense,
): Promise<Modified<Expense>> => {
  const stored = await store.expenses.get(account, id);
  const record = change(stored?.record);
  return { record, writes: record === stored?.record ? [] : [store.expenses.replaceWrite(account, record, stored?.revision ?? 0)] };
};
