import type { InferOutput } from 'valibot';
import { addMoney } from '../../core/money.ts';
import { isoFromSeconds } from '../../core/time.ts';
import { expenseStatuses, gatewayFeeSource } from '../enumerations.ts';
import { field, namesOf, pick, sentOf } from '../record-fields.ts';
import { count, extensibleOneOf, flag, list, money, number, optional, orNull, shape, text, texts, timestamp } from '../wire-shape.ts';
import { expenseCategoryIds } from './categories.ts';

const supplierFields = {
  id: field(orNull(text("Id of the supplier in the caller's system. Null if not stated.")), { sent: (is) => is.optionalText() }),
  name: field(orNull(text('Name of the supplier. Null if not stated.')), { sent: (is) => is.optionalText() }),
};

const plain = orNull(text('Free text, without HTML. Null if it was not sent.'));
const paymentFields = {
  method: field(plain, { sent: (is) => is.optionalText() }),
  status: field(orNull(text('Free text; `deducted_at_source` for gateway fees.')), { sent: (is) => is.optionalText() }),
  due_date: field(plain, { sent: (is) => is.optionalText() }),
  reference: field(plain, { sent: (is) => is.optionalText() }),
};

const taxFields = {
  amount: field(orNull(money("Amount of the tax in the expense's currency, with at most 2 decimals. Null if not stated.")), {
    sent: (is) => is.orNull(is.money()),
  }),
  rate: field(orNull(number('Rate of the tax as the caller sent it, for example 10 for 10 %. Null if not stated.')), {
    sent: (is) => is.orNull(is.finiteNumber()),
  }),
};

const feeLineFields = {
  order_id: text('Id of the order that was paid.'),
  order_label: text('Number of the order as people see it, for example `#1001`.'),
  gateway: text('Name of the payment gateway, for example `stripe`.'),
  amount: money('Fee that the gateway kept, in the currency of the expense.'),
};

const supplier = shape('Supplier', 'Who was paid.', supplierFields);
const payment = shape('ExpensePayment', 'Payment of an expense. Fields that were not set are null.', paymentFields);
const tax = shape('ExpenseTax', 'Tax included in an expense.', taxFields);
const feeLine = shape('GatewayFeeLine', 'The fee of one transaction.', feeLineFields);
const feeSummary = shape('GatewayFeeSummary', "Summary of a day's gateway fees.", {
  transaction_count: count('Number of transactions with a fee.'),
  gateways: texts('Names of the gateways, each once.'),
});

// Constants and no spread or destructuring, so that a bundle without the views drops the rows.
const id = text('Id of the expense. Gateway-fee expenses have `gateway_fees_` and the date.');
const amount = field(money('Above 0, with at most 2 decimals.'), { sent: (is) => is.positiveMoney() });
const currency = field(text('ISO 4217 code of every amount, uppercase.'), { sent: (is) => is.currency() });
const category = extensibleOneOf(expenseCategoryIds, 'Id of an expense category.');
const description = field(orNull(text('What was bought, with markup. Null if it was not sent.')), { sent: (is) => is.orNull(is.markup()) });
const date = timestamp('Day or moment of the expense, on a whole second.');
const status = extensibleOneOf(expenseStatuses, '`submitted` if created by the API, `draft` until approved, `recorded` for gateway fees.');
const source = extensibleOneOf(['api', 'dashboard', gatewayFeeSource], 'Channel that the expense came through. The service sets it.');
const editable = flag('Whether the dashboard may change it. False for gateway fees.');
const supplier_name = orNull(text('Name of the supplier. Null if not stated.'));
const created_at = timestamp('Time at which the expense was created.');
const updated_at = timestamp('Time of the last save.');

export const shown = {
  id,
  amount,
  currency,
  category,
  subcategory: field(plain, { sent: (is) => is.optionalText() }),
  description,
  notes: field(orNull(text('Notes of the bakery about the expense, with markup. Null without notes.')), {
    sent: (is) => is.orNull(is.markup()),
  }),
  tags: field(texts('Labels that the bakery chose. Empty without labels.'), { sent: (is) => is.tags() }),
  date,
  status,
  source,
  editable,
  supplier: field(orNull(supplier), { sent: (is) => is.orNull(is.namedRecord('SupplierInput', sentOf(supplierFields, is))) }),
  payment: field(payment, { sent: (is) => is.orNull(is.namedRecord('ExpensePaymentInput', sentOf(paymentFields, is))) }),
  tax: field(orNull(tax), { sent: (is) => is.orNull(is.namedRecord('ExpenseTaxInput', sentOf(taxFields, is))) }),
  line_items: optional(list(feeLine, 'Only on gateway-fee expenses: one line per transaction.')),
  metadata: optional(feeSummary),
  created_at,
  updated_at,
};

