import * as v from 'valibot';
import {
  currency,
  finiteNumber,
  markup,
  money,
  namedRecord,
  optionalText,
  orNull,
  positiveMoney,
  seconds,
  tags,
  text,
} from '../../core/fields.ts';
import { type ExpenseCategory, resolveExpenseCategory } from './categories.ts';
import { type Expense, type ExpensePayment, noPayment } from './record.ts';

const category = v.pipe(
  text(),
  v.check((value) => resolveExpenseCategory(value) !== undefined, 'must be the id or label of an expense category'),
  v.transform((value) => resolveExpenseCategory(value) as ExpenseCategory),
);

const date = v.pipe(
  seconds(),
  v.check((value) => value > 0, 'must be after 1970-01-01T00:00:00Z'),
);

const payment = namedRecord('ExpensePaymentInput', {
  method: optionalText(),
  status: optionalText(),
  due_date: optionalText(),
  reference: optionalText(),
});

/**
 * Fields of an expense that a caller sends. Fields that the service controls are not read (§
 * Expenses, POST).
 */
export const expenseInput = {
  amount: positiveMoney(),
  date,
  category,
  currency: orNull(currency()),
  subcategory: optionalText(),
  description: orNull(markup()),
  notes: orNull(markup()),
  tags: tags(),
  supplier: orNull(namedRecord('SupplierInput', { id: optionalText(), name: optionalText() })),
  payment: orNull(payment),
  tax: orNull(namedRecord('ExpenseTaxInput', { amount: orNull(money()), rate: orNull(finiteNumber()) })),
};

export const expenseInputSchema = namedRecord('ExpenseInput', expenseInput);
export type ExpenseInput = v.InferOutput<typeof expenseInputSchema>;

/** Fields of an expense that the service sets. */
interface ExpenseOrigin extends Pick<Expense, 'id' | 'currency' | 'status' | 'source' | 'created_at' | 'external_id'> {}

/** Returns the object, or null if all its values are null. */
export const orAbsent = <Value extends object>(value: Value | null): Value | null =>
  value !== null && Object.values(value).some((member) => member !== null) ? value : null;

/** Returns the record of a new expense. */
export const makeExpense = (input: ExpenseInput, origin: ExpenseOrigin): Expense => ({
  ...input,
  ...origin,
  supplier: orAbsent(input.supplier),
  tax: orAbsent(input.tax),
  payment: input.payment ?? (noPayment satisfies ExpensePayment),
  editable: true,
  auto_generated: false,
  transaction_count: null,
  updated_at: origin.created_at,
  deleted_at: null,
});
