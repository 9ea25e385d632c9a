import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { type Checkpoint, openCheckpoint } from '../../../local/engine/checkpoint.ts';
import { openMemory, type State } from '../../../local/engine/state.ts';
import { type StreamFunction, type StreamPoller, startStreamPoller } from '../../../local/pollers/stream.ts';
import { streamFilters } from '../../../shared/table/schema.ts';
import { startEngine } from '../../support/engine.ts';
import { until } from '../../support/eventually.ts';
import { shared } from '../../support/shared.ts';

const engine = shared(startEngine);
let state: State;
let checkpoint: Checkpoint;
let poller: StreamPoller | undefined;
let table: string;
let tables = 0;

beforeEach(async () => {
  ({ tableName: table } = await engine.createTables(`stream-${tables++}`));
  state = openMemory();
  checkpoint = openCheckpoint(state, table);
});
afterEach(async () => {
  await poller?.stop();
  poller = undefined;
  state.close();
});

const start = (invoke: StreamFunction, read = (after: number, limit: number) => engine.changes(table, after, limit), idleMs = 5) => {
  poller = startStreamPoller({ table, read, checkpoint, filters: streamFilters, invoke, log: () => {}, idleMs, firstRetryMs: 5 });
};
const put = (pk: string, sk: string, fields: object = {}) =>
  engine.client.send(new PutCommand({ TableName: table, Item: { pk, sk, ...fields } }));
const sortKey = (record: DynamoDBRecord) => record.dynamodb?.Keys?.['sk']?.S;
/** Collects the sort keys of every invocation; `respond` may fail some. */
const collecting = (respond: (call: number, event: DynamoDBStreamEvent) => DynamoDBBatchResponse | undefined = () => undefined) => {
  const calls: (string | undefined)[][] = [];
  const invoke: StreamFunction = async (event) => {
    calls.push(event.Records.map(sortKey));
    return respond(calls.length, event);
  };
  return { calls, invoke };
};
const handledSequence = () => checkpoint.load();

test('a record has the shape that Lambda gives it, binary values in base64', async () => {
  await put('exp#a', '1', { data: new Uint8Array([1, 2, 3]) });
  await put('exp#a', '1', { note: 'x' });
  const records: DynamoDBRecord[] = [];
  start(async ({ Records }) => void records.push(...Records) as undefined);
  await until(() => records.length === 2);
  const keys = { pk: { S: 'exp#a' }, sk: { S: '1' } };
  expect(records[0]).toMatchObject({
    eventID: expect.stringMatching(/^[0-9a-f]{32}$/),
    eventName: 'INSERT',
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    eventSourceARN: expect.stringContaining(`:table/${table}/stream/`),
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

test('after a restart, the poller continues after the handled changes and repeats others with the same ids', async () => {
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
  start(invoke, undefined, 60_000);
  await put('exp#a', '1');
  const nudging = setInterval(() => poller?.nudge(), 20);
  await until(() => calls.length === 1);
  clearInterval(nudging);
});

test('a reading that was not full is not followed by one that finds nothing', async () => {
  const { invoke } = collecting();
  let readings = 0;
  for (const sk of ['1', '2', '3']) await put('exp#a', sk);
  const read = (after: number, limit: number) => {
    readings += 1;
    return engine.changes(table, after, limit);
  };
  start(invoke, read, 60_000);
  await until(() => handledSequence() === 3);
  await poller?.stop();
  expect(readings).toBe(1);
});
