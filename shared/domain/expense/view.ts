import { addMoney } from '../../core/money.ts';
import { isoFromSeconds } from '../../core/time.ts';
import type { Expense, ExpenseSummary, FeeLines } from './record.ts';
import type * as wire from './wire.ts';

/**
 * The full shape of an expense, as the API and the dashboard show it; `line_items` and `metadata` only on gateway-fee expenses, where
 * the lines are given. What they add up to is told by the lines themselves: a fee may be booked between two reads.
 */
export const expenseView = (expense: Expense, fees?: FeeLines): wire.Expense => ({
  id: expense.id,
  amount: fees?.complete ? fees.lines.reduce((sum, { amount }) => addMoney(sum, amount), 0) : expense.amount,
  currency: expense.currency,
  category: expense.category,
  subcategory: expense.subcategory,
  description: expense.description,
  notes: expense.notes,
  tags: expense.tags,
  date: isoFromSeconds(expense.date),
  status: expense.status,
  source: expense.source,
  editable: expense.editable,
  supplier: expense.supplier && { id: expense.supplier.id, name: expense.supplier.name },
  payment: {
    method: expense.payment.method,
    status: expense.payment.status,
    due_date: expense.payment.due_date,
    reference: expense.payment.reference,
  },
  tax: expense.tax && { amount: expense.tax.amount, rate: expense.tax.rate },
  ...(fees ? feesView(expense, fees) : {}),
  created_at: expense.created_at,
  updated_at: expense.updated_at,
});

const feesView = ({ transaction_count }: Expense, { lines, complete }: FeeLines) => ({
  line_items: lines.map(({ order_id, order_label, gateway, amount }) => ({ order_id, order_label, gateway, amount })),
  metadata: {
    transaction_count: complete ? lines.length : (transaction_count ?? lines.length),
    gateways: [...new Set(lines.map(({ gateway }) => gateway))],
  },
});

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
