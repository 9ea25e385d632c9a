import { de } from './de.ts';
import { en, type Texts } from './en.ts';
import { fr } from './fr.ts';

const languages: Readonly<Record<string, Texts>> = { en, de, fr };

/** Returns the texts in the language, or in English if the shop does not have it. */
export const textsIn = (lang: string): Texts => (Object.hasOwn(languages, lang) && languages[lang]) || en;

/** Returns the language of the shop that a browser prefers, by its Accept-Language header. */
export const languageOf = (accepted = ''): string => {
  const entries = accepted.slice(0, 500).split(',');
  const preferred = entries
    .map((entry) => /^\s*([a-z]{2})(?:-[^;]*)?(?:;\s*q=([\d.]+))?\s*$/i.exec(entry))
    .map((match) => ({ lang: (match?.[1] ?? '').toLowerCase(), weight: Number(match?.[2] ?? 1) }))
    .sort((a, b) => b.weight - a.weight);
  return preferred.find(({ lang, weight }) => weight > 0 && Object.hasOwn(languages, lang))?.lang ?? 'en';
};
