import { randomId } from '../../shared/core/ids.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { type Expense, noPayment } from '../../shared/domain/expense.ts';

/** A recorded expense with every member, of the moment given. */
export const buildExpense = (nowMs: number, members: Partial<Expense> = {}): Expense => ({
  id: randomId('exp', nowMs),
  amount: 12.5,
  currency: 'USD',
  category: 'ingredients',
  subcategory: null,
  description: null,
  notes: null,
  tags: [],
  date: Math.floor(nowMs / 1000),
  status: 'submitted',
  source: 'api',
  editable: true,
  auto_generated: false,
  supplier: null,
  payment: noPayment,
  tax: null,
  external_id: null,
  line_items: null,
  created_at: isoFromMs(nowMs),
  updated_at: isoFromMs(nowMs),
  deleted_at: null,
  ...members,
});
