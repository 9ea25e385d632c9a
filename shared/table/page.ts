import { QueryCommand, type QueryCommandInput, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import { ApiError } from '../core/errors.ts';
import type { Db, Item } from './client.ts';
import { withListed } from './encodings.ts';
import { attribute, type Expression, expr, openScope } from './expressions.ts';
import { type IndexName, indexKeys, schema } from './schema.ts';

type Settings = Pick<QueryCommandInput, 'ConsistentRead' | 'ExclusiveStartKey' | 'Limit' | 'ScanIndexForward' | 'Select'>;

export interface PartitionQuery extends Settings {
  /**
   * The index to read. If absent, the table itself, which is read consistently unless the query
   * says otherwise.
   */
  readonly index?: IndexName | undefined;
  readonly partition: string;
  /** Condition on the sort key. */
  readonly range?: ((sortKey: Expression) => Expression) | undefined;
  readonly filter?: Expression;
  /** Attributes to return; all if absent. */
  readonly only?: Expression;
}

/** Names of the keys of an index, or of the table itself. */
const keysOf = (index: IndexName | undefined) => (index ? indexKeys(index) : { pk: schema.partitionKey, sk: schema.sortKey });

/** Reads a page of a partition: up to 1 MB, in the order of the sort keys. */
export const queryPage = (
  { client, table }: Db,
  { index, partition, range, filter, only, ...settings }: PartitionQuery,
): Promise<QueryCommandOutput> => {
  const keys = keysOf(index);
  const { write, placeholders } = openScope([[partition, ':pk']]);
  const isHome = expr`${attribute(keys.pk)} = ${partition}`;
  const input: QueryCommandInput = {
    TableName: table,
    IndexName: index,
    ConsistentRead: !index,
    KeyConditionExpression: write(range ? expr`${isHome} AND ${range(attribute(keys.sk))}` : isHome),
    FilterExpression: filter && write(filter),
    ProjectionExpression: only && write(only),
    ...settings,
  };
  return client.send(new QueryCommand({ ...input, ...placeholders() }));
};

/** Reads the pages of a partition one by one, each when the caller asks for it. */
export const queryPages = async function* (db: Db, query: PartitionQuery): AsyncGenerator<QueryCommandOutput> {
  let { ExclusiveStartKey } = query;
  do {
    const page = await queryPage(db, { ...query, ExclusiveStartKey });
    yield page;
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
};

/**
 * Returns all items of a partition of the table, or of a range of its sort keys, in their order.
 * Reads consistently.
 */
export const queryAll = async (db: Db, partition: string, range?: PartitionQuery['range']): Promise<readonly Item[]> => {
  const items: Item[] = [];
  for await (const { Items = [] } of queryPages(db, { partition, range })) items.push(...Items);
  return items;
};

/** Place of a record in a list: its sort position (empty if the list sorts by id) and its id. */
export interface ListPosition {
  readonly position: string;
  readonly id: string;
}

/** Start and length of a page. */
export interface PageRequest {
  readonly limit: number;
  /** The last record of the previous page. */
  readonly after?: ListPosition;
}

export interface Page<Record> {
  readonly records: readonly Record[];
  /** Undefined on the last page. */
  readonly next?: ListPosition;
}

/** Separates position and id. Neither contains it, and it sorts below all of their characters. */
export const separator = '#';

interface MergedQuery<Listed> {
  /** The index to read. If absent, the table itself; its sort key is the record's id. */
  readonly index?: IndexName;
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
  readonly from?: string;
  readonly to?: string;
  /** Whether a record is no longer a valid cursor. */
  readonly isGone?: (item: Item) => boolean;
  /**
   * Filters records after the read. Such a page may be short or empty although more pages follow.
   */
  readonly keep?: (item: Item) => boolean;
  readonly decode: (item: Item) => Listed;
}

/** The part of a query that does not depend on what the list shows. */
type Read = Omit<MergedQuery<unknown>, 'decode'>;

const homeOf = ({ home, partitions: [first = ''] }: Read): string => home ?? first;

/** The characters that positions and ids have. */
const positionPattern = /^[\w:.-]{0,255}$/;
const below = ' ';
const above = '~';

export const invalidCursor = (): ApiError => new ApiError('invalid_cursor', 'Invalid cursor', { field: 'cursor' });

/**
 * Returns the sort key after which the page starts. Throws `invalid_cursor` for a forged cursor
 * with a key that the table would reject.
 */
const startOf = (query: Read, { position, id }: ListPosition, least: string, greatest: string): string => {
  const start = query.index ? `${position}${separator}${id}` : id;
  if (!positionPattern.test(position) || !positionPattern.test(id) || id === '' || start < least || start > greatest) throw invalidCursor();
  return start;
};

const assertCursorRecord = async (db: Db, query: Read, id: string): Promise<void> => {
  const item = await db.get({ pk: homeOf(query), sk: id });
  if (!item || query.isGone?.(item)) throw invalidCursor();
};

const runQuery = async (
  db: Db,
  query: Read,
  partition: string,
  range: { readonly least: string; readonly greatest: string },
  page: { readonly limit: number; readonly start: { readonly id: string; readonly sortKey: string } | undefined },
): Promise<{ items: Item[]; more: boolean }> => {
  const keys = keysOf(query.index);
  const { Items = [], LastEvaluatedKey } = await queryPage(db, {
    index: query.index,
    partition,
    range: (sk) => expr`${sk} BETWEEN ${range.least} AND ${range.greatest}`,
    ...(query.mayLag && { ConsistentRead: false }),
    ScanIndexForward: false,
    // One record more than requested shows whether another page follows.
    Limit: page.limit + 1,
    ...(page.start && {
      ExclusiveStartKey: { pk: homeOf(query), sk: page.start.id, [keys.pk]: partition, [keys.sk]: page.start.sortKey },
    }),
  });
  return { items: Items.map(withListed), more: LastEvaluatedKey !== undefined };
};

const maxResponseBytes = 1_000_000;
/** Bytes of a response in addition to the stored views: envelope, cursor, commas and timestamps. */
const envelopeBytes = 1_000;
const recordOverheadBytes = 32;

/**
 * Returns an upper bound of a value's bytes as JSON. It counts six bytes per character (`\u0000`),
 * which takes a sixth of the time of writing the JSON.
 */
const mostBytes = (value: unknown): number => {
  if (typeof value === 'string') return 6 * value.length + 2;
  if (typeof value !== 'object' || value === null) return 25; // the longest number
  let bytes = 2;
  if (Array.isArray(value)) for (const entry of value) bytes += 1 + mostBytes(entry);
  // `Object.entries` would take longer than writing the JSON.
  else for (const name in value) bytes += 6 * name.length + 4 + mostBytes((value as Item)[name]);
  return bytes;
};

/**
 * Returns the records that fit into the limit and into 1 MB of response (decisions §3). Returns at
 * least one record, so that paging always advances. It writes their JSON to measure it only if they
 * could exceed 1 MB.
 */
const takeFitting = (items: readonly Item[], limit: number): readonly Item[] => {
  const page = items.slice(0, limit);
  const views = page.map((item) => item[schema.viewAttribute] ?? item);
  const firstBeyond = (measure: (view: unknown) => number) => {
    let bytes = envelopeBytes;
    return views.findIndex((view, i) => {
      bytes += measure(view) + recordOverheadBytes;
      return i > 0 && bytes > maxResponseBytes;
    });
  };
  if (firstBeyond(mostBytes) === -1) return page;
  const tooMuch = firstBeyond((view) => Buffer.byteLength(JSON.stringify(view)));
  return tooMuch === -1 ? page : page.slice(0, tooMuch);
};

const sortKeyOf = ({ index }: Read, item: Item): string => String(item[keysOf(index).sk]);

const listPositionOf = (query: Read, item: Item): ListPosition => {
  const id = String(item[schema.sortKey]);
  return { position: query.index ? sortKeyOf(query, item).slice(0, -id.length - 1) : '', id };
};

/** Maximum number of records that a request reads if some are filtered out afterwards. */
export const maxScanned = 200;

/**
 * Reads one page, newest position first, ties by id: reads all partitions and the cursor's record in
 * one round trip, puts the records in order, leaves out what the list does not show, and takes what
 * fits into the page. Throws `invalid_cursor` if the cursor's record no longer exists.
 */
export const queryMerged = async <Listed>(db: Db, query: MergedQuery<Listed>, { limit, after }: PageRequest): Promise<Page<Listed>> => {
  const range = rangeOf(query);
  const start = after && { id: after.id, sortKey: startOf(query, after, range.least, range.greatest) };
  if (range.least > range.greatest) return { records: [] }; // BETWEEN rejects bounds in the wrong order.
  const readLimit = query.keep ? maxScanned : limit;
  const [results] = await Promise.all([
    Promise.all(query.partitions.map((partition) => runQuery(db, query, partition, range, { limit: readLimit, start }))),
    after && assertCursorRecord(db, query, after.id),
  ]);
  const { known, isAll } = inOrder(query, results);
  const scanned = known.slice(0, readLimit);
  const shown = query.keep ? scanned.filter(query.keep) : scanned;
  const fitting = takeFitting(shown, limit);
  const cutShort = fitting.length < shown.length;
  const last = cutShort ? fitting.at(-1) : scanned.at(-1);
  const more = cutShort || !isAll || scanned.length < known.length;
  return { records: fitting.map(query.decode), ...(last && more ? { next: listPositionOf(query, last) } : {}) };
};

const rangeOf = ({ from = below, to }: Read) => ({
  least: from,
  greatest: to === undefined ? above : `${to}${separator}${above}`, // every id at that position
});

/**
 * Returns the records of all partitions in the order of the list, up to the place after which a
 * partition may have records that were not read. `isAll`: there are no others.
 */
const inOrder = (query: Read, results: readonly { readonly items: readonly Item[]; readonly more: boolean }[]) => {
  const ends = results.flatMap(({ items, more }) => (more ? items.slice(-1) : []));
  const cut = ends.map((item) => sortKeyOf(query, item)).reduce((latest, key) => (key > latest ? key : latest), '');
  const found = results.flatMap(({ items }) => items).sort((a, b) => (sortKeyOf(query, a) < sortKeyOf(query, b) ? 1 : -1));
  const known = found.filter((item) => sortKeyOf(query, item) >= cut);
  return { known, isAll: known.length === found.length && results.every(({ more }) => !more) };
};
