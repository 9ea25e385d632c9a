import type { InferOutput } from 'valibot';
import { ApiError, invalidValue } from '../../shared/core/errors.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import type { ExpenseSummary } from '../../shared/domain/expense/record.ts';
import type { ApiServices, Operation } from '../../shared/http/operation.ts';
import { pageBody, pageRequest } from '../../shared/http/pages.ts';
import type { FilterOf, ListQuery } from '../../shared/table/lists.ts';
import type { Page } from '../../shared/table/page.ts';
import type { listQuery } from './schema.ts';
import { expenseSummaryView } from './view.ts';

type Query = InferOutput<typeof listQuery>;

const filters = ['category', 'status', 'supplier_id'] as const satisfies readonly FilterOf<'expense'>[];

const conflict = (message: string, field: string): ApiError => new ApiError('conflicting_filters', message, { field });

/** The one filter of the query; a second one is the offender. */
const filterOf = (query: Query): NonNullable<ListQuery<'expense'>['where']> => {
  const [first, second] = filters.filter((name) => query[name] !== undefined);
  if (second) throw invalidValue(second, `Use one of ${filters.join(', ')} at a time.`);
  return first ? { [first]: [query[first] as string] } : {};
};

/** One of the three documented shapes: by date in a range, by update since a moment, by update. */
export const expenseQuery = (query: Query): ListQuery<'expense'> => {
  const { date_from: from, date_to: to, updated_after, order_by } = query;
  const dateField = from === undefined ? 'date_to' : 'date_from';
  const ranged = from !== undefined || to !== undefined;
  if (ranged && updated_after !== undefined) throw conflict('updated_after goes without a date range.', dateField);
  if (ranged && order_by === 'updated_at') throw conflict('order_by=updated_at goes without a date range.', dateField);
  const where = filterOf(query);
  if (updated_after !== undefined) return { sort: 'updated_at', from: isoFromMs(updated_after), where };
  if (order_by === 'updated_at') return { sort: 'updated_at', where };
  return { sort: 'date', ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }), where };
};

/** § Expenses, GET: the list shape; soft-deleted ones are not in the indexes, so no page is filtered after the read. */
export const listExpenses = ({ store }: ApiServices): Operation<Query, unknown, Page<ExpenseSummary>> => ({
  read: async (call) => store.expenses.list(call.account, expenseQuery(call.query), pageRequest(call)),
  decide: (call, page) => ({ body: pageBody(call, page, expenseSummaryView) }),
});
