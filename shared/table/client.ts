import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { clientTimeouts } from '../core/client-timeouts.ts';
import type { Clock } from '../core/clock.ts';
import type { Random } from '../core/random.ts';
import { throughConflicts } from './conflicts.ts';
import { type GetItem, pointReads } from './point-reads.ts';

/** What every store works with. */
export interface Db {
  /** A write that meets a transaction on its item goes through it: the client library takes that for final. */
  readonly client: Pick<DynamoDBDocumentClient, 'send'>;
  /** Reads an item of the table; reads of one tick share a call. */
  readonly get: GetItem;
  readonly table: string;
  /** Absent where rates are not counted. */
  readonly buckets: string | undefined;
  readonly clock: Clock;
  readonly random: Random;
}

export interface DbOptions {
  readonly tableName: string;
  readonly bucketsTableName?: string;
  readonly clock: Clock;
  readonly random: Random;
}

export interface ConnectOptions extends DbOptions {
  /** Endpoint, region and credentials where they are not the function's own. */
  readonly client?: DynamoDBClientConfig;
}

const isConflict = (error: unknown): boolean => error instanceof Error && error.name === 'TransactionConflictException';

/** What the stores work with, over a client that is there. */
export const openDb = (client: Db['client'], { tableName, bucketsTableName, clock, random }: DbOptions): Db => {
  const send = (command: never) => throughConflicts({ clock, random }, () => client.send(command), isConflict);
  return {
    client: { send } as Db['client'],
    get: pointReads(client, tableName, { clock, random }),
    table: tableName,
    buckets: bucketsTableName,
    clock,
    random,
  };
};

export const connectDb = ({ client: config = {}, ...options }: ConnectOptions): Db => {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ ...clientTimeouts, ...config }), {
    marshallOptions: { removeUndefinedValues: true },
  });
  return openDb(client, options);
};
