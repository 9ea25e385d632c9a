import type { Settings } from '../account/settings.ts';
import { customFieldScopes, slotTypes } from '../enumerations.ts';
import { pick } from '../record-fields.ts';
import type { BlockedDate, CustomField, RecurringRule, TimeSlot } from './fields.ts';

type CustomFieldScope = (typeof customFieldScopes)[number];

const isCustomFieldScope = (scope: string): scope is CustomFieldScope => (customFieldScopes as readonly string[]).includes(scope);

/** Event categories of an account that has configured none (decisions §5). */
const defaultEventCategories = ['Wedding', 'Birthday', 'Anniversary', 'Baby shower', 'Corporate', 'Holiday', 'Other'];

export const paymentMethodsOf = (settings: Settings): readonly { id: string; name: string }[] =>
  (settings.payment_methods ?? []).filter(({ enabled }) => enabled).map(({ id, name }) => ({ id, name }));

export const eventCategoriesOf = (settings: Settings): readonly { name: string }[] => {
  const configured = settings.event_categories ?? [];
  return configured.length > 0 ? configured.map(({ name }) => ({ name })) : defaultEventCategories.map((name) => ({ name }));
};

/** Returns the active definitions, with the fallbacks of § Reference data, Custom fields. */
export const customFieldsOf = (settings: Settings): readonly Required<CustomField>[] =>
  (settings.custom_fields ?? [])
    .filter(({ active }) => active !== false)
    .map(({ id, key, name, type, required, options, scopes, internal }) => ({
      id,
      key: key || id,
      name: name ?? '',
      type: type ?? 'text',
      required: required === true,
      options: options ?? [],
      scopes: (scopes ?? []).filter(isCustomFieldScope),
      internal: internal === true,
    }));

/**
 * Returns the keys that a record of this scope may have values for. For shoppers, leaves out keys
 * with an internal definition.
 */
export const customFieldKeys = (settings: Settings, scope: CustomFieldScope, merchant = true): ReadonlySet<string> => {
  const fields = customFieldsOf(settings);
  const hidden = new Set(fields.flatMap(({ internal, key }) => (internal && !merchant ? [key] : [])));
  return new Set(fields.flatMap(({ scopes, key }) => (scopes.includes(scope) && !hidden.has(key) ? [key] : [])));
};

/**
 * Returns the values of a product that a shopper may see (decisions §5). Those have an active,
 * public definition on products. Values without a definition are for the merchant only, and so are
 * keys that an internal definition shares.
 */
export const publicFieldValues = (values: Readonly<Record<string, unknown>>, settings: Settings): Readonly<Record<string, unknown>> => {
  const shown = customFieldKeys(settings, 'product', false);
  return Object.fromEntries(Object.entries(values).filter(([key]) => shown.has(key)));
};

const migratedPrefix = { pickup: 'ps_migrated_', delivery: 'ds_migrated_' } as const;

const slotLabel = (label: string | null | undefined, start: string | null, end: string | null): string =>
  label || (start !== null && end !== null ? `${start} - ${end}` : '');

/**
 * Returns the configured slots in their order, pickup first, with the fallbacks of old
 * configurations.
 */
export const timeSlotsOf = (settings: Settings): readonly TimeSlot[] =>
  slotTypes.flatMap((type) =>
    (settings.time_slots?.[type] ?? []).map((slot, index) => {
      const [start, end] = [slot.start ?? null, slot.end ?? null];
      return {
        id: slot.id || `${migratedPrefix[type]}${index}`,
        label: slotLabel(slot.label, start, end),
        type,
        start,
        end,
        multiplier: typeof slot.multiplier === 'number' ? slot.multiplier : 1,
        available_days: slot.available_days ?? [],
      };
    }),
  );

export const blockedDatesOf = (settings: Settings): readonly BlockedDate[] =>
  (settings.blocked_dates ?? []).map(({ id, date, reason, is_holiday, holiday_name }) => ({
    id: id ?? null,
    date,
    reason: reason ?? null,
    is_holiday: is_holiday === true,
    holiday_name: holiday_name ?? null,
  }));

interface StoredRule extends RecurringRule {
  /** The reason of a date that the rule blocks. The API does not show it on the rule itself. */
  readonly reason: string | null;
}

export const recurringRulesOf = (settings: Settings): readonly StoredRule[] =>
  (settings.recurring_rules ?? []).map(({ id, type, days_of_week, enabled, start_date, end_date, reason }) => ({
    id,
    type,
    days_of_week,
    enabled: enabled !== false,
    start_date: start_date ?? null,
    end_date: end_date ?? null,
    reason: reason ?? null,
  }));

export interface DateAvailability {
  readonly date: string;
  readonly bookable: boolean;
  /** The reason as the merchant wrote it; null without one or if the date is bookable. */
  readonly reason: string | null;
  readonly slots: readonly TimeSlot[];
}

/** Returns the weekday of a date. Dates are calendar days in UTC. */
const weekdayOf = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay();

const blocks = (rule: RecurringRule, date: string, weekday: number): boolean =>
  rule.enabled &&
  rule.type === 'weekly' &&
  rule.days_of_week.includes(weekday) &&
  (rule.start_date === null || rule.start_date <= date) &&
  (rule.end_date === null || date <= rule.end_date);

/**
 * Returns the availability of a date (§ Availability): first the blocked single dates apply, then
 * the weekly rules. A blocked date has no slots.
 */
export const availabilityOn = (settings: Settings, date: string): DateAvailability => {
  const weekday = weekdayOf(date);
  const single = blockedDatesOf(settings).find((blocked) => blocked.date === date);
  const blocker = single ?? recurringRulesOf(settings).find((rule) => blocks(rule, date, weekday));
  if (blocker) return { date, bookable: false, reason: blocker.reason, slots: [] };
  const slots = timeSlotsOf(settings).filter(({ available_days }) => available_days.length === 0 || available_days.includes(weekday));
  return { date, bookable: true, reason: null, slots };
};

/** Maximum number of days of GET /availability. */
export const maxDays = 90;

/** Returns the view of a slot on a date. */
export const offeredSlot = (slot: TimeSlot) => pick(slot, ['id', 'label', 'type', 'start', 'end', 'multiplier']);

const dayMs = 86_400_000;

/** Returns the number of days in a range, both ends included. */
export const spanDays = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;

/** Returns every date of a range in order, both ends included. */
export const datesBetween = (from: string, to: string): readonly string[] =>
  Array.from({ length: spanDays(from, to) }, (_, day) => new Date(Date.parse(from) + day * dayMs).toISOString().slice(0, 10));

interface SlotChoice {
  readonly type: (typeof slotTypes)[number];
  /** A slot's id or start; null selects a slot without a start. */
  readonly choice: string | null;
  /** The account's present time of day, if the slots are those of the present day; otherwise null. */
  readonly clockTime: string | null;
}

/** Whether the slot's end, or its start without an end, has passed. `00:00` as an end ends the day. */
const isOver = ({ start, end }: TimeSlot, clockTime: string): boolean =>
  end === null ? start !== null && start <= clockTime : end !== '00:00' && end <= clockTime;

/**
 * Returns the slot that a shopper chose, of the slots of a day (decisions §6, Checkout session);
 * undefined if the day offers none or it is over. An id comes before a start, because it names one slot.
 */
export const chooseSlot = (slots: readonly TimeSlot[], { type, choice, clockTime }: SlotChoice): TimeSlot | undefined => {
  const open = slots.filter((slot) => slot.type === type && (clockTime === null || !isOver(slot, clockTime)));
  return open.find(({ id }) => id === choice) ?? open.find(({ start }) => start === choice);
};
