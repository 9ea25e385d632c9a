import type { AttributeDefinition, CreateTableInput, DescribeTableOutput, ListTablesOutput } from '@aws-sdk/client-dynamodb';
import { indexNames } from '../../shared/core/resources.ts';
import { bucketsSchema, indexKeys, schema } from '../../shared/table/schema.ts';
import { UsageError } from '../options.ts';
import { type Engine, engineCalls } from './dynamodb.ts';

/** One region's tables; all regions share one engine. */
export interface Tables {
  readonly tableName: string;
  readonly bucketsTableName: string;
  readonly streamArn: string;
}

const text = (name: string): AttributeDefinition => ({ AttributeName: name, AttributeType: 'S' });

const keySchema = (partitionKey: string, sortKey: string) => [
  { AttributeName: partitionKey, KeyType: 'HASH' as const },
  { AttributeName: sortKey, KeyType: 'RANGE' as const },
];

const dataTable = (tableName: string): CreateTableInput => ({
  TableName: tableName,
  BillingMode: 'PAY_PER_REQUEST',
  KeySchema: keySchema(schema.partitionKey, schema.sortKey),
  AttributeDefinitions: [schema.partitionKey, schema.sortKey, ...indexNames.flatMap((name) => Object.values(indexKeys(name)))].map(text),
  GlobalSecondaryIndexes: indexNames.map((name) => ({
    IndexName: name,
    KeySchema: keySchema(indexKeys(name).pk, indexKeys(name).sk),
    Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: [schema.viewAttribute] },
  })),
  StreamSpecification: { StreamEnabled: true, StreamViewType: schema.streamViewType },
});

const bucketsTable = (tableName: string): CreateTableInput => ({
  TableName: tableName,
  BillingMode: 'PAY_PER_REQUEST',
  KeySchema: [{ AttributeName: bucketsSchema.partitionKey, KeyType: 'HASH' }],
  AttributeDefinitions: [text(bucketsSchema.partitionKey)],
});

/** Returns the keys of a table and its indexes as text, for comparison. */
const keysOf = ({
  KeySchema,
  GlobalSecondaryIndexes = [],
}: Pick<NonNullable<DescribeTableOutput['Table']>, 'KeySchema' | 'GlobalSecondaryIndexes'>): string =>
  [{ IndexName: '', KeySchema }, ...GlobalSecondaryIndexes]
    .map(({ IndexName, KeySchema: keys = [] }) => [IndexName, ...keys.map(({ AttributeName }) => AttributeName)].join(' '))
    .sort()
    .join();

/**
 * Creates missing tables and returns the stream of each region's table. Throws a `UsageError` if a
 * table has other keys or indexes: another version made it, and this version would not find its
 * records.
 */
export const createTables = async <Names extends Omit<Tables, 'streamArn'>>(
  client: Engine['client'],
  names: readonly Names[],
): Promise<readonly (Names & Tables)[]> => {
  using engine = engineCalls(client, 'DynamoDB_20120810');
  const { TableNames: existing = [] } = await engine.call<ListTablesOutput>('ListTables', {});
  const make = async (name: string, table: (name: string) => CreateTableInput, ttlAttribute: string) => {
    if (existing.includes(name)) return;
    await engine.call('CreateTable', table(name));
    await engine.call('UpdateTimeToLive', { TableName: name, TimeToLiveSpecification: { AttributeName: ttlAttribute, Enabled: true } });
  };
  const open = async (named: Names) => {
    const { tableName, bucketsTableName } = named;
    await Promise.all([make(tableName, dataTable, schema.ttlAttribute), make(bucketsTableName, bucketsTable, bucketsSchema.ttlAttribute)]);
    const { Table } = await engine.call<DescribeTableOutput>('DescribeTable', { TableName: tableName });
    if (Table && keysOf(Table) !== keysOf(dataTable(tableName)))
      throw new UsageError(
        'The data directory was made by a version of the service with other tables: delete it, or choose another with --data.',
      );
    if (!Table?.LatestStreamArn) throw new Error(`Table ${tableName} has no stream.`);
    return { ...named, streamArn: Table.LatestStreamArn };
  };
  return await Promise.all(names.map(open));
};
