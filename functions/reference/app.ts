import type { InferOutput } from 'valibot';
import { invalidValue } from '../../shared/core/errors.ts';
import type { Settings } from '../../shared/domain/account/settings.ts';
import { expenseCategories } from '../../shared/domain/expense/categories.ts';
import type * as wire from '../../shared/domain/reference/fields.ts';
import {
  availabilityOn,
  blockedDatesOf,
  customFieldsOf,
  type DateAvailability,
  datesBetween,
  eventCategoriesOf,
  paymentMethodsOf,
  recurringRulesOf,
  spanDays,
  timeSlotsOf,
} from '../../shared/domain/reference/rules.ts';
import type { ApiServices, Call, OperationsOf } from '../../shared/http/exchange.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import type { availabilityQuery, customFieldsQuery, routes, timeSlotsQuery } from './routes.ts';

/**
 * Whether the caller gets the merchant's view, which needs a secret key. A publishable key gets the
 * shopper's view (§ Key-type dependent content).
 */
const isMerchant = ({ key }: Pick<Call, 'key'>): boolean => key.type === 'secret';

/** Makes an operation that needs only the account's settings. */
const fromSettings = <Query>(
  { store }: ApiServices,
  answer: (settings: Settings, call: Call<Query>) => unknown,
): Operation<Call<Query>, Settings> => ({
  read: ({ account }) => store.accounts.getSettings(account),
  decide: (call, settings) => ({ result: answer(settings, call) }),
});

/** Returns the fixed list, which is the same for every account (§ Reference data). */
const listExpenseCategories = (): Operation<Call> => ({
  decide: () => ({ result: { expense_categories: expenseCategories } satisfies wire.ExpenseCategoryList }),
});

/** Returns the enabled payment methods. */
const listPaymentMethods = (services: ApiServices) =>
  fromSettings(services, (settings): wire.PaymentMethodList => ({ payment_methods: paymentMethodsOf(settings) }));

/**
 * Returns only names. If the account has configured no categories, returns the dashboard's
 * defaults.
 */
const listEventCategories = (services: ApiServices) =>
  fromSettings(services, (settings): wire.EventCategoryList => ({ event_categories: eventCategoriesOf(settings) }));

const timeSlotView = ({ id, label, type, start, end, multiplier, available_days }: wire.TimeSlot): wire.TimeSlot => ({
  id,
  label,
  type,
  start,
  end,
  multiplier,
  available_days,
});

/** Returns the configured slots, pickup first. With `type`, only slots of that type. */
const listTimeSlots = (services: ApiServices) =>
  fromSettings<InferOutput<typeof timeSlotsQuery>>(
    services,
    (settings, { query: { type } }): wire.TimeSlotList => ({
      time_slots: timeSlotsOf(settings)
        .filter((slot) => type === undefined || slot.type === type)
        .map(timeSlotView),
    }),
  );

/** The only reason that shoppers get for a blocked date. */
const publicReason = 'unavailable';

const dateView = ({ id, date, reason, is_holiday, holiday_name }: wire.BlockedDate, merchant: boolean): wire.BlockedDate => ({
  id,
  date,
  reason: merchant ? reason : publicReason,
  is_holiday,
  holiday_name: merchant ? holiday_name : null,
});

/** Returns the view of a rule. It never contains the reason, even for the merchant. */
const ruleView = ({ id, type, days_of_week, enabled, start_date, end_date }: wire.RecurringRule): wire.RecurringRule => ({
  id,
  type,
  days_of_week,
  enabled,
  start_date,
  end_date,
});

/** Returns all configured dates and rules. */
const listBlockedDates = (services: ApiServices) =>
  fromSettings(
    services,
    (settings, call): wire.BlockedDateList => ({
      dates: blockedDatesOf(settings).map((date) => dateView(date, isMerchant(call))),
      recurring_rules: recurringRulesOf(settings).map(ruleView),
    }),
  );

const fieldView = (
  { id, key, name, type, required, options, scopes, internal }: Required<wire.CustomField>,
  merchant: boolean,
): wire.CustomField => ({
  id,
  key,
  name,
  type,
  required,
  options,
  scopes,
  ...(merchant ? { internal } : {}),
});

/**
 * Returns the active definitions, optionally of one scope. Shoppers do not get internal
 * definitions.
 */
const listCustomFields = (services: ApiServices) =>
  fromSettings<InferOutput<typeof customFieldsQuery>>(services, (settings, call): wire.CustomFieldList => {
    const merchant = isMerchant(call);
    const { scope } = call.query;
    const shown = customFieldsOf(settings).filter(
      (field) => (merchant || !field.internal) && (scope === undefined || field.scopes.includes(scope)),
    );
    return { fields: shown.map((field) => fieldView(field, merchant)) };
  });

type AvailabilityQuery = InferOutput<typeof availabilityQuery>;

const maxDays = 90;

/**
 * Returns the requested dates: one date, or an inclusive range of at most 90 days (§ GET
 * /availability).
 */
const datesOf = ({ date, from, to }: AvailabilityQuery): readonly string[] => {
  if (date !== undefined) {
    if (from !== undefined || to !== undefined) throw invalidValue('date', 'date goes without from and to.');
    return [date];
  }
  if (from === undefined && to === undefined) throw invalidValue('date', 'date, or from and to, is required.');
  if (from === undefined) throw invalidValue('from', 'to requires from.');
  if (to === undefined) throw invalidValue('to', 'from requires to.');
  if (to < from) throw invalidValue('to', 'to must be on or after from.');
  if (spanDays(from, to) > maxDays) throw invalidValue('to', `A range has at most ${maxDays} days.`);
  return datesBetween(from, to);
};

const slotView = (slot: wire.TimeSlot) => {
  const { available_days: _, ...view } = timeSlotView(slot);
  return view;
};

const blockedReason = ({ bookable, reason }: DateAvailability, merchant: boolean): string | null =>
  bookable || merchant ? reason : publicReason;

/**
 * Returns every requested date in order, even if it cannot be booked. `type` filters only the
 * slots.
 */
const getAvailability = (services: ApiServices) =>
  fromSettings<AvailabilityQuery>(
    services,
    (settings, call): wire.AvailabilityList => ({
      availability: datesOf(call.query).map((date) => {
        const day = availabilityOn(settings, date);
        const slots = day.slots.filter(({ type }) => call.query.type === undefined || type === call.query.type);
        return { date, bookable: day.bookable, blocked_reason: blockedReason(day, isMerchant(call)), time_slots: slots.map(slotView) };
      }),
    }),
  );

export const reference = (services: ApiServices): OperationsOf<typeof routes> => ({
  listExpenseCategories: listExpenseCategories(),
  listPaymentMethods: listPaymentMethods(services),
  listEventCategories: listEventCategories(services),
  listTimeSlots: listTimeSlots(services),
  listBlockedDates: listBlockedDates(services),
  listCustomFields: listCustomFields(services),
  getAvailability: getAvailability(services),
});
