import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { promptRetries } from '../support/faults.ts';
import { clients, outcomeOf, type Scripted, type Side } from './oracle.ts';

const name = fc.stringMatching(/^[a-z_]{1,8}$/);
const scalar = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }).filter((text) => text.isWellFormed()),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }),
  fc.boolean(),
  fc.constant(null),
  fc.constant(undefined),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4 }),
    fc.uniqueArray(fc.string({ minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 3 }).map((members) => new Set(members)),
    fc.uniqueArray(fc.integer(), { minLength: 1, maxLength: 3 }).map((members) => new Set(members)),
    fc.uint8Array({ maxLength: 8 }),
  ),
}));
const record = fc.dictionary(name, value, { maxKeys: 5 });
const key = fc.record({ pk: fc.string({ minLength: 1 }), sk: fc.string({ minLength: 1 }) });
const expression = fc.record({
  TableName: fc.constant('table'),
  ConditionExpression: fc.constant('#a = :a'),
  ExpressionAttributeNames: fc.constant({ '#a': 'a' }),
  ExpressionAttributeValues: fc.dictionary(
    name.map((one) => `:${one}`),
    value.filter((one) => one !== undefined),
    { minKeys: 1, maxKeys: 3 },
  ),
});
const write = fc.oneof(
  fc.tuple(expression, record).map(([rest, Item]) => ({ Put: { ...rest, Item } })),
  fc.tuple(expression, key).map(([rest, Key]) => ({ Update: { ...rest, Key, UpdateExpression: 'SET a = :a' } })),
  fc.tuple(expression, key).map(([rest, Key]) => ({ Delete: { ...rest, Key, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } })),
  fc.tuple(expression, key).map(([rest, Key]) => ({ ConditionCheck: { ...rest, Key } })),
);

/** Every command of the document client that deployed source uses, with any input. */
const commands: Readonly<Record<string, fc.Arbitrary<any>>> = {
  GetCommand: fc.record({ TableName: fc.constant('table'), Key: key, ConsistentRead: fc.boolean() }),
  PutCommand: fc.tuple(expression, record).map(([rest, Item]) => ({ ...rest, Item })),
  UpdateCommand: fc
    .tuple(expression, key)
    .map(([rest, Key]) => ({ ...rest, Key, UpdateExpression: 'SET a = :a', ReturnValues: 'ALL_NEW' })),
  DeleteCommand: fc.tuple(expression, key).map(([rest, Key]) => ({ ...rest, Key })),
  QueryCommand: fc.tuple(expression, key, fc.nat(100)).map(([{ ConditionExpression: _, ...rest }, ExclusiveStartKey, Limit]) => ({
    ...rest,
    KeyConditionExpression: '#a = :a',
    ExclusiveStartKey,
    Limit,
    ScanIndexForward: false,
  })),
  BatchGetCommand: fc
    .array(key, { minLength: 1, maxLength: 4 })
    .map((Keys) => ({ RequestItems: { table: { Keys, ConsistentRead: true } } })),
  TransactWriteCommand: fc
    .array(write, { minLength: 1, maxLength: 4 })
    .map((TransactItems) => ({ TransactItems, ClientRequestToken: 'token' })),
};

const sending = (side: Side, command: string, input: unknown): Promise<any> => side.documents.send(new side.lib[command](input));

test.each(Object.entries(commands))('%s: any input goes over the wire as the SDK sends it', async (command, inputs) => {
  await fc.assert(
    fc.asyncProperty(inputs, async (input) => {
      const { sdk, lean } = clients();
      await Promise.all([sending(sdk, command, input), sending(lean, command, input)]);
      const [theirs, ours] = [sdk.sent[0], lean.sent[0]];
      expect(JSON.parse(ours?.body ?? '')).toEqual(JSON.parse(theirs?.body ?? ''));
      for (const header of ['x-amz-target', 'content-type', 'host']) expect(ours?.headers[header]).toBe(theirs?.headers[header]);
      expect([ours?.method, ours?.path, ours?.hostname]).toEqual([theirs?.method, theirs?.path, theirs?.hostname]);
    }),
    { numRuns: 60 },
  );
});

test('what the document client cannot store is refused by both, before anything is sent', async () => {
  class Thing {}
  for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60, -(2 ** 60), new Thing(), new Set(), new Date()]) {
    const { sdk, lean } = clients();
    const input = { TableName: 'table', Item: { pk: 'a', bad } };
    await expect(sending(sdk, 'PutCommand', input)).rejects.toThrow();
    await expect(sending(lean, 'PutCommand', input)).rejects.toThrow();
    expect(lean.sent).toEqual([]);
  }
});

test('a transaction and a schedule without a token of their own get one, which stays over the retries', async () => {
  const { lean } = clients([new Error('x'), { status: 500, body: '' }, { status: 200, body: '{}' }].slice(1) as Scripted[], {
    retryStrategy: promptRetries,
  });
  await sending(lean, 'TransactWriteCommand', { TransactItems: [] });
  const tokens = lean.sent.map(({ body }) => JSON.parse(body).ClientRequestToken);
  expect(tokens).toEqual([expect.stringMatching(/^[\w-]{36}$/), tokens[0]]);
  await lean.scheduler.send(new lean.schedulerCommands.CreateScheduleCommand({ Name: 'a' }));
  expect(JSON.parse(lean.sent.at(-1)?.body ?? '').ClientToken).toMatch(/^[\w-]{36}$/);
});

