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

const withAnyKey = { method: 'GET', scope: 'reference:read', keys: 'any' } as const;
const uncached = { ...withAnyKey, cacheControl: 'no-store' } as const;

export const routes = [
  { operation: 'listExpenseCategories', path: '/reference/expense-categories', ...withAnyKey, cacheControl: 'private, max-age=3600' },
  { operation: 'listPaymentMethods', path: '/reference/payment-methods', ...uncached },
  { operation: 'listEventCategories', path: '/reference/event-categories', ...uncached },
  { operation: 'listTimeSlots', path: '/reference/time-slots', ...uncached, query: timeSlotsQuery },
  { operation: 'listBlockedDates', path: '/reference/blocked-dates', ...uncached },
  { operation: 'listCustomFields', path: '/reference/custom-fields', ...uncached, query: customFieldsQuery },
  { operation: 'getAvailability', path: '/availability', ...uncached, query: availabilityQuery },
] as const satisfies readonly Route[];
