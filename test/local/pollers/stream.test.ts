import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { openState, type State } from '../../../local/engine/state.ts';
import { type Checkpoint, openCheckpoint } from '../../../local/engine/stream-records.ts';
import { openStream, type StreamFunction, type StreamPoller, type StreamReader, startStreamPoller } from '../../../local/pollers/stream.ts';
import { streamFilters } from '../../../shared/table/schema.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { until } from '../../support/eventually.ts';

let engine: TestEngine;
let client: DynamoDBClient;
let state: State;
let checkpoint: Checkpoint;
let poller: StreamPoller | undefined;
let table: string;
let streamArn: string;
let tables = 0;

beforeAll(async () => {
  engine = await startEngine();
  client = new DynamoDBClient(engine.client);
});
afterAll(async () => {
  client.destroy();
  await engine.stop();
});
beforeEach(async () => {
  ({ tableName: table, streamArn } = await engine.createTables(`stream-${tables++}`));
  state = await openState(undefined);
  checkpoint = openCheckpoint(state, table, streamArn);
});
afterEach(async () => {
  await poller?.stop();
  poller = undefined;
  state.close();
});

const start = (invoke: StreamFunction) => {
  const reader = openStream(engine.client, streamArn);
  poller = startStreamPoller({ streamArn, reader, checkpoint, filters: streamFilters, invoke, log: () => {}, idleMs: 5, firstRetryMs: 5 });
};
const put = (pk: string, sk: string, extra: Record<string, { S: string } | { B: Uint8Array }> = {}) =>
  client.send(new PutItemCommand({ TableName: table, Item: { pk: { S: pk }, sk: { S: sk }, ...extra } }));
const sortKey = (record: DynamoDBRecord) => record.dynamodb?.Keys?.['sk']?.S;
/** Collects the sort keys of every invocation; `answer` may fail some. */
const collecting = (answer: (call: number, event: DynamoDBStreamEvent) => DynamoDBBatchResponse | undefined = () => undefined) => {
  const calls: (string | undefined)[][] = [];
  const invoke: StreamFunction = async (event) => {
    calls.push(event.Records.map(sortKey));
    return answer(calls.length, event);
  };
  return { calls, invoke };
};
const handledSequence = () => Number(checkpoint.load()?.sequenceNumber ?? 0);

test('a record has the shape that Lambda gives it, binary values in base64', async () => {
  await put('exp#a', '1', { data: { B: new Uint8Array([1, 2, 3]) } });
  await put('exp#a', '1', { note: { S: 'x' } });
  const records: DynamoDBRecord[] = [];
  start(async ({ Records }) => void records.push(...Records) as undefined);
  await until(() => records.length === 2);
  const keys = { pk: { S: 'exp#a' }, sk: { S: '1' } };
  expect(records[0]).toMatchObject({
    eventID: expect.stringMatching(/^[0-9a-f]{32}$/),
    eventName: 'INSERT',
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    eventSourceARN: streamArn,
    dynamodb: {
      ApproximateCreationDateTime: expect.any(Number),
      SequenceNumber: '1',
      StreamViewType: 'NEW_AND_OLD_IMAGES',
      Keys: keys,
      NewImage: { ...keys, data: { B: 'AQID' } },
    },
  });
  expect(records[1]).toMatchObject({ eventName: 'MODIFY', dynamodb: { OldImage: keys, NewImage: { ...keys, note: { S: 'x' } } } });
});

test('the stream skips records that match no filter, and counts them as handled', async () => {
  const { calls, invoke } = collecting();
  await put('dlv#a', '1');
  await put('exp#a', '2');
  await put('dlv#a', '3');
  start(invoke);
  await until(() => handledSequence() === 3);
  expect(calls).toEqual([['2']]);
});

test('after a reported failure the stream repeats from that record on', async () => {
  const { calls, invoke } = collecting((call, { Records }) =>
    call === 1 ? { batchItemFailures: [{ itemIdentifier: Records[1]?.dynamodb?.SequenceNumber ?? '' }] } : undefined,
  );
  for (const sk of ['1', '2', '3']) await put('exp#a', sk);
  start(invoke);
  await until(() => handledSequence() === 3);
  expect(calls).toEqual([
    ['1', '2', '3'],
    ['2', '3'],
  ]);
});

test('a batch is repeated whole if the function throws', async () => {
  const { calls, invoke } = collecting((call) => {
    if (call < 3) throw new Error('not yet');
    return undefined;
  });
  await put('exp#a', '1');
  start(invoke);
  await until(() => handledSequence() === 1);
  expect(calls).toEqual([['1'], ['1'], ['1']]);
});

test('an unknown identifier in the report repeats the whole batch', async () => {
  const { calls, invoke } = collecting((call) => (call === 1 ? { batchItemFailures: [{ itemIdentifier: 'x' }] } : undefined));
  await put('exp#a', '1');
  start(invoke);
  await until(() => handledSequence() === 1);
  expect(calls).toEqual([['1'], ['1']]);
});

test('the next start goes on after what was handled, with the same ids for what is repeated', async () => {
  const ids: (string | undefined)[] = [];
  await put('exp#a', '1');
  await put('exp#a', '2');
  start(async ({ Records }) => {
    ids.push(...Records.map((record) => record.eventID));
    return { batchItemFailures: [{ itemIdentifier: '2' }] };
  });
  await until(() => handledSequence() === 1);
  await poller?.stop();
  const repeated: (string | undefined)[] = [];
  start(async ({ Records }) => void repeated.push(...Records.map((record) => record.eventID)) as undefined);
  await until(() => handledSequence() === 2);
  expect(repeated).toEqual([ids[1]]);
});

test('the stream handles more records than one read returns, in order', async () => {
  const { calls, invoke } = collecting();
  for (let i = 0; i < 250; i++) await put('exp#a', String(i));
  start(invoke);
  await until(() => handledSequence() === 250);
  expect(calls.flat()).toEqual(Array.from({ length: 250 }, (_, i) => String(i)));
});

test('a nudge ends the wait for the next poll', async () => {
  const { calls, invoke } = collecting();
  const reader = openStream(engine.client, streamArn);
  poller = startStreamPoller({ streamArn, reader, checkpoint, filters: streamFilters, invoke, log: () => {}, idleMs: 60_000 });
  await put('exp#a', '1');
  const nudging = setInterval(() => poller?.nudge(), 20);
  await until(() => calls.length === 1);
  clearInterval(nudging);
});

test('a reading that was not full is not followed by one that finds nothing', async () => {
  const { invoke } = collecting();
  const reader = openStream(engine.client, streamArn);
  let readings = 0;
  const counted: StreamReader = {
    ...reader,
    read(after) {
      readings += 1;
      return reader.read(after);
    },
  };
  for (const sk of ['1', '2', '3']) await put('exp#a', sk);
  poller = startStreamPoller({ streamArn, reader: counted, checkpoint, filters: streamFilters, invoke, log: () => {}, idleMs: 60_000 });
  await until(() => handledSequence() === 3);
  await poller.stop();
  expect(readings).toBe(1);
});
