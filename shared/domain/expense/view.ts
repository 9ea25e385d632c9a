import { addMoney } from '../../core/money.ts';
import { isoFromSeconds } from '../../core/time.ts';
import { pick } from '../record-fields.ts';
import type { Expense, ExpenseSummary, FeeLines } from './record.ts';
import type * as wire from './wire.ts';

const shown = [
  'id',
  'amount',
  'currency',
  'category',
  'subcategory',
  'description',
  'notes',
  'tags',
  'date',
  'status',
  'source',
  'editable',
  'supplier',
  'payment',
  'tax',
  'line_items',
  'metadata',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof wire.Expense)[];

/**
 * Returns the full shape of an expense, for the API and the dashboard. Only a gateway-fee expense
 * has `line_items` and `metadata`, if `fees` is given. Sum and count are calculated from these
 * lines, because a fee may be added between two reads.
 */
export const expenseView = (expense: Expense, fees?: FeeLines): wire.Expense =>
  pick(
    {
      ...expense,
      amount: fees?.complete ? fees.lines.reduce((sum, { amount }) => addMoney(sum, amount), 0) : expense.amount,
      date: isoFromSeconds(expense.date),
      supplier: expense.supplier && pick(expense.supplier, ['id', 'name']),
      payment: pick(expense.payment, ['method', 'status', 'due_date', 'reference']),
      tax: expense.tax && pick(expense.tax, ['amount', 'rate']),
      ...(fees ? feesView(expense, fees) : undefined),
    },
    shown,
  );

const feesView = ({ transaction_count }: Expense, { lines, complete }: FeeLines) => ({
  line_items: lines.map((line) => pick(line, ['order_id', 'order_label', 'gateway', 'amount'])),
  metadata: {
    transaction_count: complete ? lines.length : (transaction_count ?? lines.length),
    gateways: [...new Set(lines.map(({ gateway }) => gateway))],
  },
});

const listed = [
  'id',
  'amount',
  'currency',
  'category',
  'date',
  'status',
  'source',
  'editable',
  'supplier_name',
  'description',
  'updated_at',
] as const satisfies readonly (keyof wire.ExpenseSummary)[];

/**
 * Returns the shape of a list entry (§ Expenses): fewer fields, and the supplier's name as a text.
 */
export const expenseSummaryView = (expense: ExpenseSummary): wire.ExpenseSummary =>
  pick({ ...expense, date: isoFromSeconds(expense.date) }, listed);
