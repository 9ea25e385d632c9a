import type { Route } from '../../shared/core/routes.ts';
import { availabilityQuery, customFieldsQuery, timeSlotsQuery } from './schema.ts';

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
