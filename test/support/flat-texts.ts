/** Returns every text of a table; those with parts are filled in. */
export const flatTexts = (texts: unknown): readonly string[] =>
  typeof texts === 'object' && texts !== null
    ? Object.values(texts).flatMap(flatTexts)
    : [typeof texts === 'function' ? String(texts('7')) : String(texts)];
