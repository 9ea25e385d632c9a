import * as v from 'valibot';
import { customFieldTypes } from '../account/settings.ts';
import { clockTime, day, flag, known, list, number, oneOf, orNull, shape, text } from '../wire-shape.ts';
import { customFieldScopes, slotTypes } from './rules.ts';

const weekdays = (about: string) => list(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(6)), about);

const expenseCategory = shape('ExpenseCategory', 'What an expense is for.', {
  id: text('Canonical id.'),
  label: text('Name for people.'),
  description: text('What belongs to it.'),
});
const paymentMethod = shape('PaymentMethod', 'A way to pay that the account offers.', {
  id: text("The account's own id."),
  name: text('Name for people.'),
});
const eventCategory = shape('EventCategory', 'An occasion that orders are made for.', { name: text('Name for people.') });

const slot = {
  id: text('Opaque; slots of old configurations have ids by their position.'),
  label: text('Name for people; start and end where none is configured, else empty.'),
  type: oneOf(slotTypes, 'Whether customers come or are visited; carriers have no slots.'),
  start: orNull(clockTime('Null where it is not configured.')),
  end: orNull(clockTime('Equal to `start` for a single time; null where it is not configured.')),
  multiplier: number('The delivery fee is multiplied by it.'),
};
const offeredTimeSlot = shape('OfferedTimeSlot', 'A time slot of one date.', slot);
const timeSlot = shape('TimeSlot', 'A time at which orders are handed over.', {
  ...slot,
  available_days: weekdays('Weekdays from 0 = Sunday to 6 = Saturday; empty means every day.'),
});

const blockedDate = shape('BlockedDate', 'A date on which nothing is handed over.', {
  id: orNull(text('Null on legacy entries.')),
  date: day('The date.'),
  reason: orNull(text('As authored; always `unavailable` for a publishable key.')),
  is_holiday: flag('True only where it is flagged as one.'),
  holiday_name: orNull(text('As authored; always null for a publishable key.')),
});
const recurringRule = shape('RecurringRule', 'Weekdays on which nothing is handed over.', {
  id: text('Id of the rule.'),
  type: known(['weekly'], 'Rules of any other type never match.'),
  days_of_week: weekdays('From 0 = Sunday to 6 = Saturday; empty matches nothing.'),
  enabled: flag('A disabled rule never blocks.'),
  start_date: orNull(day('First date it holds for; null is unbounded.')),
  end_date: orNull(day('Last date it holds for; null is unbounded.')),
});
const customField = shape('CustomField', 'A field that the account has added to its records.', {
  id: text('Id of the definition.'),
  key: text('Key of its values in `custom_fields`; the id where none is set.'),
  name: text('Name for people; may be empty.'),
  type: known(customFieldTypes, 'How it is entered.'),
  required: flag('Whether forms should ask for it.'),
  options: list(v.string(), 'Choices; empty for types without any.'),
  scopes: list(v.picklist(customFieldScopes), 'Records that may carry it; empty where it is for the dashboard alone.'),
  internal: v.exactOptional(flag('Not for shoppers. Sent to secret keys only.')),
});
const dateAvailability = shape('DateAvailability', 'Whether one date is blocked, and what it offers.', {
  date: day('The date.'),
  bookable: flag('True means no more than that no block applies: lead time, capacity and stock are not considered.'),
  blocked_reason: orNull(text('Null where it is bookable; always `unavailable` otherwise for a publishable key.')),
  time_slots: list(offeredTimeSlot, 'Slots of that weekday; empty where the date is blocked.'),
});

export const expenseCategoryList = shape('ExpenseCategoryList', 'The 19 expense categories.', {
  expense_categories: list(expenseCategory, 'The same for every account.'),
});
export const paymentMethodList = shape('PaymentMethodList', 'The payment methods of the account.', {
  payment_methods: list(paymentMethod, 'Enabled ones; empty where none are configured.'),
});
export const eventCategoryList = shape('EventCategoryList', 'The event categories of the account.', {
  event_categories: list(eventCategory, 'Defaults where none are configured.'),
});
export const timeSlotList = shape('TimeSlotList', 'The time slots of the account.', {
  time_slots: list(timeSlot, 'Pickup first, each in the order they are configured.'),
});
export const blockedDateList = shape('BlockedDateList', 'Dates on which nothing is handed over.', {
  dates: list(blockedDate, 'Single dates.'),
  recurring_rules: list(recurringRule, 'Weekly rules.'),
});
export const customFieldList = shape('CustomFieldList', 'The custom fields of the account.', {
  fields: list(customField, 'Active definitions; a publishable key sees none that are internal.'),
});
export const availabilityList = shape('AvailabilityList', 'Availability by date.', {
  availability: list(dateAvailability, 'Every date asked for, ascending.'),
});

export type ExpenseCategoryList = v.InferOutput<typeof expenseCategoryList>;
export type PaymentMethodList = v.InferOutput<typeof paymentMethodList>;
export type EventCategoryList = v.InferOutput<typeof eventCategoryList>;
export type TimeSlotList = v.InferOutput<typeof timeSlotList>;
export type BlockedDateList = v.InferOutput<typeof blockedDateList>;
export type CustomFieldList = v.InferOutput<typeof customFieldList>;
export type AvailabilityList = v.InferOutput<typeof availabilityList>;
export type TimeSlot = v.InferOutput<typeof timeSlot>;
export type BlockedDate = v.InferOutput<typeof blockedDate>;
export type RecurringRule = v.InferOutput<typeof recurringRule>;
export type CustomField = v.InferOutput<typeof customField>;
