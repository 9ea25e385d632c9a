import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Engine, openEngine } from '../../../local/engine/engine.ts';
import { openMemory, openState, type State } from '../../../local/engine/state.ts';
import { shapesOf } from '../../../local/engine/tables.ts';
import { UsageError } from '../../../local/options.ts';

const tables = shapesOf({ tableName: 'bakery-us', bucketsTableName: 'bakery-us-buckets' });
const TableName = 'bakery-us';
const Key = { pk: 'exp#a', sk: '1' };

let folder: string;
let state: State;
let nowMs: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'engine-'));
  state = openMemory();
  nowMs = 1_000_000;
});
afterEach(() => {
  if (state.isOpen) state.close();
  rmSync(folder, { recursive: true, force: true });
});

const open = (on = state, shapes = tables): Engine => openEngine(on, shapes, () => nowMs);
const put = (engine: Engine, fields: object = {}) => engine.execute('Put', { TableName, Item: { ...Key, ...fields } });
const get = (engine: Engine) => (engine.execute('Get', { TableName, Key, ConsistentRead: true }) as { Item?: unknown }).Item;
const add = (engine: Engine) =>
  engine.execute('TransactWrite', {
    ClientRequestToken: 'once',
    TransactItems: [{ Update: { TableName, Key, UpdateExpression: 'ADD num :one', ExpressionAttributeValues: { ':one': 1 } } }],
  });
const changes = async (engine: Engine, after = 0) => await engine.changes(TableName, after, 1_000);

test('an item is read from a file as it was written, also bytes, sets and strange names', async () => {
  const item = {
    text: 'a\u0000b\u2028 🍞 "\\',
    numbers: [0, -1.5, 1e-7, 9_007_199_254_740_991],
    inner: { bytes: Uint8Array.of(0, 255), list: [null, true, Uint8Array.of(), { marks: new Set([3, 1]) }], '': 'empty', B: ['B', 'list'] },
  };
  const first = await openState(folder);
  put(open(first), item);
  first.close();
  const second = await openState(folder);
  expect(get(open(second))).toEqual({ ...Key, ...item });
  second.close();
});

test.each<[string, unknown]>([
  ['undefined in a set', new Set([1, undefined])],
  ['an empty set', new Set()],
  ['NaN', Number.NaN],
  ['infinity', Number.POSITIVE_INFINITY],
  ['a number beyond 2^53', 2 ** 53],
  ['a function', () => 1],
  ['a date', new Date(0)],
  ['a big integer', 1n],
])("the engine rejects what the SDK's document client rejects, and stores nothing: %s", (_, value) => {
  const engine = open();
  expect(() => put(engine, { value })).toThrow();
  expect(() => put(engine, { deep: [{ value }] })).toThrow();
  expect(get(engine)).toBeUndefined();
});

test('the engine leaves out undefined fields and entries, as the client is configured to', () => {
  const engine = open();
  put(engine, { one: undefined, list: [1, undefined, 2], inner: { two: undefined } });
  expect(get(engine)).toStrictEqual({ ...Key, list: [1, 2], inner: {} });
});

test('a table with other keys is rejected in one sentence', () => {
  open();
  const [data, ...others] = tables;
  const changed = [{ ...data, indexes: [] }, ...others] as typeof tables;
  expect(() => open(state, changed)).toThrow(
    new UsageError('The data directory was made by a version of the service with other tables: delete it, or choose another with --data.'),
  );
});

test('a transaction with the same token is done once within ten minutes, also after a restart', async () => {
  const first = await openState(folder);
  add(open(first));
  first.close();
  nowMs += 599_999;
  const second = await openState(folder);
  const engine = open(second);
  add(engine);
  expect(get(engine)).toMatchObject({ num: 1 });
  nowMs += 1;
  add(engine);
  expect(get(engine)).toMatchObject({ num: 2 });
  second.close();
});

describe('the change stream', () => {
  test('a write that fails in the middle leaves neither an item nor a change', async () => {
    const engine = open();
    put(engine, { num: 1 });
    state.exec("CREATE TRIGGER full BEFORE INSERT ON changes BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END");
    expect(() => put(engine, { num: 2 })).toThrow('full');
    expect(() => add(engine)).toThrow('full');
    state.exec('DROP TRIGGER full');
    expect(get(engine)).toEqual({ ...Key, num: 1 });
    expect(await changes(engine)).toHaveLength(1);
    add(engine);
    expect(get(engine)).toEqual({ ...Key, num: 2 });
  });

  test('trimming keeps the newest change, and numbering continues from it', async () => {
    const engine = open();
    for (let num = 0; num < 5; num++) put(engine, { num });
    engine.trim(TableName, 5);
    expect((await changes(engine)).map(({ dynamodb }) => dynamodb?.SequenceNumber)).toEqual(['5']);
    put(engine, { num: 9 });
    expect((await changes(engine, 5)).map(({ dynamodb }) => dynamodb?.SequenceNumber)).toEqual(['6']);
  });

  test('ids of records are the same at every read, and other in another file', async () => {
    const engine = open();
    put(engine);
    const [[first], [again]] = [await changes(engine), await changes(open())];
    expect(again?.eventID).toBe(first?.eventID);
    state.exec("UPDATE tables SET stream = 'another'");
    expect((await changes(open()))[0]?.eventID).not.toBe(first?.eventID);
  });
});

test('expired items are deleted with their index entries, some at a time, and the stream shows who deleted them', async () => {
  const engine = open();
  const expires_at = nowMs / 1000;
  for (const sk of ['1', '2', '3'])
    engine.execute('Put', { TableName, Item: { ...Key, sk, pk1: 'list', sk1: sk, ...(sk === '3' ? {} : { expires_at }) } });
  const listed = () => {
    const input = { TableName, IndexName: 'gsi1', KeyConditionExpression: 'pk1 = :p', ExpressionAttributeValues: { ':p': 'list' } };
    return (engine.execute('Query', input) as { Items: { sk: string }[] }).Items.map(({ sk }) => sk);
  };
  expect(engine.expire(10)).toBe(0);
  nowMs += 1_000;
  expect([engine.expire(1), engine.expire(10)]).toEqual([1, 1]);
  expect(listed()).toEqual(['3']);
  expect((await changes(engine, 3)).map(({ eventName, userIdentity }) => [eventName, userIdentity])).toEqual(
    Array(2).fill(['REMOVE', { type: 'Service', principalId: 'dynamodb.amazonaws.com' }]),
  );
});

test('a page that ends before its range leaves no statement open', () => {
  const engine = open();
  for (let sk = 0; sk < 4; sk++) engine.execute('Put', { TableName, Item: { ...Key, sk: String(sk), text: 'x'.repeat(390_000) } });
  const input = { TableName, ConsistentRead: true, KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': Key.pk } };
  const page = engine.execute('Query', input) as { readonly Count: number; readonly LastEvaluatedKey?: object };
  expect([page.Count, page.LastEvaluatedKey]).toEqual([2, { ...Key, sk: '1' }]);
  // SQLite runs this only if no statement is open.
  state.exec('VACUUM');
});
