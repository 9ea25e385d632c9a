import { isoFromSeconds } from '../../shared/core/time.ts';
import type { ExpenseSummary } from '../../shared/domain/expense/record.ts';
import type * as wire from '../../shared/domain/expense/wire.ts';

/** The list shape (§ Expenses): lighter, with the supplier's name flat. */
export const expenseSummaryView = (expense: ExpenseSummary): wire.ExpenseSummary => ({
  id: expense.id,
  amount: expense.amount,
  currency: expense.currency,
  category: expense.category,
  date: isoFromSeconds(expense.date),
  status: expense.status,
  source: expense.source,
  editable: expense.editable,
  supplier_name: expense.supplier_name,
  description: expense.description,
  updated_at: expense.updated_at,
});
