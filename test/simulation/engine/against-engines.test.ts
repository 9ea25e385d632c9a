import {
  BatchGetCommand,
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { embeddedClient } from '../../../local/engine/client.ts';
import { openEngine } from '../../../local/engine/engine.ts';
import { openMemory } from '../../../local/engine/state.ts';
import { shapesOf } from '../../../local/engine/tables.ts';
import { dynamodbLocal, dynoxide, startForeign } from '../../support/engines.ts';
import { usesPrograms } from '../../support/programs.ts';
import { type AnyCommand, anyCommand, indexPartitions, partitions } from './arbitrary-commands.ts';
import { promptClient } from './client.ts';
import { createEngine } from './engine.ts';
import { seen } from './seen.ts';

const names = { tableName: 'random', bucketsTableName: 'random-buckets' };
const classes = {
  Get: GetCommand,
  Put: PutCommand,
  Update: UpdateCommand,
  Delete: DeleteCommand,
  Query: QueryCommand,
  BatchGet: BatchGetCommand,
  TransactWrite: TransactWriteCommand,
};

/** Renames key values, so that each run uses its own part of the table. */
const renamed = (value: unknown, run: string, name = ''): unknown => {
  if (Array.isArray(value)) return value.map((entry) => renamed(entry, run));
  if (value instanceof Set) return value;
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([attribute, inner]) => [attribute, renamed(inner, run, attribute)]));
  const isKey =
    ['pk', 'pk1', 'ClientRequestToken'].includes(name) ||
    (name.startsWith(':') && [...partitions, ...indexPartitions].includes(value as 'p'));
  return isKey && typeof value === 'string' && value !== '' ? `${value}${run}` : value;
};

const commandOf = ({ operation, input }: AnyCommand, run: string): object => {
  const own = renamed(input, run) as Record<string, unknown>;
  const ReturnConsumedCapacity = 'INDEXES';
  if (operation === 'BatchGet') return new BatchGetCommand({ RequestItems: { [names.tableName]: own }, ReturnConsumedCapacity } as never);
  if (operation !== 'TransactWrite') return new classes[operation]({ TableName: names.tableName, ReturnConsumedCapacity, ...own } as never);
  const writes = own['TransactItems'] as readonly Readonly<Record<string, object>>[];
  const TransactItems = writes.map((write) =>
    Object.fromEntries(Object.entries(write).map(([kind, part]) => [kind, { TableName: names.tableName, ...part }])),
  );
  return new TransactWriteCommand({ ...own, TransactItems, ReturnConsumedCapacity } as never);
};

const contents = async (client: DynamoDBDocumentClient, run: string): Promise<unknown> => {
  const query = (options: object, pk: string, value: string) =>
    seen(
      client,
      new QueryCommand({
        TableName: names.tableName,
        KeyConditionExpression: `${pk} = :pk`,
        ExpressionAttributeValues: { ':pk': `${value}${run}` },
        ...options,
      }),
    );
  return Promise.all([
    ...partitions.map((one) => query({ ConsistentRead: true }, 'pk', one)),
    ...indexPartitions.map((one) => query({ IndexName: 'gsi1' }, 'pk1', one)),
  ]);
};

/** For more runs: `RUNS=500 SEED=7 npm run test:tools -- test/simulation/engine`. */
const runs = Number(process.env['RUNS'] ?? 15);

const foreign = usesPrograms ? dynamodbLocal() : dynoxide();

(foreign ? describe : describe.skip)(`the engine agrees with ${foreign?.name}`, () => {
  let stop = async () => {};
  let real: DynamoDBDocumentClient;
  beforeAll(async () => {
    if (!foreign) return;
    const engine = await startForeign(foreign);
    ({ stop, client: real } = engine);
    await engine.createTables(names);
  });
  afterAll(() => stop());

  test.each([
    ['simulated', () => promptClient(createEngine({ tables: shapesOf(names), now: () => 0 }))],
    ['embedded', () => embeddedClient(openEngine(openMemory(), shapesOf(names), () => 0).execute) as DynamoDBDocumentClient],
  ])('the %s engine equals a real one in the responses to random commands, and in its final content', async (name, open) => {
    const simulated = open();
    let serial = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(anyCommand, { minLength: 5, maxLength: 25 }), async (commands) => {
        serial += 1;
        const run = `-${name}-${serial}`;
        for (const command of commands) {
          const [theirs, ours] = [await seen(real, commandOf(command, run)), await seen(simulated, commandOf(command, run))];
          expect({ command, result: ours }).toEqual({ command, result: theirs });
        }
        expect(await contents(simulated, run)).toEqual(await contents(real, run));
      }),
      { seed: Number(process.env['SEED'] ?? 20_260_310), numRuns: runs },
    );
  });
});
