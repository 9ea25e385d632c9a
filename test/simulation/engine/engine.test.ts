import { describe, expect, test } from '@jest/globals';
import { createEngine, type Engine, type EngineOptions } from './engine.ts';
import { hashPosition, recordOf } from './stream.ts';

/** Errors, faults, index lag, time and stream, for which no other engine serves as a reference. */

const TableName = 'kept';
const open = (options: Partial<EngineOptions> = {}): Engine =>
  createEngine({
    tables: [
      {
        name: TableName,
        partitionKey: 'pk',
        sortKey: 'sk',
        indexes: [{ name: 'byPlace', partitionKey: 'ipk', sortKey: 'isk', carries: ['view'] }],
      },
    ],
    now: () => 0,
    ...options,
  });
const Key = { pk: 'p', sk: 's' };
const put = (engine: Engine, attributes: object = {}) => engine.execute('Put', { TableName, Item: { ...Key, ...attributes } });
const get = (engine: Engine) => (engine.execute('Get', { TableName, Key, ConsistentRead: true }) as { Item?: unknown }).Item;
const update = (engine: Engine, UpdateExpression: string, ExpressionAttributeValues?: object) =>
  engine.execute('Update', { TableName, Key, UpdateExpression, ...(ExpressionAttributeValues ? { ExpressionAttributeValues } : {}) });

describe('unknown features', () => {
  test.each<[string, string, object]>([
    ['a command', 'Scan', { TableName }],
    ['a member of a command', 'Get', { TableName, Key, ConsistentRead: true, ReturnConsumedCapacity: 'TOTAL' }],
    ['a table', 'Get', { TableName: 'other', Key, ConsistentRead: true }],
    ['an eventual read of a table', 'Get', { TableName, Key }],
    ['a function', 'Delete', { TableName, Key, ConditionExpression: 'contains(pk, :p)', ExpressionAttributeValues: { ':p': 'p' } }],
    ['an operator', 'Delete', { TableName, Key, ConditionExpression: 'pk IN (:p)', ExpressionAttributeValues: { ':p': 'p' } }],
    ['a place in a list', 'Update', { TableName, Key, UpdateExpression: 'REMOVE entries[0]' }],
    ['returned values', 'Put', { TableName, Item: Key, ReturnValues: 'ALL_OLD' }],
    ['a set', 'Put', { TableName, Item: { ...Key, tags: new Set(['a']) } }],
    ['a value that is neither plain nor a list', 'Put', { TableName, Item: { ...Key, at: new Map() } }],
  ])('the engine rejects an unknown feature: %s', (_, operation, input) => {
    expect(() => open().execute(operation, input)).toThrow(expect.objectContaining({ name: 'Unsupported' }));
  });

  test('the engine rejects a sum with more digits than a number can have', () => {
    const engine = open();
    put(engine, { num: 1e15 + 0.5 });
    expect(() => update(engine, 'SET num = num + :more', { ':more': 0.000_001 })).toThrow('more digits');
  });
});

