import type { Item } from './client.ts';

/** Items of one partition, latest first. */
interface PartitionPage {
  readonly items: readonly Item[];
  /** Whether the partition has items that were not read. */
  readonly more: boolean;
}

/**
 * Merges pages of several partitions into one list, latest first. After the last item of a page with
 * `more`, items of that partition may be missing. So `known` ends at the latest of these last items.
 * `isAll`: no partition has others.
 */
export const mergePages = (pages: readonly PartitionPage[], sortKeyOf: (item: Item) => string) => {
  const lastRead = pages.flatMap(({ items, more }) => (more ? items.slice(-1) : [])).map(sortKeyOf);
  const end = lastRead.sort().at(-1) ?? '';
  const items = pages.flatMap((page) => page.items).sort((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? 1 : -1));
  const known = items.filter((item) => sortKeyOf(item) >= end);
  return { known, isAll: known.length === items.length && pages.every(({ more }) => !more) };
};
