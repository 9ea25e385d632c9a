import * as v from 'valibot';
import { calendarDate, oneOf } from '../../shared/core/fields.ts';
import type { Route } from '../../shared/core/routes.ts';
import { customFieldScopes, slotTypes } from '../../shared/domain/enumerations.ts';

const timeSlotsQuery = v.object({ type: v.optional(oneOf(slotTypes)) });
const customFieldsQuery = v.object({ scope: v.optional(oneOf(customFieldScopes)) });

/** The operation checks which parameters may be combined. */
export const availabilityQuery = v.object({
  date: v.optional(calendarDate()),
  from: v.optional(calendarDate()),
  to: v.optional(calendarDate()),
  type: v.optional(oneOf(slotTypes)),
});

const open = { method: 'GET', scope: 'reference:read', keys: 'any' } as const;
const fresh = { ...open, cacheControl: 'no-store' } as const;

export const routes = [
  { operation: 'listExpenseCategories', path: '/reference/expense-categories', ...open, cacheControl: 'private, max-age=3600' },
  { operation: 'listPaymentMethods', path: '/reference/payment-methods', ...fresh },
  { operation: 'listEventCategories', path: '/reference/event-categories', ...fresh },
  { operation: 'listTimeSlots', path: '/reference/time-slots', ...fresh, query: timeSlotsQuery },
  { operation: 'listBlockedDates', path: '/reference/blocked-dates', ...fresh },
  { operation: 'listCustomFields', path: '/reference/custom-fields', ...fresh, query: customFieldsQuery },
  { operation: 'getAvailability', path: '/availability', ...fresh, query: availabilityQuery },
] as const satisfies readonly Route[];