const attribute: fc.Arbitrary<any> = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.string().map((S) => ({ S })),
    fc
      .oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e20, max: 1e20 }), fc.constant('9007199254740993'))
      .map((N) => ({ N: String(N) })),
    fc.boolean().map((BOOL) => ({ BOOL })),
    fc.constant({ NULL: true }),
    fc.uint8Array({ maxLength: 6 }).map((bytes) => ({ B: Buffer.from(bytes).toString('base64') })),
    fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 3 }).map((SS) => ({ SS })),
    fc.uniqueArray(fc.integer(), { minLength: 1, maxLength: 3 }).map((NS) => ({ NS: NS.map(String) })),
    fc.array(tie('any'), { maxLength: 3 }).map((L) => ({ L })),
    fc.dictionary(name, tie('any'), { maxKeys: 3 }).map((M) => ({ M })),
  ),
})).any;
const image = fc.dictionary(name, attribute, { maxKeys: 4 });

test.each([
  ['GetCommand', image.map((Item) => ({ Item }))],
  ['UpdateCommand', image.map((Attributes) => ({ Attributes }))],
  [
    'QueryCommand',
    fc
      .tuple(fc.array(image, { maxLength: 3 }), image)
      .map(([Items, LastEvaluatedKey]) => ({ Items, Count: Items.length, LastEvaluatedKey })),
  ],
  [
    'BatchGetCommand',
    fc
      .tuple(fc.array(image, { maxLength: 3 }), image)
      .map(([items, one]) => ({ Responses: { table: items }, UnprocessedKeys: { table: { Keys: [one] } } })),
  ],
])('%s: any answer is read as the SDK reads it', async (command, answers: fc.Arbitrary<object>) => {
  const input = fc.sample(commands[command] as fc.Arbitrary<any>, { numRuns: 1, seed: 1 })[0];
  await fc.assert(
    fc.asyncProperty(answers, async (answer) => {
      const { sdk, lean } = clients([{ status: 200, body: JSON.stringify(answer) }]);
      const [theirs, ours] = await Promise.all([
        outcomeOf(() => sending(sdk, command, input)),
        outcomeOf(() => sending(lean, command, input)),
      ]);
      // The SDK names members that an answer lacks as undefined.
      expect(ours).toEqual(theirs);
    }),
    { numRuns: 100 },
  );
});

test('messages and schedules go over the wire as the SDK sends them', async () => {
  const { sdk, lean } = clients();
  const QueueUrl = 'https://sqs.eu-west-1.amazonaws.com/111122223333/deliveries';
  const inputs: readonly (readonly [string, any])[] = [
    ['SendMessageBatchCommand', { QueueUrl, Entries: [{ Id: '0', MessageBody: '{"ü":1}', MessageGroupId: 'acct_1', DelaySeconds: 300 }] }],
    ['ReceiveMessageCommand', { QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 1, MessageSystemAttributeNames: ['MessageGroupId'] }],
    ['DeleteMessageBatchCommand', { QueueUrl, Entries: [{ Id: '0', ReceiptHandle: 'r' }] }],
    ['ChangeMessageVisibilityBatchCommand', { QueueUrl, Entries: [{ Id: '0', ReceiptHandle: 'r', VisibilityTimeout: 0 }] }],
    ['GetQueueAttributesCommand', { QueueUrl, AttributeNames: ['ApproximateNumberOfMessages'] }],
  ];
  for (const side of [sdk, lean]) {
    for (const [command, input] of inputs) await side.sqs.send(new side.sqsCommands[command](input)).catch(() => undefined);
    const schedule = {
      Name: 'evt_1.whe_1.1.2',
      GroupName: 'group',
      ScheduleExpression: 'at(2026-03-01T00:00:00)',
      FlexibleTimeWindow: { Mode: 'OFF' },
      ActionAfterCompletion: 'DELETE',
      Target: { Arn: 'arn:aws:scheduler:::aws-sdk:sqs:sendMessage', RoleArn: 'arn:aws:iam::111122223333:role/r', Input: '{"a":"ü"}' },
      ClientToken: 'token',
    };
    await side.scheduler.send(new side.schedulerCommands.CreateScheduleCommand(schedule));
  }
  const wire = (side: Side) =>
    side.sent.map(({ method, path, hostname, headers, body }) => ({
      method,
      path,
      hostname,
      target: headers['x-amz-target'],
      type: headers['content-type'],
      body: JSON.parse(body),
    }));
  expect(wire(lean)).toEqual(wire(sdk));
});

test('the trace of the invocation goes along, as with the SDK', async () => {
  const trace = 'Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=1';
  Object.assign(process.env, { AWS_LAMBDA_FUNCTION_NAME: 'orders', _X_AMZN_TRACE_ID: trace });
  try {
    const { sdk, lean } = clients();
    for (const side of [sdk, lean]) {
      await sending(side, 'GetCommand', { TableName: 'table', Key: { pk: 'a' } });
      const sent = Object.entries(side.sent[0]?.headers ?? {}).find(([name]) => name.toLowerCase() === 'x-amzn-trace-id');
      expect(sent?.[1]).toBe(trace);
      expect(side.sent[0]?.headers['authorization']).not.toContain('x-amzn-trace-id');
    }
  } finally {
    delete process.env['AWS_LAMBDA_FUNCTION_NAME'];
    delete process.env['_X_AMZN_TRACE_ID'];
  }
});
