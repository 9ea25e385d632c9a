import { QueryCommand, type QueryCommandInput, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import { ApiError } from '../core/errors.ts';
import type { Db, Item } from './client.ts';
import { attribute, type Expression, expr, openScope } from './expressions.ts';
import { type IndexName, indexKeys, schema } from './schema.ts';

type Settings = Pick<QueryCommandInput, 'ConsistentRead' | 'ExclusiveStartKey' | 'Limit' | 'ScanIndexForward' | 'Select'>;

interface PartitionQuery extends Settings {
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
export const keyNamesOf = (index: IndexName | undefined) => (index ? indexKeys(index) : { pk: schema.partitionKey, sk: schema.sortKey });

/** Reads a page of a partition: up to 1 MB, in the order of the sort keys. */
export const queryPage = (
  { client, table }: Db,
  { index, partition, range, filter, only, ...settings }: PartitionQuery,
): Promise<QueryCommandOutput> => {
  const keys = keyNamesOf(index);
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

/** Position of a record in a list: its sort position (empty if the list sorts by id) and its id. */
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

export const invalidCursor = (): ApiError => new ApiError('invalid_cursor', 'Invalid cursor', { field: 'cursor' });
