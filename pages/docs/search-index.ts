import MiniSearch, { type Options } from 'minisearch';

/** A search result: a section of a guide, an operation or an event. */
export interface Entry {
  /** Its address below the site's folder. */
  readonly id: string;
  readonly title: string;
  /** The page that it is on. */
  readonly page: string;
  /** Plain text on one line. Results show the part with the match. */
  readonly text: string;
}

const options: Options<Entry> = {
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page', 'text'],
  // Makes the words of `order.created` and `createOrder` searchable too.
  tokenize: (text) => [...text.split(/[^\p{L}\p{N}_.-]+/u), ...text.split(/[^\p{L}\p{N}]+|(?<=[a-z])(?=[A-Z])/u)].filter(Boolean),
  searchOptions: { boost: { title: 4, page: 2 }, prefix: true, fuzzy: 0.2, combineWith: 'AND' },
};

export const indexOf = (entries: readonly Entry[]): string => {
  const index = new MiniSearch(options);
  index.addAll(entries);
  return JSON.stringify(index);
};

export const readIndex = (text: string): MiniSearch<Entry> => MiniSearch.loadJSON(text, options);

/** A part of a text. Results highlight the matches. */
export interface Part {
  readonly text: string;
  readonly isMatch: boolean;
}

/** Splits a text at the words that a search matched, in any case. */
export const partsOf = (text: string, words: readonly string[]): readonly Part[] => {
  if (words.length === 0) return [{ text, isMatch: false }];
  const any = words
    .map((word) => word.replace(/\.+$/, ''))
    .toSorted((a, b) => b.length - a.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(${any.join('|')})(?![\\p{L}\\p{N}])`, 'iu');
  // `split` puts what the group matched at the odd places.
  return text.split(pattern).map((part, at) => ({ text: part, isMatch: at % 2 === 1 }));
};

const maxCharacters = { before: 40, all: 150 } as const;

/** Cuts about 150 characters with the first match out of a text, at the ends of words. */
export const snippetOf = (text: string, words: readonly string[]): readonly Part[] => {
  const [{ text: before = '' } = {}, ...matches] = partsOf(text, words);
  const at = matches.length > 0 ? before.length : 0;
  const start = at > maxCharacters.before ? text.indexOf(' ', at - maxCharacters.before) + 1 : 0;
  const rest = text.slice(start);
  const cut = rest.length > maxCharacters.all ? `${rest.slice(0, maxCharacters.all).replace(/\s\S*$/, '')} …` : rest;
  return partsOf(start > 0 ? `… ${cut}` : cut, words);
};
