import type { Expense } from '../../shared/domain/expense.ts';
import type { Store } from '../../shared/table/store.ts';
import { retryStale } from './retry-stale.ts';

/** `change` sees undefined where there is no expense, and refuses by throwing; a record given back as it came is not written. */
export const modifyExpense = (
  store: Store,
  account: string,
  id: string,
  change: (expense: Expense | undefined) => Expense,
): Promise<Expense> =>
  retryStale(async () => {
    const stored = await store.expenses.get(account, id);
    const next = change(stored?.expense);
    if (next !== stored?.expense) await store.commit([store.expenses.replaceWrite(account, next, stored?.revision ?? 0)]);
    return next;
  });
