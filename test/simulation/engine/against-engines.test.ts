import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { startEngine } from '../../../local/engine/dynamodb.ts';
import { createTables } from '../../../local/engine/tables.ts';
import { server } from '../../conformance/engines.ts';
import { type AnyCommand, anyCommand, indexPartitions, partitions } from './arbitrary-commands.ts';
import { promptClient, serviceTables } from './client.ts';
import { createEngine } from './engine.ts';

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
    return Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, renamed(inner, run, member)]));
  const isKey =
    ['pk', 'gsi1pk', 'ClientRequestToken'].includes(name) ||
    (name.startsWith(':') && [...partitions, ...indexPartitions].includes(value as 'p'));
  return isKey && typeof value === 'string' && value !== '' ? `${value}${run}` : value;
};

const commandOf = ({ operation, input }: AnyCommand, run: string): object => {
  const own = renamed(input, run) as Record<string, unknown>;
  if (operation === 'BatchGet') return new BatchGetCommand({ RequestItems: { [names.tableName]: own } } as never);
  if (operation !== 'TransactWrite') return new classes[operation]({ TableName: names.tableName, ...own } as never);
  const writes = own['TransactItems'] as readonly Readonly<Record<string, object>>[];
  const TransactItems = writes.map((write) =>
    Object.fromEntries(Object.entries(write).map(([kind, part]) => [kind, { TableName: names.tableName, ...part }])),
  );
  return new TransactWriteCommand({ ...own, TransactItems } as never);
};

/** Returns a response or an error without the engine's wording. */
const seen = async (client: DynamoDBDocumentClient, command: object): Promise<unknown> => {
  try {
    const { $metadata: _, ConsumedCapacity: __, ...answer } = (await client.send(command as never)) as Record<string, unknown>;
    const { Responses } = answer as { readonly Responses?: Readonly<Record<string, readonly { readonly sk: string }[]>> };
    if (Responses) answer['Responses'] = Responses[names.tableName]?.map((item) => JSON.stringify(item, Object.keys(item).sort())).sort();
    return Object.fromEntries(Object.entries(answer).filter(([, value]) => value !== undefined));
  } catch (error) {
    const { name, Item, CancellationReasons } = error as {
      name: string;
      Item?: Record<string, never>;
      CancellationReasons?: readonly { readonly Code: string; readonly Item?: Record<string, never> }[];
    };
    // For an invalid write, some engines reject the transaction and others cancel it.
    if (name === 'ValidationException' || CancellationReasons?.some(({ Code }) => Code === 'ValidationError')) return { name: 'invalid' };
    return {
      name,
      ...(Item ? { item: unmarshall(Item) } : {}),
      ...(CancellationReasons ? { reasons: CancellationReasons.map(({ Code, Item: old }) => [Code, old && unmarshall(old)]) } : {}),
    };
  }
};

const contents = async (client: DynamoDBDocumentClient, run: string): Promise<unknown> => {
  const query = (members: object, pk: string, value: string) =>
    seen(
      client,
      new QueryCommand({
        TableName: names.tableName,
        KeyConditionExpression: `${pk} = :pk`,
        ExpressionAttributeValues: { ':pk': `${value}${run}` },
        ...members,
      }),
    );
  return Promise.all([
    ...partitions.map((one) => query({ ConsistentRead: true }, 'pk', one)),
    ...indexPartitions.map((one) => query({ IndexName: 'gsi1' }, 'gsi1pk', one)),
  ]);
};

/** For more runs: `RUNS=500 SEED=7 npm run test:tools -- test/simulation/engine`. */
const runs = Number(process.env['RUNS'] ?? 15);

(server.source ? describe : describe.skip)(`the model engine agrees with ${server.name}`, () => {
  let stop = async () => {};
  let real: DynamoDBDocumentClient;
  beforeAll(async () => {
    const engine = await startEngine({ locate: () => server.source });
    stop = () => engine.stop();
    await createTables(engine.client, [names]);
    real = DynamoDBDocumentClient.from(new DynamoDBClient(engine.client), { marshallOptions: { removeUndefinedValues: true } });
  });
  afterAll(async () => {
    real?.destroy();
    await stop();
  });

  test('the simulated engine equals a real one in the responses to random commands, and in its final content', async () => {
    const simulated = promptClient(createEngine({ tables: serviceTables(names), now: () => 0 }));
    let serial = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(anyCommand, { minLength: 5, maxLength: 25 }), async (commands) => {
        serial += 1;
        const run = `-${serial}`;
        for (const command of commands) {
          const [theirs, ours] = [await seen(real, commandOf(command, run)), await seen(simulated, commandOf(command, run))];
          expect({ command, answer: ours }).toEqual({ command, answer: theirs });
        }
        expect(await contents(simulated, run)).toEqual(await contents(real, run));
      }),
      { seed: Number(process.env['SEED'] ?? 20_260_310), numRuns: runs },
    );
  });
});
