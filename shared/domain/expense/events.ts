import { isoFromSeconds } from '../../core/time.ts';
import { type EventOfChange, type Images, isSaved } from '../event/records.ts';
import type { Expense } from './record.ts';
import type * as wire from './wire.ts';

/** Returns `data.object` of expense.* (§ Payloads). */
export const expensePayload = (expense: Expense): wire.ExpenseEventObject => ({
  id: expense.id,
  amount: expense.amount,
  currency: expense.currency,
  category: expense.category,
  description: expense.description,
  date: isoFromSeconds(expense.date),
  status: expense.status,
  supplier_id: expense.supplier?.id ?? null,
  supplier_name: expense.supplier?.name ?? null,
  payment_status: expense.payment.status,
  payment_method: expense.payment.method,
  payment_reference: expense.payment.reference,
  external_id: expense.external_id,
  created_at: expense.created_at,
  updated_at: expense.updated_at,
});

/**
 * Returns the events of a change. A soft delete emits nothing, and neither does a change of a
 * deleted expense (decisions §7).
 */
export const expenseEvents = ({ before, after }: Images<Expense>): readonly EventOfChange[] => {
  if (after.record.deleted_at !== null || (before && !isSaved(before, after))) return [];
  return [{ type: before ? 'expense.updated' : 'expense.created', object: expensePayload(after.record) }];
};
