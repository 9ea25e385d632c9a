import * as v from 'valibot';
import { filterText, isoMs, oneOf, seconds } from '../../shared/core/fields.ts';
import { pageParameters } from '../../shared/core/page-parameters.ts';
import { isDateOnly, parseSeconds } from '../../shared/core/time.ts';
import { expenseInputSchema } from '../../shared/domain/expense-input.ts';

const lastSecondOfDay = 86_399;

/** Inclusive: a date without a time takes in its whole UTC day (decisions §3). */
const endSeconds = v.pipe(
  v.string(),
  v.check((text) => parseSeconds(text.trim()) !== undefined, 'must be an ISO 8601 date or epoch seconds'),
  v.transform((text) => (parseSeconds(text.trim()) as number) + (isDateOnly(text.trim()) ? lastSecondOfDay : 0)),
);

export const listQuery = v.object({
  ...pageParameters,
  order_by: v.optional(oneOf(['date', 'updated_at'])),
  date_from: v.optional(seconds()),
  date_to: v.optional(endSeconds),
  updated_after: v.optional(isoMs()),
  category: v.optional(filterText()),
  status: v.optional(filterText()),
  supplier_id: v.optional(filterText()),
});

export const createBody = expenseInputSchema;
