import { type ApiHandler, api } from '../../shared/http/chain.ts';
import type { ApiServices } from '../../shared/http/operation.ts';
import { getAvailability } from './availability.ts';
import { listBlockedDates } from './blocked-dates.ts';
import { listCustomFields } from './custom-fields.ts';
import { listEventCategories } from './event-categories.ts';
import { listExpenseCategories } from './expense-categories.ts';
import { listPaymentMethods } from './payment-methods.ts';
import { routes } from './routes.ts';
import { listTimeSlots } from './time-slots.ts';

export const reference = (services: ApiServices): ApiHandler =>
  api(
    routes,
    {
      listExpenseCategories: listExpenseCategories(),
      listPaymentMethods: listPaymentMethods(services),
      listEventCategories: listEventCategories(services),
      listTimeSlots: listTimeSlots(services),
      listBlockedDates: listBlockedDates(services),
      listCustomFields: listCustomFields(services),
      getAvailability: getAvailability(services),
    },
    services,
  );
