import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { ApiError } from '../core/errors.ts';
import type { Db } from './client.ts';
import { type IndexName, indexKeys, schema } from './schema.ts';
import type { Item } from './write.ts';

/** Where a page starts, and how long it may be. */
export interface PageRequest {
  readonly limit: number;
  /** The last record of the page before: its sort position and id. */
  readonly after?: { readonly position: string; readonly id: string };
}

export interface Page<Record> {
  readonly records: readonly Record[];
  /** Undefined at the end. */
  readonly next?: { readonly position: string; readonly id: string };
}

/** Positions and ids never hold it, and it sorts below every character of either. */
export const separator = '#';

export interface PageQuery {
  /** The base table where absent; there the sort key is the record's id. */
  readonly index?: IndexName;
  readonly partition: string;
  /** Partition of the records on the base table, where the cursor's record is looked up. */
  readonly home: string;
  /** Inclusive bounds on the position. */
  readonly from?: string;
  readonly to?: string;
  readonly isGone: (item: Item, nowSeconds: number) => boolean;
}

const maxPageBytes = 1_000_000;
/** Around every character of positions and ids, which are ASCII. */
const below = ' ';
const above = '~';

const invalidCursor = (): ApiError => new ApiError('invalid_cursor', 'Invalid cursor', { field: 'cursor' });

const assertCursorRecord = async (db: Db, query: PageQuery, id: string): Promise<void> => {
  const { Item } = await db.client.send(new GetCommand({ TableName: db.table, Key: { pk: query.home, sk: id }, ConsistentRead: true }));
  if (!Item || query.isGone(Item, Math.floor(db.clock.now() / 1000))) throw invalidCursor();
};

const runQuery = async (db: Db, query: PageQuery, page: PageRequest): Promise<{ items: Item[]; more: boolean }> => {
  const keys = query.index ? indexKeys(query.index) : { pk: schema.partitionKey, sk: schema.sortKey };
  const ranged = query.from !== undefined || query.to !== undefined;
  const after = page.after && (query.index ? `${page.after.position}${separator}${page.after.id}` : page.after.id);
  const { Items = [], LastEvaluatedKey } = await db.client.send(
    new QueryCommand({
      TableName: db.table,
      ...(query.index ? { IndexName: query.index } : { ConsistentRead: true }),
      KeyConditionExpression: ranged ? '#pk = :pk AND #sk BETWEEN :from AND :to' : '#pk = :pk',
      ExpressionAttributeNames: { '#pk': keys.pk, ...(ranged ? { '#sk': keys.sk } : {}) },
      ExpressionAttributeValues: {
        ':pk': query.partition,
        ...(ranged ? { ':from': query.from ?? below, ':to': `${query.to ?? ''}${above}` } : {}),
      },
      ScanIndexForward: false,
      // One more than asked tells whether there is more.
      Limit: page.limit + 1,
      ...(page.after && after !== undefined
        ? {
            ExclusiveStartKey: {
              pk: query.home,
              sk: page.after.id,
              ...(query.index ? { [keys.pk]: query.partition, [keys.sk]: after } : {}),
            },
          }
        : {}),
    }),
  );
  return { items: Items, more: LastEvaluatedKey !== undefined };
};

/** Records up to the limit and to 1 MB of answer (decisions §3); at least one, so that paging always advances. */
const takeFitting = (items: readonly Item[], limit: number): Item[] => {
  const kept: Item[] = [];
  let bytes = 0;
  for (const item of items.slice(0, limit)) {
    bytes += Buffer.byteLength(JSON.stringify(item[schema.viewAttribute] ?? item));
    if (kept.length > 0 && bytes > maxPageBytes) break;
    kept.push(item);
  }
  return kept;
};

/**
 * One page, newest position first, ties by id. The cursor's record is checked beside the query, so a page is one round trip.
 * Throws `invalid_cursor` where that record no longer exists.
 */
export const queryPage = async (db: Db, query: PageQuery, page: PageRequest): Promise<Page<Item>> => {
  const [{ items, more }] = await Promise.all([runQuery(db, query, page), page.after && assertCursorRecord(db, query, page.after.id)]);
  const kept = takeFitting(items, page.limit);
  const last = kept.at(-1);
  if (!last || (kept.length === items.length && !more)) return { records: kept };
  const id = String(last[schema.sortKey]);
  const sortKey = query.index ? String(last[indexKeys(query.index).sk]) : id;
  return { records: kept, next: { position: query.index ? sortKey.slice(0, -id.length - 1) : '', id } };
};
