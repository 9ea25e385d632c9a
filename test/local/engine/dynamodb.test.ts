import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { BatchWriteItemCommand, CreateTableCommand, DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Engine, startEngine } from '../../../local/engine/dynamodb.ts';
import { noEngine } from '../../../local/engine/locate.ts';
import { createTables } from '../../../local/engine/tables.ts';
import { UsageError } from '../../../local/options.ts';
import { openStream } from '../../../local/pollers/stream.ts';
import { systemClock } from '../../../shared/core/clock.ts';
import { systemRandom } from '../../../shared/core/random.ts';
import { connectStore } from '../../../shared/table/store.ts';

const names = { tableName: 'bakery-us', bucketsTableName: 'bakery-us-buckets' };
const key = { pk: { S: 'exp#a' }, sk: { S: '1' } };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'engine-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const put = async (engine: Engine, sk: string) => {
  const client = new DynamoDBClient(engine.client);
  await client.send(new PutItemCommand({ TableName: names.tableName, Item: { ...key, sk: { S: sk } } }));
  client.destroy();
};
const isStored = async (engine: Engine, sk: string): Promise<boolean> => {
  const client = new DynamoDBClient(engine.client);
  const { Item } = await client.send(new GetItemCommand({ TableName: names.tableName, Key: { ...key, sk: { S: sk } } }));
  client.destroy();
  return Item !== undefined;
};

test('each engine listens on an address that cannot be found by trying', async () => {
  const engines = await Promise.all([startEngine({}), startEngine({})]);
  const hosts = engines.map(({ client }) => new URL(client.endpoint).hostname);
  await Promise.all(engines.map((engine) => engine.stop()));
  // Only Linux has other loopback addresses than 127.0.0.1, and DynamoDB Local cannot choose its
  // address.
  if (process.platform !== 'linux' || engines[0]?.kind !== 'dynoxide') return;
  for (const host of hosts) expect(host).toMatch(/^127\.(\d+)\.(\d+)\.(\d+)$/);
  expect(hosts).not.toContain('127.0.0.1');
  expect(new Set(hosts).size).toBe(2);
});

test('a written item survives a restart of the engine on the same directory', async () => {
  const first = await startEngine({ dataDir: folder });
  const [before] = await createTables(first.client, [names]);
  await put(first, '1');
  await first.stop();
  const second = await startEngine({ dataDir: folder });
  const [after] = await createTables(second.client, [names]);
  expect(after).toEqual(before);
  expect(await isStored(second, '1')).toBe(true);
  await second.stop();
});

