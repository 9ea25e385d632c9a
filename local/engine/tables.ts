import {
  type AttributeDefinition,
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ListTablesCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { bucketsSchema, indexKeys, indexNames, schema } from '../../shared/table/schema.ts';
import type { Engine } from './dynamodb.ts';

/** Names of one region's tables; all regions share one engine. */
export interface TableNames {
  readonly tableName: string;
  readonly bucketsTableName: string;
}

export interface Tables extends TableNames {
  readonly streamArn: string;
}

const text = (name: string): AttributeDefinition => ({ AttributeName: name, AttributeType: 'S' });

const dataTable = (tableName: string) =>
  new CreateTableCommand({
    TableName: tableName,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [
      { AttributeName: schema.partitionKey, KeyType: 'HASH' },
      { AttributeName: schema.sortKey, KeyType: 'RANGE' },
    ],
    AttributeDefinitions: [schema.partitionKey, schema.sortKey, ...indexNames.flatMap((name) => Object.values(indexKeys(name)))].map(text),
    GlobalSecondaryIndexes: indexNames.map((name) => ({
      IndexName: name,
      KeySchema: [
        { AttributeName: indexKeys(name).pk, KeyType: 'HASH' },
        { AttributeName: indexKeys(name).sk, KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: [schema.viewAttribute] },
    })),
    StreamSpecification: { StreamEnabled: true, StreamViewType: schema.streamViewType },
  });

const bucketsTable = (tableName: string) =>
  new CreateTableCommand({
    TableName: tableName,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [{ AttributeName: bucketsSchema.partitionKey, KeyType: 'HASH' }],
    AttributeDefinitions: [text(bucketsSchema.partitionKey)],
  });

/** Makes the tables that do not exist yet and says which stream each region's table has. */
export const createTables = async (client: Engine['client'], names: readonly TableNames[]): Promise<readonly Tables[]> => {
  const dynamodb = new DynamoDBClient(client);
  try {
    const { TableNames: existing = [] } = await dynamodb.send(new ListTablesCommand({}));
    const make = async (name: string, command: (name: string) => CreateTableCommand, ttlAttribute: string) => {
      if (existing.includes(name)) return;
      await dynamodb.send(command(name));
      await dynamodb.send(
        new UpdateTimeToLiveCommand({ TableName: name, TimeToLiveSpecification: { AttributeName: ttlAttribute, Enabled: true } }),
      );
    };
    return await Promise.all(
      names.map(async ({ tableName, bucketsTableName }) => {
        await Promise.all([
          make(tableName, dataTable, schema.ttlAttribute),
          make(bucketsTableName, bucketsTable, bucketsSchema.ttlAttribute),
        ]);
        const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName: tableName }));
        if (!Table?.LatestStreamArn) throw new Error(`Table ${tableName} has no stream.`);
        return { tableName, bucketsTableName, streamArn: Table.LatestStreamArn };
      }),
    );
  } finally {
    dynamodb.destroy();
  }
};
