import { expenseCategories } from '../../shared/domain/expense/record.ts';
import type * as wire from '../../shared/domain/reference/wire.ts';
import type { Operation } from '../../shared/http/operation.ts';

/** § Reference data: the fixed list, the same for every account. */
export const listExpenseCategories = (): Operation => ({
  decide: () => ({ body: { expense_categories: expenseCategories } satisfies wire.ExpenseCategoryList }),
});
