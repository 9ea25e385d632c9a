import * as v from 'valibot';
import { namedRecord, oneOf, optionalText, orNull, partial, type record, requiredText, seconds, text } from '../../core/fields.ts';
import { expenseStatuses, gatewayFeeSource } from '../enumerations.ts';
import * as inputs from '../inputs.ts';
import { sentOf } from '../record-fields.ts';
import { type ExpenseCategory, resolveExpenseCategory } from './categories.ts';
import { type Expense, type ExpensePayment, shown } from './fields.ts';
import { noPayment } from './rules.ts';

const category = v.pipe(
  text(),
  v.check((value) => resolveExpenseCategory(value) !== undefined, 'must be the id or label of an expense category'),
  v.transform((value) => resolveExpenseCategory(value) as ExpenseCategory),
);

const date = v.pipe(
  seconds(),
  v.check((value) => value > 0, 'must be after 1970-01-01T00:00:00Z'),
);

const { amount, currency, ...others } = sentOf(shown, inputs);

/**
 * Fields of an expense that a caller sends. Fields that the service controls are not read (§
 * Expenses, POST).
 */
export const expenseInput = {
  amount,
  date,
  category,
  currency: orNull(currency),
  ...others,
  /** Any value that is not an array becomes `[]`. */
  tags: v.pipe(
    v.optional(v.unknown(), []),
    v.transform((value) => (Array.isArray(value) ? value : [])),
    others.tags,
  ),
};

export const expenseInputSchema = namedRecord('ExpenseInput', expenseInput);
export type ExpenseInput = v.InferOutput<typeof expenseInputSchema>;

/** Fields of an expense that the service sets. */
interface ExpenseOrigin extends Pick<Expense, 'id' | 'currency' | 'status' | 'source' | 'created_at' | 'external_id'> {}

/** Returns the object, or null if all its values are null. */
const nullIfEmpty = <Value extends object>(value: Value | null): Value | null =>
  value !== null && Object.values(value).some((field) => field !== null) ? value : null;

/** Returns the record of a new expense. */
export const makeExpense = (input: ExpenseInput, origin: ExpenseOrigin): Expense => ({
  ...input,
  ...origin,
  supplier: nullIfEmpty(input.supplier),
  tax: nullIfEmpty(input.tax),
  payment: input.payment ?? (noPayment satisfies ExpensePayment),
  editable: true,
  auto_generated: false,
  transaction_count: null,
  updated_at: origin.created_at,
  deleted_at: null,
});

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
export const expenseChanges = partial({ ...expenseInput, currency, tags: others.tags, ...expenseProvenance });
type ExpenseChanges = v.InferOutput<ReturnType<typeof record<typeof expenseChanges>>>;

/** Returns the record after a change. */
export const changeExpense = (expense: Expense, changes: ExpenseChanges, updated_at: string): Expense => ({
  ...expense,
  ...changes,
  supplier: changes.supplier === undefined ? expense.supplier : nullIfEmpty(changes.supplier),
  tax: changes.tax === undefined ? expense.tax : nullIfEmpty(changes.tax),
  payment: changes.payment === undefined ? expense.payment : (changes.payment ?? noPayment),
  updated_at,
});
