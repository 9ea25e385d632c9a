import { ApiError } from '../../shared/core/errors.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { type ExpenseInput, makeExpense } from '../../shared/domain/expense/input.ts';
import { expenseView } from '../../shared/domain/expense/view.ts';
import type { ApiServices, Operation } from '../../shared/http/operation.ts';

/** § Expenses, POST: what the server controls is set here, whatever the body says of it. */
export const createExpense = ({ store, newId }: ApiServices): Operation<unknown, ExpenseInput> => ({
  decide({ account, body, nowMs }, _data, { currency: accountCurrency }) {
    const currency = body.currency ?? accountCurrency;
    if (currency === null) {
      throw new ApiError('internal_error', 'The account has no currency; send one.', { internal: 'account without a currency' });
    }
    const expense = makeExpense(body, {
      id: newId('exp', nowMs),
      currency,
      status: 'submitted',
      source: 'api',
      external_id: null,
      created_at: isoFromMs(nowMs),
    });
    return { body: expenseView(expense), writes: [store.expenses.createWrite(account, expense)] };
  },
});
