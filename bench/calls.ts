import { DynamoDBClient as SdkClient } from '@aws-sdk/client-dynamodb';
import * as sdk from '@aws-sdk/lib-dynamodb';
import { startEngine } from '../local/engine/dynamodb.ts';
import { createTables } from '../local/engine/tables.ts';
import { DynamoDBClient as LeanClient } from '../shared/aws/client-dynamodb.ts';
import * as lean from '../shared/aws/lib-dynamodb.ts';

/** CPU of a GetItem, an UpdateItem and a Query of 20 through the SDK and through the lean clients: node bench/calls.ts [calls] */
const calls = Number(process.argv[2] ?? 400);
const rounds = 5;

const engine = await startEngine();
const [tables] = await createTables(engine.client, [{ tableName: 'calls', bucketsTableName: 'calls-buckets' }]);
if (!tables) throw new Error('The engine made no tables.');
const TableName = tables.tableName;
const view = {
  id: 'exp_1',
  amount: 12.5,
  currency: 'USD',
  category: 'rent',
  tags: ['weekly'],
  supplier: { id: 'sup_1', name: 'Mill' },
  notes: null,
};

interface Client {
  send(command: unknown): Promise<unknown>;
}
const clients = {
  sdk: sdk.DynamoDBDocumentClient.from(new SdkClient(engine.client)) as unknown as Client,
  lean: lean.DynamoDBDocumentClient.from(new LeanClient(engine.client as never)) as unknown as Client,
};
type Name = keyof typeof clients;
const commandsOf = (from: typeof sdk) => ({
  GetItem: () => new from.GetCommand({ TableName, Key: { pk: 'calls', sk: '00' }, ConsistentRead: true }),
  UpdateItem: () =>
    new from.UpdateCommand({
      TableName,
      Key: { pk: 'bucket', sk: 'bucket' },
      UpdateExpression: 'ADD #used :one SET expires_at = :at',
      ExpressionAttributeNames: { '#used': 'used' },
      ExpressionAttributeValues: { ':one': 1, ':at': 1 },
    }),
  'Query of 20': () =>
    new from.QueryCommand({ TableName, KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': 'calls' }, Limit: 20 }),
});
const commands = { sdk: commandsOf(sdk), lean: commandsOf(lean as unknown as typeof sdk) };
type Operation = keyof (typeof commands)['sdk'];

const cpuMicros = async (name: Name, operation: Operation): Promise<number> => {
  const before = process.cpuUsage();
  for (let i = 0; i < calls; i++) await clients[name].send(commands[name][operation]());
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
};

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

try {
  for (let i = 0; i < 30; i++)
    await clients.sdk.send(new sdk.PutCommand({ TableName, Item: { pk: 'calls', sk: String(i).padStart(2, '0'), revision: 1, view } }));
  const operations = Object.keys(commands.sdk) as Operation[];
  const taken: Record<Name, Record<string, number[]>> = { sdk: {}, lean: {} };
  for (let round = 0; round <= rounds; round++)
    for (const name of ['sdk', 'lean'] as const)
      for (const operation of operations) {
        const micros = await cpuMicros(name, operation);
        // The first is to warm up.
        if (round > 0) taken[name][operation] = [...(taken[name][operation] ?? []), micros];
      }
  console.log(`CPU of a call in this process, median of ${rounds} rounds of ${calls}`);
  console.table(
    Object.fromEntries(
      operations.map((operation) => {
        const [whole, part] = [median(taken.sdk[operation] ?? []), median(taken.lean[operation] ?? [])];
        return [operation, { 'SDK µs': Math.round(whole), 'lean µs': Math.round(part), ratio: Number((part / whole).toFixed(2)) }];
      }),
    ),
  );
} finally {
  await engine.stop();
}
