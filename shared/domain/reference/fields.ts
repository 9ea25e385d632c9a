import type { InferOutput } from 'valibot';
import { customFieldScopes, customFieldTypes, slotTypes } from '../enumerations.ts';
import {
  clockTime,
  day,
  extensibleOneOf,
  flag,
  list,
  number,
  oneOf,
  optional,
  orNull,
  shape,
  someOf,
  text,
  texts,
  weekdays,
} from '../wire-shape.ts';

const expenseCategory = shape('ExpenseCategory', 'A category of expenses.', {
  id: text('Id that expenses store.'),
  label: text('Name for people. `POST /expenses` accepts it too.'),
  description: text('Expenses that belong to the category.'),
});
const paymentMethod = shape('PaymentMethod', 'A payment method that the account offers.', {
  id: text("The account's own id."),
  name: text('Name for shoppers, as the account wrote it.'),
});
const eventCategory = shape('EventCategory', 'An occasion for orders.', { name: text('Name for shoppers, as the account wrote it.') });

const slot = {
  id: text('Opaque. Slots of old configurations have ids by position.'),
  label: text('Display name. If none is configured: start and end, or empty.'),
  type: oneOf(slotTypes, 'Pickup or delivery. Dispatch has no slots.'),
  start: orNull(clockTime('Start time. Null if not configured.')),
  end: orNull(clockTime('End time. Equal to `start` for a single time; null if not configured.')),
  multiplier: number('Factor on the delivery fee.'),
};
const offeredTimeSlot = shape('OfferedTimeSlot', 'A time slot of one date.', slot);
const timeSlot = shape('TimeSlot', 'A time for pickup or delivery.', {
  ...slot,
  available_days: weekdays('Weekdays from 0 = Sunday to 6 = Saturday; empty means every day.'),
});

const blockedDate = shape('BlockedDate', 'A date without pickup or delivery.', {
  id: orNull(text('Null on legacy entries.')),
  date: day('The date, `YYYY-MM-DD`.'),
  reason: orNull(text('Reason as entered. Always `unavailable` for a publishable key.')),
  is_holiday: flag('Whether the date is flagged as a holiday.'),
  holiday_name: orNull(text('Name as entered. Always null for a publishable key.')),
});
const recurringRule = shape('RecurringRule', 'Weekdays without pickup or delivery.', {
  id: text('Id of the rule.'),
  type: extensibleOneOf(['weekly'], 'Rules of any other type never match.'),
  days_of_week: weekdays('From 0 = Sunday to 6 = Saturday. Empty matches no day.'),
  enabled: flag('A disabled rule never blocks.'),
  start_date: orNull(day('First date of the rule. Null means no limit.')),
  end_date: orNull(day('Last date of the rule. Null means no limit.')),
});
const customField = shape('CustomField', 'A custom field of the account.', {
  id: text('Id of the definition.'),
  key: text('Key of its values in `custom_fields`. The id if no key is set.'),
  name: text('Display name. May be empty.'),
  type: extensibleOneOf(customFieldTypes, 'Kind of input in a form.'),
  required: flag('Whether forms should ask for it.'),
  options: texts('Choices. Empty for types without choices.'),
  scopes: someOf(customFieldScopes, 'Records that may have it. Empty if it is only for the dashboard.'),
  internal: optional(flag('Whether it is hidden from shoppers. Only secret keys get this field.')),
});
const dateAvailability = shape('DateAvailability', 'Availability of one date.', {
  date: day('The date, `YYYY-MM-DD`.'),
  bookable: flag('Whether no block applies. Lead time, capacity and stock are not considered.'),
  blocked_reason: orNull(text('Null if the date is bookable. For a publishable key the reason is always `unavailable`.')),
  time_slots: list(offeredTimeSlot, 'Slots of that weekday. Empty if the date is blocked.'),
});

export const expenseCategoryList = shape('ExpenseCategoryList', 'The 19 expense categories.', {
  expense_categories: list(expenseCategory, 'The same for every account.'),
});
export const paymentMethodList = shape('PaymentMethodList', 'The payment methods of the account.', {
  payment_methods: list(paymentMethod, 'Enabled payment methods. Empty if none are configured.'),
});
export const eventCategoryList = shape('EventCategoryList', 'The event categories of the account.', {
  event_categories: list(eventCategory, 'Event categories. Defaults if none are configured.'),
});
export const timeSlotList = shape('TimeSlotList', 'The time slots of the account.', {
  time_slots: list(timeSlot, 'Pickup slots first, then delivery slots, in the configured order.'),
});
export const blockedDateList = shape('BlockedDateList', 'Dates without pickup or delivery.', {
  dates: list(blockedDate, 'Blocked single dates.'),
  recurring_rules: list(recurringRule, 'Rules that block weekdays.'),
});
export const customFieldList = shape('CustomFieldList', 'The custom fields of the account.', {
  fields: list(customField, 'Active definitions. A publishable key gets no internal ones.'),
});
export const availabilityList = shape('AvailabilityList', 'Availability by date.', {
  availability: list(dateAvailability, 'Every requested date, in ascending order.'),
});

export type ExpenseCategoryList = InferOutput<typeof expenseCategoryList>;
export type PaymentMethodList = InferOutput<typeof paymentMethodList>;
export type EventCategoryList = InferOutput<typeof eventCategoryList>;
export type TimeSlotList = InferOutput<typeof timeSlotList>;
export type BlockedDateList = InferOutput<typeof blockedDateList>;
export type CustomFieldList = InferOutput<typeof customFieldList>;
export type AvailabilityList = InferOutput<typeof availabilityList>;
export type TimeSlot = InferOutput<typeof timeSlot>;
export type BlockedDate = InferOutput<typeof blockedDate>;
export type RecurringRule = InferOutput<typeof recurringRule>;
export type CustomField = InferOutput<typeof customField>;
