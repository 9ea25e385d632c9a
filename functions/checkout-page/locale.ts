import type { Region } from '../../shared/core/config.ts';
import { decimalsOf } from '../../shared/core/money.ts';

/** English with the dates and times of each region. */
const tags: Readonly<Record<Region, string>> = { us: 'en-US', au: 'en-AU', eu: 'en-GB' };

/**
 * Formats an amount with the decimals that are charged, because the usual format omits decimals for
 * some currencies.
 */
export const money = (amount: number, currency: string): string => {
  const decimals = decimalsOf(currency);
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol', ...digits }).format(amount);
};

/** Formats a day (YYYY-MM-DD), for example `Thursday, March 14, 2030`. */
export const dateText = (region: Region, date: string): string =>
  new Intl.DateTimeFormat(tags[region], { dateStyle: 'full', timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`));

/** Formats a time (HH:MM), or a span of time, for example `11:00 AM – 2:00 PM`. */
export const timeText = (region: Region, start: string, end?: string): string => {
  const format = new Intl.DateTimeFormat(tags[region], { timeStyle: 'short', timeZone: 'UTC' });
  const at = (time: string) => new Date(`2000-01-01T${time}:00Z`);
  return end === undefined ? format.format(at(start)) : format.formatRange(at(start), at(end));
};
