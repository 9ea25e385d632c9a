import { notFound } from '../../shared/core/errors.ts';
import { expenseView } from '../../shared/domain/expense-view.ts';
import type { ApiServices, Operation } from '../../shared/http/operation.ts';
import type { StoredExpense } from '../../shared/table/expenses.ts';

/** § Expenses, GET by id: 404 where it is absent, deleted or another account's. */
export const retrieveExpense = ({ store }: ApiServices): Operation<unknown, unknown, StoredExpense | undefined> => ({
  read: ({ account, id }) => store.expenses.get(account, id),
  decide(_call, stored) {
    if (!stored) throw notFound('Expense');
    return { body: expenseView(stored.expense) };
  },
});
