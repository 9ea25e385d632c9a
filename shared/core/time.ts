/** Wire timestamps are ISO 8601 with milliseconds and `Z`. */
/** Maximum difference between the clocks of two functions. */
export const clockToleranceMs = 1_000;

export const isoFromMs = (ms: number): string => new Date(ms).toISOString();
export const isoFromSeconds = (seconds: number): string => new Date(seconds * 1000).toISOString();

const maxSeconds = 253_402_300_799; // 9999-12-31T23:59:59Z: beyond it ISO years have more than four digits
const isoPattern = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?([Zz]|[+-]\d{2}(?::?\d{2})?)?)?$/;
const datePattern = /^\d{4}-\d{2}-\d{2}$/;
/** A day in the basic format of ISO 8601, for example `20260305`. */
const eightDigits = /^(\d{4})(\d{2})(\d{2})$/;
const withHyphens = (text: string): string => text.replace(eightDigits, '$1-$2-$3');

/**
 * Direction in which a time is rounded to its unit: up for the start of a range, otherwise down
 * (decisions §3).
 */
export type Rounding = 'up' | 'down';

/** Whether the text is a date `YYYY-MM-DD` that exists in the calendar. */
export const isCalendarDate = (text: string): boolean => datePattern.test(text) && parseIso(text) !== undefined;

/**
 * Returns the last moment of the UTC day if the text is a date. Returns other text unchanged
 * (decisions §3).
 */
export const endOfDay = (text: string): string => {
  const day = withHyphens(text);
  return isCalendarDate(day) ? `${day}T23:59:59.999Z` : text;
};

const offsetMinutes = (zone: string | undefined): number | undefined => {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = zone.length > 3 ? Number(zone.slice(-2)) : 0;
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
};

/**
 * Returns the epoch milliseconds of an ISO 8601 timestamp. Returns undefined if it does not parse
 * or does not exist (30 February). A date without a time means midnight UTC; a time without a zone
 * means UTC.
 */
export const parseIso = (text: string, rounding: Rounding = 'down'): number | undefined => {
  const match = isoPattern.exec(withHyphens(text));
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map((part) => Number(part ?? 0));
  const offset = offsetMinutes(match[8]);
  if (hour > 23 || minute > 59 || second > 59 || offset === undefined) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  const fraction = (match[7] ?? '').padEnd(3, '0');
  const roundedUp = rounding === 'up' && /[1-9]/.test(fraction.slice(3)) ? 1 : 0;
  date.setUTCHours(hour, minute, second, Number(fraction.slice(0, 3)) + roundedUp);
  const ms = date.getTime() - offset * 60_000;
  return ms > maxSeconds * 1000 + 999 ? undefined : ms;
};

/**
 * Returns the change. If its `updated_at` is earlier than the stored one, the result has the stored
 * one instead. The clocks of two functions differ, so a later write may have an earlier time
 * (decisions §6, General).
 */
export const withLaterTime = <Changed extends { readonly updated_at: string }>(
  { updated_at }: { readonly updated_at: string },
  changed: Changed,
): Changed => (changed.updated_at < updated_at ? { ...changed, updated_at } : changed);

/**
 * Returns the epoch milliseconds of an ISO time, or of epoch seconds as a string. Eight digits that
 * form a calendar day mean that day (decisions §3).
 */
export const parseMoment = (text: string, rounding: Rounding = 'down'): number | undefined => {
  const ms = parseIso(text, rounding);
  if (ms !== undefined || !/^\d+$/.test(text)) return ms;
  return Number(text) <= maxSeconds ? Number(text) * 1000 : undefined;
};

/** Returns whole epoch seconds of a text that `parseMoment` accepts. */
export const parseSeconds = (text: string, rounding: Rounding = 'down'): number | undefined => {
  const ms = parseMoment(text, rounding);
  return ms === undefined ? undefined : Math[rounding === 'up' ? 'ceil' : 'floor'](ms / 1000);
};

/** The time zone in which a day ends last (UTC−12). */
const lastZone = 'Etc/GMT+12';

/**
 * Returns the present day in the time zone. Without one, returns the earliest day that it still is
 * somewhere.
 */
export const today = (nowMs: number, timeZone: string | null): string => dayOf(new Date(nowMs).toISOString(), timeZone ?? lastZone);

/**
 * Returns the day (`YYYY-MM-DD`) of a text that `parseMoment` accepts. A date is that day; a time
 * is converted to its day in the time zone.
 */
export const dayOf = (text: string, timeZone: string): string => {
  const day = withHyphens(text);
  if (isCalendarDate(day)) return day;
  const parts = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).formatToParts(
    parseMoment(text),
  );
  const part = (name: string, length: number) => parts.find(({ type }) => type === name)?.value.padStart(length, '0');
  return [part('year', 4), part('month', 2), part('day', 2)].join('-');
};

/** Returns the time of day (`HH:MM`) in the time zone. Without one, the earliest that it still is somewhere. */
export const clockTimeAt = (nowMs: number, timeZone: string | null): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone: timeZone ?? lastZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(nowMs);
