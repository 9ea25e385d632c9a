import * as v from 'valibot';
import { filterText, inQuery, isoMs, lookupText, oneOf, seconds, untilInQuery } from '../../shared/core/fields.ts';
import { pageParameters } from '../../shared/core/paging.ts';
import type { Route } from '../../shared/core/routes.ts';
import { expenseInputSchema } from '../../shared/domain/expense/input.ts';

export const listQuery = v.object({
  ...pageParameters,
  order_by: v.optional(oneOf(['date', 'updated_at']), 'date'),
  // Expense dates have whole seconds. If the range starts within a second, it excludes that second.
  // If it ends within a second, it includes that second.
  date_from: v.optional(inQuery(seconds('up'))),
  date_to: v.optional(untilInQuery(seconds('down'))),
  updated_after: v.optional(inQuery(isoMs('up'))),
  category: v.optional(filterText()),
  status: v.optional(filterText()),
  supplier_id: v.optional(lookupText()),
});

const reading = { scope: 'expenses:read', keys: 'secret' } as const;
const writing = { scope: 'expenses:write', keys: 'secret' } as const;

export const routes = [
  { operation: 'listExpenses', method: 'GET', path: '/expenses', ...reading, query: listQuery },
  { operation: 'createExpense', method: 'POST', path: '/expenses', ...writing, status: 201, idempotent: true, body: expenseInputSchema },
  { operation: 'retrieveExpense', method: 'GET', path: '/expenses/{id}', ...reading },
] as const satisfies readonly Route[];