describe('invalid requests', () => {
  test.each<[string, string, object]>([
    ['an empty key', 'Put', { Item: { pk: '', sk: 's' } }],
    ['a key that is no text', 'Put', { Item: { pk: 1, sk: 's' } }],
    ['a key without its sort key', 'Delete', { Key: { pk: 'p' } }],
    ['a member beside the key', 'Delete', { Key: { ...Key, more: 1 } }],
    ['a partition key over 2,048 bytes', 'Put', { Item: { pk: 'é'.repeat(1_025), sk: 's' } }],
    ['a sort key over 1,024 bytes', 'Put', { Item: { pk: 'p', sk: 'x'.repeat(1_025) } }],
    ['an index key that is empty', 'Put', { Item: { ...Key, ipk: '', isk: '1' } }],
    ['an item over 400 KB', 'Put', { Item: { ...Key, text: 'x'.repeat(400 * 1024) } }],
    ['a change of the key', 'Update', { Key, UpdateExpression: 'SET pk = :p', ExpressionAttributeValues: { ':p': 'q' } }],
    ['paths that overlap', 'Update', { Key, UpdateExpression: 'SET one = :v REMOVE one.two', ExpressionAttributeValues: { ':v': 1 } }],
    ['a reserved word', 'Update', { Key, UpdateExpression: 'REMOVE status' }],
    [
      'a placeholder that is not used',
      'Delete',
      { Key, ConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': 'p', ':q': 1 } },
    ],
    ['a placeholder that is not given', 'Delete', { Key, ConditionExpression: 'pk = :p' }],
    ['a comparison with a map', 'Delete', { Key, ConditionExpression: 'num < :m', ExpressionAttributeValues: { ':m': {} } }],
    ['a sum with a text', 'Update', { Key, UpdateExpression: 'ADD num :t', ExpressionAttributeValues: { ':t': 'x' } }],
    ['a consistent read of an index', 'Query', { IndexName: 'byPlace', ConsistentRead: true }],
  ])('the engine rejects what DynamoDB rejects: %s', (_, operation, input) => {
    expect(() => open().execute(operation, { TableName, ...input })).toThrow(expect.objectContaining({ name: 'ValidationException' }));
  });

  test('the engine rejects two writes of one item in a transaction', () => {
    const TransactItems = [{ Put: { TableName, Item: Key } }, { Delete: { TableName, Key } }];
    expect(() => open().execute('TransactWrite', { TransactItems })).toThrow('multiple operations on one item');
  });
});

describe('faults', () => {
  test("a rejected call writes nothing and has DynamoDB's error", () => {
    const engine = open();
    const errorNameOf = (fault: 'conflict' | 'throttled' | 'unavailable') => {
      try {
        return engine.execute('Put', { TableName, Item: Key }, fault);
      } catch (error) {
        return (error as Error).name;
      }
    };
    expect([errorNameOf('conflict'), errorNameOf('throttled'), errorNameOf('unavailable')]).toEqual([
      'TransactionConflictException',
      'ThrottlingException',
      'InternalServerError',
    ]);
    expect(get(engine)).toBeUndefined();
  });

  test('a call that is partly done leaves the last key of a batch', () => {
    const engine = open();
    put(engine);
    const Keys = [Key, { pk: 'p', sk: 't' }];
    const RequestItems = { [TableName]: { Keys, ConsistentRead: true } };
    expect(engine.execute('BatchGet', { RequestItems }, 'unprocessed')).toEqual({
      Responses: { [TableName]: [Key] },
      UnprocessedKeys: { [TableName]: { Keys: [Keys[1]], ConsistentRead: true } },
    });
  });
});

test('a transaction with the same token is done once within ten minutes', () => {
  let nowMs = 0;
  const engine = open({ now: () => nowMs });
  const add = () =>
    engine.execute('TransactWrite', {
      ClientRequestToken: 'once',
      TransactItems: [{ Update: { TableName, Key, UpdateExpression: 'ADD num :one', ExpressionAttributeValues: { ':one': 1 } } }],
    });
  add();
  nowMs = 599_999;
  add();
  expect(get(engine)).toEqual({ ...Key, num: 1 });
  nowMs = 600_000;
  add();
  expect(get(engine)).toEqual({ ...Key, num: 2 });
});

test('an index shows a prefix of the history, and never an older state again', () => {
  let [nowMs, lagMs] = [0, 0];
  const engine = open({ now: () => nowMs, indexLagMs: () => lagMs });
  const shown = () => {
    const input = { TableName, IndexName: 'byPlace', KeyConditionExpression: 'ipk = :p', ExpressionAttributeValues: { ':p': 'x' } };
    return (engine.execute('Query', input) as { Items: { isk: string; view?: unknown; secret?: unknown }[] }).Items;
  };
  put(engine, { ipk: 'x', isk: '1', view: { a: 1 }, secret: 1 });
  nowMs = 1_000;
  put(engine, { ipk: 'x', isk: '2' });
  lagMs = 500;
  expect(shown()).toEqual([{ ...Key, ipk: 'x', isk: '1', view: { a: 1 } }]);
  lagMs = 0;
  expect(shown()).toEqual([{ ...Key, ipk: 'x', isk: '2' }]);
  lagMs = 5_000;
  expect(shown()).toEqual([{ ...Key, ipk: 'x', isk: '2' }]);
});

test('the stream has every effective change once, with both images, and each partition on one shard', () => {
  const engine = open();
  put(engine, { num: 1 });
  put(engine, { num: 1 });
  put(engine, { num: 2 });
  engine.execute('Delete', { TableName, Key });
  engine.execute('Delete', { TableName, Key });
  const table = engine.table(TableName);
  const records = table.changes.map((change) => recordOf(table, change));
  expect(records.map(({ eventName, dynamodb }) => [eventName, dynamodb?.OldImage?.['num']?.N, dynamodb?.NewImage?.['num']?.N])).toEqual([
    ['INSERT', undefined, '1'],
    ['MODIFY', '1', '2'],
    ['REMOVE', '2', undefined],
  ]);
  const numbers = records.map(({ dynamodb }) => dynamodb?.SequenceNumber);
  expect(numbers).toEqual(numbers.toSorted());
  expect(new Set(records.map(({ eventID }) => eventID)).size).toBe(3);
  expect(new Set(table.changes.map((change) => hashPosition(change, 'pk'))).size).toBe(1);
});

test('changing a written or a read object does not change the table', () => {
  const engine = open();
  const view = { list: [1] };
  put(engine, { view });
  view.list.push(2);
  (get(engine) as { view: { list: number[] } }).view.list.push(3);
  expect(get(engine)).toEqual({ ...Key, view: { list: [1] } });
});
