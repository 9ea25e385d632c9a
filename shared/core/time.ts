/** Wire timestamps are ISO 8601 with milliseconds and `Z`. */
export const isoFromMs = (ms: number): string => new Date(ms).toISOString();
export const isoFromSeconds = (seconds: number): string => new Date(seconds * 1000).toISOString();

const maxSeconds = 253_402_300_799; // 9999-12-31T23:59:59Z: beyond it ISO years have more than four digits
const isoPattern = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+\- ]\d{2}(?::?\d{2})?)?)?$/; // a space is a `+` that a query string lost
const datePattern = /^\d{4}-\d{2}-\d{2}$/;

/** True for `YYYY-MM-DD` that exists in the calendar. */
export const isCalendarDate = (text: string): boolean => datePattern.test(text) && parseIso(text) !== undefined;

export const isDateOnly = (text: string): boolean => datePattern.test(text);

const offsetMinutes = (zone: string | undefined): number | undefined => {
  if (zone === undefined || zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = zone.length > 3 ? Number(zone.slice(-2)) : 0;
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
};

/**
 * Milliseconds of an ISO 8601 calendar timestamp, undefined where it does not parse or does not exist (30 February).
 * Without a time it is midnight UTC; without a zone it is UTC.
 */
export const parseIso = (text: string): number | undefined => {
  const match = isoPattern.exec(text);
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const offset = offsetMinutes(match[8]);
  if (hour > 23 || minute > 59 || second > 59 || offset === undefined) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  date.setUTCHours(hour, minute, second, Number((match[7] ?? '').slice(0, 3).padEnd(3, '0')));
  const ms = date.getTime() - offset * 60_000;
  return ms > maxSeconds * 1000 + 999 ? undefined : ms;
};

/** Whole epoch seconds of an ISO 8601 timestamp, rounded as told, or of a string of epoch seconds; undefined where it is neither. */
export const parseSeconds = (text: string, round: (seconds: number) => number = Math.floor): number | undefined => {
  if (/^\d{1,12}$/.test(text)) return Number(text) <= maxSeconds ? Number(text) : undefined;
  const ms = parseIso(text);
  return ms === undefined ? undefined : round(ms / 1000);
};
