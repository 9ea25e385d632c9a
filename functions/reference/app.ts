import type { InferOutput } from 'valibot';
import { invalidValue } from '../../shared/core/errors.ts';
import type { Settings } from '../../shared/domain/account/settings.ts';
import { expenseCategories } from '../../shared/domain/expense/categories.ts';
import { pick } from '../../shared/domain/record-fields.ts';
import type * as wire from '../../shared/domain/reference/fields.ts';
import {
  availabilityOn,
  blockedDatesOf,
  customFieldsOf,
  type DateAvailability,
  datesBetween,
  eventCategoriesOf,
  maxDays,
  offeredSlot,
  paymentMethodsOf,
  recurringRulesOf,
  spanDays,
  timeSlotsOf,
} from '../../shared/domain/reference/rules.ts';
import type { ApiServices, Call, OperationsOf } from '../../shared/http/exchange.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import type { availabilityQuery, routes } from './routes.ts';

/**
 * Whether the caller gets the merchant's view, which needs a secret key. A publishable key gets the
 * shopper's view (§ Key-type dependent content).
 */
const isMerchant = ({ key }: Pick<Call, 'key'>): boolean => key.type === 'secret';

const timeSlotView = (slot: wire.TimeSlot): wire.TimeSlot =>
  pick(slot, ['id', 'label', 'type', 'start', 'end', 'multiplier', 'available_days']);

/** The only reason that shoppers get for a blocked date. */
const publicReason = 'unavailable';

const dateView = (date: wire.BlockedDate, merchant: boolean): wire.BlockedDate => ({
  ...pick(date, ['id', 'date', 'reason', 'is_holiday', 'holiday_name']),
  ...(merchant ? {} : { reason: publicReason, holiday_name: null }),
});

/** Returns the view of a rule. It never contains the reason, even for the merchant. */
const ruleView = (rule: wire.RecurringRule): wire.RecurringRule =>
  pick(rule, ['id', 'type', 'days_of_week', 'enabled', 'start_date', 'end_date']);

/** Returns the view of a definition. Shoppers do not learn whether it is internal. */
const fieldView = ({ internal, ...field }: Required<wire.CustomField>, merchant: boolean): wire.CustomField => ({
  ...pick(field, ['id', 'key', 'name', 'type', 'required', 'options', 'scopes']),
  ...(merchant ? { internal } : {}),
});

/**
 * Returns the requested dates: one date, or an inclusive range of at most 90 days (§ GET
 * /availability).
 */
const requestedDates = ({ date, from, to }: InferOutput<typeof availabilityQuery>): readonly string[] => {
  if (date !== undefined) {
    if (from !== undefined || to !== undefined) throw invalidValue('date', 'date cannot be combined with from and to.');
    return [date];
  }
  if (from === undefined && to === undefined) throw invalidValue('date', 'date, or from and to, must be sent.');
  if (from === undefined) throw invalidValue('from', 'from is required with to.');
  if (to === undefined) throw invalidValue('to', 'to is required with from.');
  if (to < from) throw invalidValue('to', 'to must be on or after from.');
  if (spanDays(from, to) > maxDays) throw invalidValue('to', `The range must have at most ${maxDays} days.`);
  return datesBetween(from, to);
};

const blockedReason = ({ bookable, reason }: DateAvailability, merchant: boolean): string | null =>
  bookable || merchant ? reason : publicReason;

export const reference = ({ store }: ApiServices): OperationsOf<typeof routes> => {
  /** Makes an operation that needs only the account's settings. */
  const fromSettings = <Query>(result: (settings: Settings, call: Call<Query>) => unknown): Operation<Call<Query>, Settings> => ({
    read: ({ account }) => store.accounts.getSettings(account),
    decide: (call, settings) => ({ result: result(settings, call) }),
  });
  return {
    /** Returns the fixed list, which is the same for every account (§ Reference data). */
    listExpenseCategories: {
      decide: () => ({ result: { expense_categories: expenseCategories } satisfies wire.ExpenseCategoryList }),
    },
    /** Returns the enabled payment methods. */
    listPaymentMethods: fromSettings((settings): wire.PaymentMethodList => ({ payment_methods: paymentMethodsOf(settings) })),
    /**
     * Returns only names. If the account has configured no categories, returns the dashboard's
     * defaults.
     */
    listEventCategories: fromSettings((settings): wire.EventCategoryList => ({ event_categories: eventCategoriesOf(settings) })),
    /** Returns the configured slots, pickup first. With `type`, only slots of that type. */
    listTimeSlots: fromSettings(
      (settings, { query: { type } }): wire.TimeSlotList => ({
        time_slots: timeSlotsOf(settings)
          .filter((slot) => type === undefined || slot.type === type)
          .map(timeSlotView),
      }),
    ),
    /** Returns all configured dates and rules. */
    listBlockedDates: fromSettings(
      (settings, call): wire.BlockedDateList => ({
        dates: blockedDatesOf(settings).map((date) => dateView(date, isMerchant(call))),
        recurring_rules: recurringRulesOf(settings).map(ruleView),
      }),
    ),
    /**
     * Returns the active definitions, optionally of one scope. Shoppers do not get internal
     * definitions.
     */
    listCustomFields: fromSettings((settings, call): wire.CustomFieldList => {
      const merchant = isMerchant(call);
      const { scope } = call.query;
      const shown = customFieldsOf(settings).filter(
        (field) => (merchant || !field.internal) && (scope === undefined || field.scopes.includes(scope)),
      );
      return { fields: shown.map((field) => fieldView(field, merchant)) };
    }),
    /**
     * Returns every requested date in order, even if it cannot be booked. `type` filters only the
     * slots.
     */
    getAvailability: fromSettings(
      (settings, call): wire.AvailabilityList => ({
        availability: requestedDates(call.query).map((date) => {
          const day = availabilityOn(settings, date);
          const slots = day.slots.filter(({ type }) => call.query.type === undefined || type === call.query.type);
          return { date, bookable: day.bookable, blocked_reason: blockedReason(day, isMerchant(call)), time_slots: slots.map(offeredSlot) };
        }),
      }),
    ),
  };
};
