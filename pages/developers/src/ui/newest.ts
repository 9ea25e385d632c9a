/**
 * Returns the loaded rows that follow the newest ones, which are only the beginning of the list. A row
 * that no longer matches is not returned. Undefined if rows between the two may be missing: then the
 * list must be read from its beginning.
 */
export const olderRows = <Row>(
  newest: readonly Row[],
  loaded: readonly Row[],
  { keyOf, timeOf }: { readonly keyOf: (row: Row) => string; readonly timeOf: (row: Row) => string },
): readonly Row[] | undefined => {
  const keys = new Set(newest.map(keyOf));
  if (!loaded.some((row) => keys.has(keyOf(row)))) return undefined;
  const end = timeOf(newest.at(-1) as Row);
  return loaded.filter((row) => timeOf(row) <= end && !keys.has(keyOf(row)));
};
