import { isoFromSeconds } from '../core/time.ts';
import { type Expense, isGatewayFee } from './expense.ts';
import type * as wire from './wire/expense.ts';

/** The full shape of an expense, as the API and the dashboard show it; `line_items` and `metadata` only on gateway-fee expenses. */
export const expenseView = (expense: Expense): wire.Expense => ({
  id: expense.id,
  amount: expense.amount,
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
  ...(isGatewayFee(expense) ? gatewayFeeView(expense) : {}),
  created_at: expense.created_at,
  updated_at: expense.updated_at,
});

const gatewayFeeView = ({ line_items }: Expense) => {
  const lines = line_items ?? [];
  return {
    line_items: lines.map(({ order_id, order_label, gateway, amount }) => ({ order_id, order_label, gateway, amount })),
    metadata: { transaction_count: lines.length, gateways: [...new Set(lines.map(({ gateway }) => gateway))] },
  };
};
