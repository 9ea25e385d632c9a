import type { Region } from '../../shared/core/config.ts';
import { decimalsOf } from '../../shared/core/money.ts';
import { en, type Texts } from './texts/en.ts';

/** How the page speaks to the shopper. */
export interface Locale {
  readonly lang: Language;
  /** Language tag of dates, times and amounts. */
  readonly tag: string;
  readonly texts: Texts;
}

/** Loads each translation only for a shopper who reads it, so that it delays no other page. */
const languages = {
  en: async (): Promise<Texts> => en,
  de: async (): Promise<Texts> => (await import('./texts/de.ts')).de,
  fr: async (): Promise<Texts> => (await import('./texts/fr.ts')).fr,
};
type Language = keyof typeof languages;

const isLanguage = (text: string): text is Language => Object.hasOwn(languages, text);

/** English dates and times follow the account's region; others follow the browser's language tag. */
const englishTags: Readonly<Record<Region, string>> = { us: 'en-US', au: 'en-AU', eu: 'en-GB' };

/** Returns the languages with regions of an Accept-Language header that the shopper reads, the preferred first. */
const acceptedTags = (header: string): readonly string[] =>
  header
    .slice(0, 500)
    .split(',')
    .map((entry) => /^\s*([a-z]{2})(?:-[a-z]{4})?(-[a-z]{2})?(?:-[a-z\d]+)*\s*(?:;\s*q=([\d.]{1,5}))?\s*$/i.exec(entry))
    .flatMap((match) => (match ? [{ tag: `${match[1]}${match[2] ?? ''}`, weight: Number(match[3] ?? 1) }] : []))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);

/** Returns the language of the shopper's browser, or English if the page does not have it. */
export const readLocale = async (headers: Readonly<Record<string, string | undefined>>, region: Region): Promise<Locale> => {
  const languageOf = (tag: string) => tag.slice(0, 2).toLowerCase();
  const accepted = acceptedTags(headers['accept-language'] ?? '').find((tag) => isLanguage(languageOf(tag)));
  const language = languageOf(accepted ?? 'en');
  const lang = isLanguage(language) ? language : 'en';
  return { lang, tag: lang === 'en' ? englishTags[region] : (accepted ?? lang), texts: await languages[lang]() };
};

/**
 * Formats an amount with the decimals that are charged, because the usual format omits decimals for
 * some currencies.
 */
export const money = ({ tag }: Locale, amount: number, currency: string): string => {
  const decimals = decimalsOf(currency);
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return new Intl.NumberFormat(tag, { style: 'currency', currency, currencyDisplay: 'narrowSymbol', ...digits }).format(amount);
};

const dateFormats = {
  full: { dateStyle: 'full' },
  short: { weekday: 'short', month: 'short', day: 'numeric' },
} as const;

/** Formats a day (YYYY-MM-DD), for example `Thursday, March 14, 2030`. */
export const dateText = ({ tag }: Locale, date: string, format: keyof typeof dateFormats = 'full'): string =>
  new Intl.DateTimeFormat(tag, { ...dateFormats[format], timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`));

/** Formats the day of a moment in a time zone. */
export const dayText = ({ tag }: Locale, moment: string, timeZone: string | null): string =>
  new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: timeZone ?? 'UTC' }).format(new Date(moment));

/** Formats a time (HH:MM), or a span of time, for example `11:00 AM – 2:00 PM`. */
export const timeText = ({ tag }: Locale, start: string, end?: string): string => {
  const format = new Intl.DateTimeFormat(tag, { timeStyle: 'short', timeZone: 'UTC' });
  const at = (time: string) => new Date(`2000-01-01T${time}:00Z`);
  return end === undefined ? format.format(at(start)) : format.formatRange(at(start), at(end));
};
