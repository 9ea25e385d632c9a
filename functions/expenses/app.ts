import type { InferOutput } from 'valibot';
import { ApiError, invalidValue, notFound } from '../../shared/core/errors.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { expenseSummaryView, expenseView } from '../../shared/domain/expense/fields.ts';
import { makeExpense } from '../../shared/domain/expense/input.ts';
import { dayOfGatewayFees, isGatewayFee } from '../../shared/domain/expense/rules.ts';
import type { ApiServices, OperationsOf } from '../../shared/http/exchange.ts';
import { operation } from '../../shared/operations/operation.ts';
import { listOperation } from '../../shared/operations/pages.ts';
import type { Expenses, GatewayFees } from '../../shared/table/expenses.ts';
import type { FilterOf, ListQuery } from '../../shared/table/lists.ts';
import type { listQuery, routes } from './routes.ts';

/** Services of the group, with its own stores. */
type ExpenseServices = ApiServices<{ readonly expenses: Expenses; readonly gatewayFees: GatewayFees }>;

type Query = InferOutput<typeof listQuery>;

const filters = ['category', 'status', 'supplier_id'] as const satisfies readonly FilterOf<'expense'>[];

const conflict = (message: string, field: string): ApiError => new ApiError('conflicting_filters', message, { field });

/** Returns the only filter of the query. Throws for the second filter if there are two. */
const filterOf = (query: Query): NonNullable<ListQuery<'expense'>['where']> => {
  const [first, second] = filters.filter((name) => query[name] !== undefined);
  if (second) throw invalidValue(second, `Only one of ${filters.join(', ')} can be sent. Leave out ${second}.`);
  return first ? { [first]: [query[first] as string] } : {};
};

/**
 * Returns the query in one of the three documented forms: by date in a range, by update time since
 * a moment, or by update time.
 */
const expenseQuery = (query: Query): ListQuery<'expense'> => {
  const { date_from: from, date_to: to, updated_after, order_by } = query;
  const dateField = from === undefined ? 'date_to' : 'date_from';
  const ranged = from !== undefined || to !== undefined;
  if (ranged && updated_after !== undefined)
    throw conflict('updated_after cannot be combined with a date range. Send one of them.', dateField);
  if (ranged && order_by === 'updated_at')
    throw conflict('order_by=updated_at cannot be combined with a date range. Send one of them.', dateField);
  const where = filterOf(query);
  if (updated_after !== undefined) return { sort: 'updated_at', from: isoFromMs(updated_after), where };
  if (order_by === 'updated_at') return { sort: 'updated_at', where };
  return { sort: 'date', ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }), where };
};

export const expenses = ({ store, newId }: ExpenseServices): OperationsOf<typeof routes> => ({
  /**
   * POST /expenses (§ Expenses, POST). Sets the fields that the service controls, and ignores their
   * values in the body.
   */
  createExpense: {
    decide({ account, body, nowMs }, _data, { currency: accountCurrency }) {
      const currency = body.currency ?? accountCurrency;
      if (currency === null) {
        throw new ApiError('internal_error', 'currency is required, because the account has no currency.', {
          internal: 'account without a currency',
        });
      }
      const expense = makeExpense(body, {
        id: newId('exp', nowMs),
        currency,
        status: 'submitted',
        source: 'api',
        external_id: null,
        created_at: isoFromMs(nowMs),
      });
      return { result: expenseView(expense), writes: [store.expenses.createWrite(account, expense)] };
    },
  },
  /**
   * GET /expenses (§ Expenses, GET). Soft-deleted expenses are not in the indexes, so pages are not
   * filtered after the read.
   */
  listExpenses: listOperation((call, page) => store.expenses.list(call.account, expenseQuery(call.query), page), expenseSummaryView),
  /**
   * GET /expenses/{id} (§ Expenses, GET by id). Returns 404 if the expense does not exist, is deleted
   * or belongs to another account.
   */
  retrieveExpense: operation({
    async read({ account, id }) {
      const day = dayOfGatewayFees(id);
      const linesOfDay = async () => (day === undefined ? undefined : store.gatewayFees.lines(account, day));
      const [stored, fees] = await Promise.all([store.expenses.get(account, id), linesOfDay()]);
      // The lines and the record are read in parallel, so the lines may be older than the record. If
      // so, they are read again.
      const isOlder = fees?.complete && fees.lines.length < (stored?.record.transaction_count ?? 0);
      return { stored, fees: isOlder ? await linesOfDay() : fees };
    },
    decide(_call, { stored, fees }) {
      if (!stored) throw notFound('Expense');
      return { result: expenseView(stored.record, isGatewayFee(stored.record) ? fees : undefined) };
    },
  }),
});
