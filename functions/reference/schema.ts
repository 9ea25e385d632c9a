import * as v from 'valibot';
import { calendarDate, oneOf } from '../../shared/core/fields.ts';
import { customFieldScopes, slotTypes } from '../../shared/domain/reference/rules.ts';

export const timeSlotsQuery = v.object({ type: v.optional(oneOf(slotTypes)) });
export const customFieldsQuery = v.object({ scope: v.optional(oneOf(customFieldScopes)) });

/** Which parameters go together is the operation's business. */
export const availabilityQuery = v.object({
  date: v.optional(calendarDate()),
  from: v.optional(calendarDate()),
  to: v.optional(calendarDate()),
  type: v.optional(oneOf(slotTypes)),
});
