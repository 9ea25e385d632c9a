import { expense, expenseEventObject, expenseSummary } from '../../shared/domain/expense/fields.ts';
import { expenseInput, expenseInputSchema } from '../../shared/domain/expense/input.ts';
import type { Stage } from '../examples/stage.ts';
import { eventsOf, exact, freeText, mayBeShort, type ResourceWords, sent } from './common.ts';

export const expenses = {
  group: { name: 'Expenses', description: 'Expenses of the bakery. Secret keys only.' },
  operations: {
    listExpenses: {
      summary: 'List expenses',
      description:
        'Returns fewer fields than by id. Gateway fees are included, deleted expenses are not. Query a range of dates (ordered by date), `updated_after` or `order_by=updated_at`. Each can be combined with one of `category`, `status` and `supplier_id`; a second one fails with `invalid_value`.',
      success: 'A page of expenses.',
      body: { list: expenseSummary },
      errors: { conflicting_filters: '' },
      query: {
        order_by: `Always descending. \`updated_at\` cannot be combined with a range of dates. With a filter, its ${mayBeShort}`,
        date_from: 'First time, inclusive. ISO 8601 or epoch seconds. A date without a time, `20260305` too, is midnight UTC.',
        date_to: 'Last time, inclusive. ISO 8601 or epoch seconds. A date without a time, `20260305` too, includes its whole UTC day.',
        category: `${exact} Id of the category. Use at most one of category, status and supplier_id.`,
        status: `${exact} For example \`submitted\`.`,
        supplier_id: exact,
      },
    },
    createExpense: {
      summary: 'Create an expense',
      description:
        'The service sets the id, status `submitted` and source `api`, whatever is sent. Emits `expense.created`. If neither the request nor the account has a currency, the response is 500.',
      success: 'The expense.',
      body: expense,
    },
    retrieveExpense: {
      summary: 'Retrieve an expense',
      description: 'Returns all fields. A gateway-fee expense also has `line_items` and `metadata`.',
      success: 'The expense.',
      body: expense,
    },
  },
  inputs: {
    ExpenseInput: sent(expenseInputSchema, expense, {
      amount: 'Above 0 after it is rounded to 2 decimals, half away from zero.',
      date: 'ISO 8601, or epoch seconds as a string. After the Unix epoch. A date without a time, `20260305` too, is midnight UTC.',
      category: 'Id or label of an expense category, in any case. Stored as its id.',
      currency: "Three letters in any case. The account's currency when absent.",
      tags: 'Free-form tags, without HTML. Any value that is not an array counts as empty.',
      supplier: 'Who was paid. Other fields are dropped.',
      payment: 'How the expense is paid. Other fields are dropped.',
      tax: 'Tax that the amount includes. Other fields are dropped.',
    }),
    SupplierInput: sent(expenseInput.supplier.wrapped, expense.entries.supplier.wrapped, {}),
    ExpensePaymentInput: sent(expenseInput.payment.wrapped, expense.entries.payment, { status: freeText }),
    ExpenseTaxInput: sent(expenseInput.tax.wrapped, expense.entries.tax.wrapped, {}),
  },
  events: eventsOf(expenseEventObject, {
    'expense.created': { summary: 'An expense was created', description: "Also emitted for a day's first gateway fee." },
    'expense.updated': {
      summary: 'An expense was saved',
      description: 'Also emitted for later gateway fees of the day. Deletions emit no event.',
    },
  }),
  async examples({ act, call, later }: Stage) {
    const flour = await call('createExpense', 'flour', 'By the label of its category', {
      body: {
        amount: 184.6,
        date: '2026-03-09',
        category: 'Ingredients',
        description: 'Flour and butter',
        supplier: { id: 'sup_mill', name: 'Old Mill' },
        payment: { method: 'card', status: 'paid' },
        tax: { amount: 16.78, rate: 10 },
        tags: ['weekly'],
      },
      headers: { 'idempotency-key': 'expense-4711' },
    });
    await call('retrieveExpense', 'flour', 'An expense of the API', { id: flour.id });
    const fee = { order_id: 'ord_4711', order_label: '#1001', gateway: 'stripe', amount: 1.75, date: '2026-03-10' };
    const { id } = await act('gateway_fee.record', fee);
    await call('retrieveExpense', 'gatewayFee', "A day's gateway fees", { id });
    later();
    await call('listExpenses', 'march', 'A month', { query: { date_from: '2026-03-01', date_to: '2026-03-31' } });
  },
} as const satisfies ResourceWords;
