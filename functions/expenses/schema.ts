import * as v from 'valibot';
import { filterText, isoMs, oneOf, seconds } from '../../shared/core/fields.ts';
import { pageParameters } from '../../shared/core/page-parameters.ts';
import { isDateOnly } from '../../shared/core/time.ts';
import { expenseInputSchema } from '../../shared/domain/expense-input.ts';

/** A date without a time takes in its whole UTC day (decisions §3). */
const endOfDay = (text: string): string => (isDateOnly(text) ? `${text}T23:59:59Z` : text);

export const listQuery = v.object({
  ...pageParameters,
  order_by: v.optional(oneOf(['date', 'updated_at']), 'date'),
  // Expenses lie on whole seconds: none from before a start within a second, none from after an end within one.
  date_from: v.optional(seconds(Math.ceil)),
  date_to: v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => endOfDay(text.trim())),
      seconds(Math.floor),
    ),
  ),
  updated_after: v.optional(isoMs()),
  category: v.optional(filterText()),
  status: v.optional(filterText()),
  supplier_id: v.optional(filterText()),
});

export const createBody = expenseInputSchema;
