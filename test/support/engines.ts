import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  type DynamoDBClientConfig,
  ListTablesCommand,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { shapesOf, type Tables } from '../../local/engine/tables.ts';

/**
 * Engines of others, which prove that the embedded one does what DynamoDB does. Lanes of
 * `test/all` install Dynoxide with `npm install --no-save`; Amazon's DynamoDB Local needs Java.
 */
export interface ForeignEngine {
  readonly name: string;
  readonly program: readonly [command: string, ...args: string[]];
  readonly folder?: string;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const inModules = (...path: string[]): string => join(root, 'node_modules', ...path);
const find = (paths: readonly string[]): string | undefined => paths.find((path) => existsSync(path));
const onPath = (name: string): readonly string[] => (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name));

/** Dynoxide, if it is installed. */
export const dynoxide = (): ForeignEngine | undefined => {
  const program = process.env['DYNOXIDE'] ?? find([inModules('@dynoxide', 'linux-x64', 'dynoxide'), ...onPath('dynoxide')]);
  return program === undefined ? undefined : { name: 'Dynoxide', program: [program, 'serve', '--host', '127.0.0.1', '--port'] };
};

/** Amazon's DynamoDB Local, if Java is installed. */
export const dynamodbLocal = (): ForeignEngine | undefined => {
  const home = process.env['JAVA_HOME'];
  const java = find([...(home === undefined ? [] : [join(home, 'bin', 'java')]), ...onPath('java')]);
  const folder = inModules('amplify-dynamodb-simulator', 'emulator');
  if (java === undefined || !existsSync(join(folder, 'DynamoDBLocal.jar'))) return undefined;
  const options = ['-Djava.library.path=./DynamoDBLocal_lib', '-jar', 'DynamoDBLocal.jar', '-sharedDb', '-inMemory', '-port'];
  return { name: "Amazon's DynamoDB Local", program: [java, ...options], folder };
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('The system gave no port number.');
  return address.port;
};

const mostTries = 6_000; // a loaded machine starts Java slowly

const untilListening = async (endpoint: string, child: ChildProcess): Promise<void> => {
  for (let tries = 0; !(await fetch(endpoint).catch(() => undefined)); tries++) {
    if (child.exitCode !== null || tries === mostTries) throw new Error(`${child.spawnfile} does not listen on ${endpoint}.`);
    await wait(20);
  }
};

const createTables = async (client: DynamoDBClient, tables: Tables): Promise<void> => {
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  const keys = (partitionKey: string, sortKey?: string) => [
    { AttributeName: partitionKey, KeyType: 'HASH' as const },
    ...(sortKey === undefined ? [] : [{ AttributeName: sortKey, KeyType: 'RANGE' as const }]),
  ];
  for (const { name, partitionKey, sortKey, indexes = [], streamed } of shapesOf(tables)) {
    if (TableNames.includes(name)) continue;
    const names = [partitionKey, sortKey, ...indexes.flatMap((index) => [index.partitionKey, index.sortKey])];
    await client.send(
      new CreateTableCommand({
        TableName: name,
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: keys(partitionKey, sortKey),
        AttributeDefinitions: names.flatMap((one) => (one === undefined ? [] : [{ AttributeName: one, AttributeType: 'S' as const }])),
        ...(streamed && { StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' as const } }),
        ...(indexes.length > 0 && {
          GlobalSecondaryIndexes: indexes.map((index) => ({
            IndexName: index.name,
            KeySchema: keys(index.partitionKey, index.sortKey),
            Projection: { ProjectionType: 'INCLUDE' as const, NonKeyAttributes: [...index.carries] },
          })),
        }),
      }),
    );
  }
};

/** A signature that no engine checks. */
const unsigned = {
  authorization: 'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
  'x-amz-date': '20260101T000000Z',
};

/** Calls DynamoDB Streams, for which the project needs no client. */
const callStreams = async (endpoint: string, operation: string, input: object): Promise<any> => {
  const headers = { ...unsigned, 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `DynamoDBStreams_20120810.${operation}` };
  const response = await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify(input) });
  if (!response.ok) throw new Error(`${operation} failed: ${await response.text()}`);
  return await response.json();
};

/** Returns records of the only shard of a table's stream, in Lambda's format. */
const readChanges = async (client: DynamoDBClient, endpoint: string, TableName: string, after: number, Limit: number) => {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  const StreamArn = Table?.LatestStreamArn;
  const { StreamDescription } = await callStreams(endpoint, 'DescribeStream', { StreamArn });
  const { ShardIterator } = await callStreams(endpoint, 'GetShardIterator', {
    StreamArn,
    ShardId: StreamDescription.Shards[0].ShardId,
    ...(after === 0
      ? { ShardIteratorType: 'TRIM_HORIZON' }
      : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: String(after) }),
  });
  const { Records } = (await callStreams(endpoint, 'GetRecords', { ShardIterator, Limit })) as { Records: DynamoDBRecord[] };
  return Records.map(({ dynamodb = {}, ...record }) => ({
    ...record,
    eventID: createHash('md5').update(`${StreamArn}/${dynamodb.SequenceNumber}`).digest('hex'),
    dynamodb: { ...dynamodb, ApproximateCreationDateTime: Math.floor(dynamodb.ApproximateCreationDateTime ?? 0) },
  }));
};

/** A foreign engine in memory, with a document client as deployed functions have it. */
export const startForeign = async ({ program: [command, ...args], folder }: ForeignEngine) => {
  const port = await freePort();
  const child = spawn(command, [...args, String(port)], { stdio: 'ignore', ...(folder === undefined ? {} : { cwd: folder }) });
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  const endpoint = `http://127.0.0.1:${port}`;
  const config = {
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  } satisfies DynamoDBClientConfig;
  const client = new DynamoDBClient(config);
  await untilListening(endpoint, child);
  const documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  return {
    client: documents,
    changes: (table: string, after: number, limit: number) => readChanges(client, endpoint, table, after, limit),
    async items(TableName: string): Promise<Readonly<Record<string, unknown>>[]> {
      const found: Record<string, unknown>[] = [];
      for await (const { Items = [] } of paginateScan({ client: documents }, { TableName, ConsistentRead: true })) found.push(...Items);
      return found;
    },
    createTables: (tables: Tables) => createTables(client, tables),
    async stop(): Promise<void> {
      process.removeListener('exit', end);
      client.destroy();
      const ended = once(child, 'exit');
      if (end()) await ended;
    },
  };
};
