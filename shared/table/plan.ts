import type { Db, Item } from './client.ts';
import { withListed } from './encodings.ts';
import { expr } from './expressions.ts';
import { takeFitting } from './fitting.ts';
import { mergePages } from './merge.ts';
import { invalidCursor, keyNamesOf, type ListPosition, type Page, type PageRequest, queryPage, separator } from './page.ts';
import { type IndexName, schema } from './schema.ts';

/** How a list is read: from one or more partitions, which are merged, between two bounds. */
export interface Plan<Listed> {
  /** The index to read. If absent, the table itself; its sort key is the record's id. */
  readonly index?: IndexName | undefined;
  /**
   * Set if a page read from the table may be slightly old, like a page of an index. Such a read
   * costs half.
   */
  readonly mayLag?: true | undefined;
  /** The partitions that hold the list. */
  readonly partitions: readonly string[];
  /** Partition of the records in the table itself, if it is not the list's only partition. */
  readonly home?: string;
  /** Bounds of the position, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Whether a record is no longer a valid cursor. */
  readonly isGone?: (item: Item) => boolean;
  /**
   * Filters records after the read. Such a page may be short or empty although more pages follow.
   */
  readonly keep?: ((item: Item) => boolean) | undefined;
  readonly decode: (item: Item) => Listed;
}

/** Maximum number of records that a request reads if some are filtered out afterwards. */
export const maxScanned = 200;

/**
 * Reads one page, newest position first, ties by id:
 *
 * 1. Reads all partitions and the cursor's record in one round trip.
 * 2. Merges the partitions as far as all of them were read.
 * 3. Leaves out what `keep` does not accept.
 * 4. Takes what fits into the page. `next` is the last record that was taken or left out.
 *
 * Throws `invalid_cursor` if the cursor's record no longer exists.
 */
export const readListPage = async <Listed>(db: Db, plan: Plan<Listed>, { limit, after }: PageRequest): Promise<Page<Listed>> => {
  const range = rangeOf(plan);
  const start = after && startOf(plan, after, range);
  if (range.min > range.max) return { records: [] }; // BETWEEN rejects bounds in the wrong order.
  const readLimit = plan.keep ? maxScanned : limit;
  const [pages] = await Promise.all([
    Promise.all(plan.partitions.map((partition) => readPartition(db, plan, partition, { range, start, limit: readLimit }))),
    after && assertCursorRecord(db, plan, after.id),
  ]);
  const { known, isAll } = mergePages(pages, (item) => sortKeyOf(plan, item));
  const scanned = known.slice(0, readLimit);
  const shown = plan.keep ? scanned.filter(plan.keep) : scanned;
  const fitting = takeFitting(shown, limit);
  const cutShort = fitting.length < shown.length;
  const last = cutShort ? fitting.at(-1) : scanned.at(-1);
  const more = cutShort || !isAll || scanned.length < known.length;
  return { records: fitting.map(plan.decode), ...(last && more ? { next: positionOf(plan, last) } : {}) };
};

/** The part of a plan that does not depend on what the list shows. */
type ReadPlan = Omit<Plan<unknown>, 'decode'>;

/** Lowest and highest sort key of a list, both included. */
interface Range {
  readonly min: string;
  readonly max: string;
}

/** The characters that positions and ids have. */
const positionPattern = /^[\w:.-]{0,255}$/;
const lowestKey = ' ';
const highestKey = '~';

const rangeOf = ({ from = lowestKey, to }: ReadPlan): Range => ({
  min: from,
  max: to === undefined ? highestKey : `${to}${separator}${highestKey}`, // every id at that position
});

const homeOf = ({ home, partitions: [first = ''] }: ReadPlan): string => home ?? first;
const sortKeyOf = ({ index }: ReadPlan, item: Item): string => String(item[keyNamesOf(index).sk]);

const positionOf = (plan: ReadPlan, item: Item): ListPosition => {
  const id = String(item[schema.sortKey]);
  return { position: plan.index ? sortKeyOf(plan, item).slice(0, -id.length - 1) : '', id };
};

/**
 * Returns id and sort key after which the page starts. Throws `invalid_cursor` for a forged cursor
 * with a key that the table would reject.
 */
const startOf = (plan: ReadPlan, { position, id }: ListPosition, { min, max }: Range) => {
  const sortKey = plan.index ? `${position}${separator}${id}` : id;
  const isWritten = positionPattern.test(position) && positionPattern.test(id) && id !== '';
  if (!isWritten || sortKey < min || sortKey > max) throw invalidCursor();
  return { id, sortKey };
};

const assertCursorRecord = async (db: Db, plan: ReadPlan, id: string): Promise<void> => {
  const item = await db.get({ pk: homeOf(plan), sk: id });
  if (!item || plan.isGone?.(item)) throw invalidCursor();
};

const readPartition = async (
  db: Db,
  plan: ReadPlan,
  partition: string,
  { range, start, limit }: { readonly range: Range; readonly start: ReturnType<typeof startOf> | undefined; readonly limit: number },
) => {
  const keys = keyNamesOf(plan.index);
  const { Items = [], LastEvaluatedKey } = await queryPage(db, {
    index: plan.index,
    partition,
    range: (sk) => expr`${sk} BETWEEN ${range.min} AND ${range.max}`,
    ...(plan.mayLag && { ConsistentRead: false }),
    ScanIndexForward: false,
    // One record more than requested shows whether another page follows.
    Limit: limit + 1,
    ...(start && { ExclusiveStartKey: { pk: homeOf(plan), sk: start.id, [keys.pk]: partition, [keys.sk]: start.sortKey } }),
  });
  return { items: Items.map(withListed), more: LastEvaluatedKey !== undefined };
};
