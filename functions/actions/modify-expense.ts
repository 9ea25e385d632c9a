import { setTimeout as wait } from 'node:timers/promises';
import { ApiError } from '../../shared/core/errors.ts';
import type { Expense } from '../../shared/domain/expense.ts';
import type { Store } from '../../shared/table/store.ts';

const maxRounds = 40;
const maxPauseMs = 200;

/**
 * Read, change, write the revision that was read; again, with jitter, where another write came between. `change` sees
 * undefined where there is no expense, and refuses by throwing; a record given back as it came is not written.
 */
export const modifyExpense = async (
  store: Store,
  account: string,
  id: string,
  change: (expense: Expense | undefined) => Expense,
): Promise<Expense> => {
  for (let round = 1; ; round++) {
    const stored = await store.expenses.get(account, id);
    const next = change(stored?.expense);
    if (next === stored?.expense) return next;
    try {
      await store.commit([store.expenses.replaceWrite(account, next, stored?.revision ?? 0)]);
      return next;
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'conflict') || round === maxRounds) throw error;
      await wait(Math.random() * Math.min(maxPauseMs, 5 * 2 ** round));
    }
  }
};
