import type { Settings } from '../account/settings.ts';

/** Scopes of custom fields that the API knows; all others are internal to the dashboard. */
export const customFieldScopes = ['order', 'product', 'customer'] as const;
type CustomFieldScope = (typeof customFieldScopes)[number];

const isExternal = (scope: string): scope is CustomFieldScope => (customFieldScopes as readonly string[]).includes(scope);

/** Categories of a new account (decisions §5). */
const defaultEventCategories = ['Wedding', 'Birthday', 'Anniversary', 'Baby shower', 'Corporate', 'Holiday', 'Other'];

export const paymentMethodsOf = (settings: Settings): readonly { id: string; name: string }[] =>
  (settings.payment_methods ?? []).filter(({ enabled }) => enabled).map(({ id, name }) => ({ id, name }));

export const eventCategoriesOf = (settings: Settings): readonly { name: string }[] => {
  const configured = settings.event_categories ?? [];
  return configured.length > 0 ? configured.map(({ name }) => ({ name })) : defaultEventCategories.map((name) => ({ name }));
};

export interface CustomField {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly options: readonly string[];
  readonly scopes: readonly CustomFieldScope[];
  readonly internal: boolean;
}

/** Active definitions with the fallbacks of § Reference data, Custom fields. */
export const customFieldsOf = (settings: Settings): readonly CustomField[] =>
  (settings.custom_fields ?? [])
    .filter(({ active }) => active !== false)
    .map(({ id, key, name, type, required, options, scopes, internal }) => ({
      id,
      key: key || id,
      name: name ?? '',
      type: type ?? 'text',
      required: required === true,
      options: options ?? [],
      scopes: (scopes ?? []).filter(isExternal),
      internal: internal === true,
    }));

/**
 * Keys that a record of this scope may carry values for; shoppers know nothing of internal ones,
 * nor of a key that one of those has too.
 */
export const customFieldKeys = (settings: Settings, scope: CustomFieldScope, merchant = true): ReadonlySet<string> => {
  const fields = customFieldsOf(settings);
  const hidden = new Set(fields.flatMap(({ internal, key }) => (internal && !merchant ? [key] : [])));
  return new Set(fields.flatMap(({ scopes, key }) => (scopes.includes(scope) && !hidden.has(key) ? [key] : [])));
};

/**
 * The values of a product that a shopper may see: those that an active definition on products, not
 * internal, stands for (decisions §5). What no definition stands for is the merchant's, and so is a
 * key that a second, internal definition shares.
 */
export const publicFieldValues = (values: Readonly<Record<string, unknown>>, settings: Settings): Readonly<Record<string, unknown>> => {
  const shown = customFieldKeys(settings, 'product', false);
  return Object.fromEntries(Object.entries(values).filter(([key]) => shown.has(key)));
};

/** § Reference items, Time slot. */
export interface TimeSlot {
  readonly id: string;
  readonly label: string;
  readonly type: 'pickup' | 'delivery';
  readonly start: string | null;
  readonly end: string | null;
  readonly multiplier: number;
  /** 0 = Sunday to 6 = Saturday; empty means every day. */
  readonly available_days: readonly number[];
}

export const slotTypes = ['pickup', 'delivery'] as const;
const migratedPrefix = { pickup: 'ps_migrated_', delivery: 'ds_migrated_' } as const;

const slotLabel = (label: string | null | undefined, start: string | null, end: string | null): string =>
  label || (start !== null && end !== null ? `${start} - ${end}` : '');

/**
 * The configured slots, pickup first, in configured order, with the fallbacks of old
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

export interface BlockedDate {
  readonly id: string | null;
  readonly date: string;
  readonly reason: string | null;
  readonly is_holiday: boolean;
  readonly holiday_name: string | null;
}

export const blockedDatesOf = (settings: Settings): readonly BlockedDate[] =>
  (settings.blocked_dates ?? []).map(({ id, date, reason, is_holiday, holiday_name }) => ({
    id: id ?? null,
    date,
    reason: reason ?? null,
    is_holiday: is_holiday === true,
    holiday_name: holiday_name ?? null,
  }));

export interface RecurringRule {
  readonly id: string;
  readonly type: string;
  readonly days_of_week: readonly number[];
  readonly enabled: boolean;
  readonly start_date: string | null;
  readonly end_date: string | null;
  /** Never exposed by the rules themselves; the reason of a date they block. */
  readonly reason: string | null;
}

export const recurringRulesOf = (settings: Settings): readonly RecurringRule[] =>
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
  /** As authored; null without a reason or if the date is bookable. */
  readonly reason: string | null;
  readonly slots: readonly TimeSlot[];
}

/** Dates are UTC-anchored calendar strings. */
const weekdayOf = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay();

const blocks = (rule: RecurringRule, date: string, weekday: number): boolean =>
  rule.enabled &&
  rule.type === 'weekly' &&
  rule.days_of_week.includes(weekday) &&
  (rule.start_date === null || rule.start_date <= date) &&
  (rule.end_date === null || date <= rule.end_date);

/**
 * § Availability: a blocked single date first, then the weekly rules; slots only where neither
 * blocks.
 */
export const availabilityOn = (settings: Settings, date: string): DateAvailability => {
  const weekday = weekdayOf(date);
  const single = blockedDatesOf(settings).find((blocked) => blocked.date === date);
  const blocker = single ?? recurringRulesOf(settings).find((rule) => blocks(rule, date, weekday));
  if (blocker) return { date, bookable: false, reason: blocker.reason, slots: [] };
  const slots = timeSlotsOf(settings).filter(({ available_days }) => available_days.length === 0 || available_days.includes(weekday));
  return { date, bookable: true, reason: null, slots };
};

const dayMs = 86_400_000;

/** Days of a range, both ends included. */
export const spanDays = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;

/** Every date from the first to the last, both included, ascending. */
export const datesBetween = (from: string, to: string): readonly string[] =>
  Array.from({ length: spanDays(from, to) }, (_, day) => new Date(Date.parse(from) + day * dayMs).toISOString().slice(0, 10));
