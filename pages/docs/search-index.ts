import MiniSearch, { type Options } from 'minisearch';

/** A search result: a section of a guide, an operation or an event. */
export interface Entry {
  /** Its address below the site's folder. */
  readonly id: string;
  readonly title: string;
  /** The page that it is on. */
  readonly page: string;
  readonly text: string;
}

const options: Options<Entry> = {
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page'],
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
