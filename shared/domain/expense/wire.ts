import * as v from 'valibot';
import { expenseStatuses, gatewayFeeSource } from '../enumerations.ts';
import { count, flag, known, list, money, number, orNull, shape, text, timestamp } from '../wire-shape.ts';
import { expenseCategories } from './categories.ts';

const common = {
  id: text('Id of the expense. Gateway-fee expenses have `gateway_fees_` and the date.'),
  amount: money('Above 0, with at most 2 decimals.'),
  currency: text('ISO 4217 code, uppercase.'),
  category: known(
    expenseCategories.map(({ id }) => id),
    'Id of an expense category.',
  ),
  description: orNull(text('Free text that keeps its markup.')),
  date: timestamp('Day or moment of the expense, on a whole second.'),
  status: known(expenseStatuses, '`submitted` if created by the API, `draft` until approved, `recorded` for gateway fees.'),
  source: known(['api', 'dashboard', gatewayFeeSource], 'Channel that created the expense.'),
  editable: flag('Whether the dashboard may change it. False for gateway fees.'),
  updated_at: timestamp('Time of the last save.'),
};

export const expenseSummary = shape('ExpenseSummary', 'An expense in a list.', {
  ...common,
  supplier_name: orNull(text('Name of the supplier.')),
});

const supplier = shape('Supplier', 'Supplier of an expense.', {
  id: orNull(text("The caller's id of the supplier.")),
  name: orNull(text('Name of the supplier.')),
});

const payment = shape('ExpensePayment', 'Payment of an expense. Fields that were not set are null.', {
  method: orNull(text('Free text, without HTML.')),
  status: orNull(text('Free text; `deducted_at_source` for gateway fees.')),
  due_date: orNull(text('Free text, without HTML.')),
  reference: orNull(text('Free text, without HTML.')),
});

const tax = shape('ExpenseTax', 'Tax included in an expense.', {
  amount: orNull(money('Rounded to 2 decimals.')),
  rate: orNull(number('As sent.')),
});

const feeLine = shape('GatewayFeeLine', 'The fee of one transaction.', {
  order_id: text('The order that was paid.'),
  order_label: text('Display name of the order.'),
  gateway: text('Name of the payment gateway.'),
  amount: money('The fee.'),
});

const feeSummary = shape('GatewayFeeSummary', "Summary of a day's gateway fees.", {
  transaction_count: count('Number of transactions with a fee.'),
  gateways: list(v.string(), 'Names of the gateways, each once.'),
});

export const expense = shape('Expense', 'An expense with all fields.', {
  ...common,
  subcategory: orNull(text('Free text, without HTML.')),
  notes: orNull(text('Free text that keeps its markup.')),
  tags: list(v.string(), 'Free-form tags.'),
  supplier: orNull(supplier),
  payment,
  tax: orNull(tax),
  line_items: v.exactOptional(list(feeLine, 'Only on gateway-fee expenses: one line per transaction.')),
  metadata: v.exactOptional(feeSummary),
  created_at: timestamp('Time of creation.'),
});

export const expenseEventObject = shape('ExpenseEventObject', 'An expense in `expense.*` events.', {
  id: common.id,
  amount: common.amount,
  currency: common.currency,
  category: common.category,
  description: common.description,
  date: common.date,
  status: common.status,
  supplier_id: orNull(text("The caller's id of the supplier.")),
  supplier_name: orNull(text('Name of the supplier.')),
  payment_status: orNull(text('Free text, without HTML.')),
  payment_method: orNull(text('Free text, without HTML.')),
  payment_reference: orNull(text('Free text, without HTML.')),
  external_id: orNull(text('Id in another system.')),
  created_at: timestamp('Time of creation.'),
  updated_at: common.updated_at,
});

export type ExpenseSummary = v.InferOutput<typeof expenseSummary>;
export type Expense = v.InferOutput<typeof expense>;
export type ExpenseEventObject = v.InferOutput<typeof expenseEventObject>;
