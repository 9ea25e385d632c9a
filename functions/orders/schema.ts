import * as v from 'valibot';
import { filterText, isoMs, oneOf } from '../../shared/core/fields.ts';
import { pageParameters } from '../../shared/core/page-parameters.ts';
import { isDateOnly } from '../../shared/core/time.ts';
import { orderStatuses } from '../../shared/domain/order.ts';
import { orderInputSchema } from '../../shared/domain/order-input.ts';

/** A date without a time takes in its whole UTC day (decisions §3). */
const endOfDay = (text: string): string => (isDateOnly(text) ? `${text}T23:59:59.999Z` : text);

/** Comma-separated, any of. */
const statuses = v.pipe(
  v.string(),
  v.transform((text) => [...new Set(text.split(',').map((status) => status.trim()))]),
  v.array(oneOf(orderStatuses)),
);

export const listQuery = v.object({
  ...pageParameters,
  sort: v.optional(oneOf(['createdAt', 'updatedAt', 'deliveryDate']), 'createdAt'),
  created_after: v.optional(isoMs()),
  created_before: v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => endOfDay(text.trim())),
      isoMs(),
    ),
  ),
  status: v.optional(statuses),
  payment_status: v.optional(filterText()),
  customer_id: v.optional(filterText()),
});

export const createBody = orderInputSchema;
