import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../core/clock.ts';

/** What every store works with. */
export interface Db {
  readonly client: DynamoDBDocumentClient;
  readonly table: string;
  readonly buckets: string;
  readonly clock: Clock;
}

export interface DbOptions {
  readonly tableName: string;
  readonly bucketsTableName: string;
  readonly clock: Clock;
  /** Endpoint, region and credentials where they are not the function's own. */
  readonly client?: DynamoDBClientConfig;
}

/** A stuck connection must not outlive the request: 3 tries of at most 3 s stay well within a function's 29 s. */
const requestHandler = { connectionTimeout: 1_000, requestTimeout: 3_000 };

export const connectDb = ({ tableName, bucketsTableName, clock, client = {} }: DbOptions): Db => ({
  client: DynamoDBDocumentClient.from(new DynamoDBClient({ maxAttempts: 3, requestHandler, ...client }), {
    marshallOptions: { removeUndefinedValues: true },
  }),
  table: tableName,
  buckets: bucketsTableName,
  clock,
});
