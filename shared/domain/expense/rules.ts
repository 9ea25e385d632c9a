import * as v from 'valibot';
import { currency, oneOf, optionalText, partial, type record, requiredText } from '../../core/fields.ts';
import { expenseStatuses, gatewayFeeSource } from '../enumerations.ts';
import { expenseInput, orAbsent } from './input.ts';
import { type Expense, noPayment } from './record.ts';

/**
 * Fields of an expense that only the dashboard may send. No caller can create a gateway-fee expense
 * with them.
 */
export const expenseProvenance = {
  status: oneOf(expenseStatuses),
  source: v.pipe(
    requiredText(),
    v.check((source) => source !== gatewayFeeSource, `must not be ${gatewayFeeSource}`),
  ),
  external_id: optionalText(),
};

/** Fields of a change. A sent field replaces the whole stored field; absent fields stay. */
export const expenseChanges = partial({ ...expenseInput, currency: currency(), ...expenseProvenance });
type ExpenseChanges = v.InferOutput<ReturnType<typeof record<typeof expenseChanges>>>;

/** Returns the record after a change. */
export const changeExpense = (expense: Expense, changes: ExpenseChanges, updated_at: string): Expense => ({
  ...expense,
  ...changes,
  supplier: changes.supplier === undefined ? expense.supplier : orAbsent(changes.supplier),
  tax: changes.tax === undefined ? expense.tax : orAbsent(changes.tax),
  payment: changes.payment === undefined ? expense.payment : (changes.payment ?? noPayment),
  updated_at,
});