test('tables that another version made with other indexes are rejected in one sentence', async () => {
  const engine = await startEngine();
  const client = new DynamoDBClient(engine.client);
  const keysNamed = (pk: string, sk: string) => [
    { AttributeName: pk, KeyType: 'HASH' as const },
    { AttributeName: sk, KeyType: 'RANGE' as const },
  ];
  await client.send(
    new CreateTableCommand({
      TableName: names.tableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['pk', 'sk', 'gsi1pk', 'gsi1sk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: keysNamed('pk', 'sk'),
      GlobalSecondaryIndexes: [{ IndexName: 'gsi1', KeySchema: keysNamed('gsi1pk', 'gsi1sk'), Projection: { ProjectionType: 'ALL' } }],
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    }),
  );
  client.destroy();
  await expect(createTables(engine.client, [names])).rejects.toThrow(
    new UsageError('The data directory was made by a version of the service with other tables: delete it, or choose another with --data.'),
  );
  await engine.stop();
});

test('a killed engine is noticed', async () => {
  const engine = await startEngine({ dataDir: folder });
  process.kill(Number(readFileSync(join(folder, 'engine.pid'), 'utf8')), 'SIGKILL');
  expect(await engine.died).toContain('listening');
  await engine.stop();
});

test('an engine that a killed run left behind is ended before the next one opens the file', async () => {
  const leftover = await startEngine({ dataDir: folder });
  await createTables(leftover.client, [names]);
  await put(leftover, '1');
  const engine = await startEngine({ dataDir: folder });
  await expect(leftover.died).resolves.toEqual(expect.any(String));
  expect(await isStored(engine, '1')).toBe(true);
  await engine.stop();
});

test('an engine in memory leaves nothing on the machine', async () => {
  const shared = '/dev/shm';
  const engine = await startEngine();
  await createTables(engine.client, [names]);
  await put(engine, '1');
  expect(await isStored(engine, '1')).toBe(true);
  // Only this process's folders, because other suites start engines at the same time.
  const left = existsSync(shared) ? readdirSync(shared).filter((name) => name.startsWith(`bakery-${process.pid}-`)) : [];
  await engine.stop();
  expect(left).toEqual([]);
});

describe('the running engine', () => {
  const writeMany = async (engine: Engine, from: number, to: number) => {
    const client = new DynamoDBClient(engine.client);
    for (let i = from; i < to; i += 25) {
      const requests = Array.from({ length: Math.min(25, to - i) }, (_, j) => ({
        PutRequest: { Item: { ...key, sk: { S: `${i + j}` } } },
      }));
      await client.send(new BatchWriteItemCommand({ RequestItems: { [names.tableName]: requests } }));
    }
    client.destroy();
  };
  const firstRecords = async (engine: Engine, streamArn = '') => {
    const reader = openStream(engine.client, streamArn);
    const { records } = await reader.read(undefined);
    reader.close();
    return records.map((record) => Number(record.dynamodb?.SequenceNumber));
  };

  test.each(['in memory', 'on disk'])('stream records are dropped as soon as 200 are handled, %s', async (place) => {
    const engine = await startEngine(place === 'on disk' ? { dataDir: folder } : {});
    const [tables] = await createTables(engine.client, [names]);
    const trimTo = (sequence: number) => engine.trim(names.tableName, String(sequence));
    await writeMany(engine, 0, 250);
    trimTo(199);
    const early = await firstRecords(engine, tables?.streamArn);
    trimTo(240);
    const trimmed = await firstRecords(engine, tables?.streamArn);
    await writeMany(engine, 250, 251);
    const continued = await firstRecords(engine, tables?.streamArn);
    await engine.stop();
    expect(early[0]).toBe(1);
    expect(trimmed).toEqual(Array.from({ length: 11 }, (_, i) => 240 + i));
    expect(continued.at(-1)).toBe(251);
  });

  test('a trim that comes after the end of the engine does nothing', async () => {
    const engine = await startEngine();
    await engine.stop();
    expect(() => engine.trim(names.tableName, '1000')).not.toThrow();
  });
});

test('the next sequence number is found through an index', async () => {
  const engine = await startEngine({ dataDir: folder });
  await engine.stop();
  const db = new DatabaseSync(join(folder, 'dynamodb.db'));
  const plan = db
    .prepare('EXPLAIN QUERY PLAN SELECT MAX(CAST(sequence_number AS INTEGER)) FROM _stream_records WHERE table_name = ?')
    .all('x')
    .map((row) => row['detail']);
  db.close();
  expect(plan.join()).toContain('_stream_by_sequence');
});

test('one sentence says what to do if there is no engine', async () => {
  await expect(startEngine({ locate: () => undefined, dataDir: folder })).rejects.toThrow(noEngine);
});

test('a program that does not start is reported with its own words', async () => {
  await expect(startEngine({ locate: () => ({ kind: 'dynoxide', program: '/no/such/program' }) })).rejects.toThrow(
    /^The embedded database did not start: .*not found/,
  );
});

test('more simultaneous requests than connections all get a response, however long they wait', async () => {
  const slow = createServer((_request, response) => setTimeout(() => response.end('{}'), 80));
  await once(slow.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
  const engine = await startEngine({ locate: () => ({ kind: 'endpoint', url }) });
  const { accounts } = connectStore({ ...names, clock: systemClock, random: systemRandom, client: engine.client });
  const answers = await Promise.allSettled(Array.from({ length: 1_000 }, () => accounts.get('acct_1')));
  expect(answers.filter(({ status }) => status === 'rejected')).toEqual([]);
  slow.close();
  slow.closeAllConnections();
});
