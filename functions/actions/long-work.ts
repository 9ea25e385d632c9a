/** An action is cut off after 60 s; what takes longer stops here, says so, and goes on when it is called again. */
export const budgetMs = 40_000;

const atOnce = 20;

/** Runs the work over all items, at most 20 at a time; the results in their order. */
export const inParallel = async <Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> => {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += atOnce)
    results.push(...(await Promise.all(items.slice(start, start + atOnce).map(work))));
  return results;
};