/** Fields of a list entry (§ Expenses): fewer, and the supplier's name as a text. */
const listed = { id, amount, currency, category, date, status, source, editable, supplier_name, description, updated_at };

/** Fields of `data.object` in expense.* (§ Payloads). */
const eventFields = {
  id,
  amount,
  currency,
  category,
  description,
  date,
  status,
  supplier_id: orNull(text("Id of the supplier in the caller's system. Null if not stated.")),
  supplier_name,
  payment_status: plain,
  payment_method: plain,
  payment_reference: plain,
  external_id: orNull(text('Id of the expense in another system. Null without one.')),
  created_at,
  updated_at,
};

export const expense = shape('Expense', 'An expense with all fields.', shown);
export const expenseSummary = shape('ExpenseSummary', 'An expense in a list.', listed);
export const expenseEventObject = shape('ExpenseEventObject', 'An expense in `expense.*` events.', eventFields);
type ExpenseView = InferOutput<typeof expense>;
type ExpenseSummaryView = InferOutput<typeof expenseSummary>;
type ExpenseEventObject = InferOutput<typeof expenseEventObject>;

/** One gateway fee of a day. It is a separate record. */
export interface FeeLine extends InferOutput<typeof feeLine> {
  /** Id of the transaction. Recording the same transaction again changes nothing. Never returned. */
  readonly transaction_id: string;
}

/** The lines of a day. */
export interface FeeLines {
  /** Lines in the order in which the fees were added. */
  readonly lines: readonly FeeLine[];
  /** False if the day has more lines than fit into a response. */
  readonly complete: boolean;
}

/** Listed fields of an expense. */
export interface ExpenseSummary extends Omit<ExpenseSummaryView, 'date'> {
  /** Epoch seconds. */
  readonly date: number;
}

export interface Expense extends Omit<ExpenseView, 'date' | 'line_items' | 'metadata'> {
  /** Epoch seconds. */
  readonly date: number;
  readonly external_id: string | null;
  /** True for gateway-fee expenses, which the service creates. Never returned. */
  readonly auto_generated: boolean;
  /** Number of fees in a gateway-fee expense; null on other expenses. */
  readonly transaction_count: number | null;
  /** Set by the soft delete. The record stays, but no response contains it. */
  readonly deleted_at: string | null;
}
export type ExpensePayment = Expense['payment'];

/**
 * Returns the full shape of an expense, for the API and the dashboard. Only a gateway-fee expense
 * has `line_items` and `metadata`, if `fees` is given. Sum and count are calculated from these
 * lines, because a fee may be added between two reads.
 */
export const expenseView = (record: Expense, fees?: FeeLines): ExpenseView =>
  pick(
    {
      ...record,
      amount: fees?.complete ? fees.lines.reduce((sum, line) => addMoney(sum, line.amount), 0) : record.amount,
      date: isoFromSeconds(record.date),
      supplier: record.supplier && pick(record.supplier, namesOf(supplierFields)),
      payment: pick(record.payment, namesOf(paymentFields)),
      tax: record.tax && pick(record.tax, namesOf(taxFields)),
      ...(fees ? feesView(record, fees) : undefined),
    },
    namesOf(shown),
  );

const feesView = ({ transaction_count }: Expense, { lines, complete }: FeeLines) => ({
  line_items: lines.map((line) => pick(line, namesOf(feeLineFields))),
  metadata: {
    transaction_count: complete ? lines.length : (transaction_count ?? lines.length),
    gateways: [...new Set(lines.map(({ gateway }) => gateway))],
  },
});

export const expenseSummaryView = (record: ExpenseSummary): ExpenseSummaryView =>
  pick({ ...record, date: isoFromSeconds(record.date) }, namesOf(listed));

export const expensePayload = (record: Expense): ExpenseEventObject =>
  pick(
    {
      ...record,
      date: isoFromSeconds(record.date),
      supplier_id: record.supplier?.id ?? null,
      supplier_name: record.supplier?.name ?? null,
      payment_status: record.payment.status,
      payment_method: record.payment.method,
      payment_reference: record.payment.reference,
    },
    namesOf(eventFields),
  );
