import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openCheckpoint } from '../../../local/engine/checkpoint.ts';
import { decode } from '../../../local/engine/encoding.ts';
import { openEngine } from '../../../local/engine/engine.ts';
import { openQueue } from '../../../local/engine/queue.ts';
import { startScheduler } from '../../../local/engine/scheduler.ts';
import { openState, type State } from '../../../local/engine/state.ts';
import { shapesOf } from '../../../local/engine/tables.ts';

const TableName = 'bakery-us';
const clock = { now: () => 1_000, sleep: async () => {} };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'killed-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const commandsOn = (state: State): Readonly<Record<string, () => unknown>> => {
  const engine = openEngine(state, shapesOf({ tableName: TableName, bucketsTableName: 'bakery-us-buckets' }), clock.now);
  const queue = openQueue({ state, name: 'deliveries-us', clock, visibilityTimeoutMs: 1_000, maxReceiveCount: 20 });
  const keyOf = (sk: string) => ({ pk: 'exp#a', sk });
  const listed = (sk: string, at: string) => ({ ...keyOf(sk), pk1: 'list', sk1: `${at}#${sk}`, num: 1 });
  const transaction = (name: string, TransactItems: readonly object[]) =>
    engine.execute('TransactWrite', { ClientRequestToken: name, TransactItems });
  const change = (sk: string, UpdateExpression: string, values: object) => ({
    Update: { TableName, Key: keyOf(sk), UpdateExpression, ExpressionAttributeValues: values },
  });

  return {
    put: () => engine.execute('Put', { TableName, Item: listed('1', '1') }),
    'move in the index': () =>
      engine.execute('Update', {
        TableName,
        Key: keyOf('1'),
        UpdateExpression: 'SET sk1 = :s',
        ExpressionAttributeValues: { ':s': '2#1' },
      }),
    transaction: () =>
      transaction('first', [
        { Put: { TableName, Item: listed('2', '1') } },
        change('1', 'SET num = num + :n, sk1 = :s', { ':n': 1, ':s': '3#1' }),
        { Put: { TableName, Item: listed('3', '1') } },
      ]),
    deletion: () => transaction('second', [{ Delete: { TableName, Key: keyOf('2') } }, change('1', 'ADD num :n', { ':n': 1 })]),
    messages: () => queue.send(['a', 'b'].map((body) => ({ body, groupId: 'g' }))),
    receive: () => queue.receive('g'),
    schedule: async () => {
      const scheduler = startScheduler({ state, queue, clock });
      await scheduler.schedule({ name: 'later', atMs: 9_000, groupId: 'g', body: 'c' });
      scheduler.stop();
    },
    position: () => openCheckpoint(state, TableName).save(3),
  };
};

const tables = ['items', 'entries', 'changes', 'tokens', 'messages', 'schedules', 'checkpoints'];

interface Moment {
  /** A copy of the files as they were then: what a process that is killed then leaves on the disk. */
  readonly dataDir: string;
  /** The commands that had returned. */
  readonly returned: readonly string[];
}

/** Runs all commands and copies the files at each write of a row, and after each command. */
const run = async (): Promise<readonly Moment[]> => {
  const state = await openState(join(folder, 'running'));
  const commands = commandsOn(state);
  const returned: string[] = [];
  const moments: Moment[] = [];
  const copy = () => {
    const dataDir = join(folder, String(moments.length));
    cpSync(join(folder, 'running'), dataDir, { recursive: true });
    moments.push({ dataDir, returned: [...returned] });
    return moments.length;
  };
  state.function('copy_files', copy);
  for (const table of tables)
    for (const event of ['INSERT', 'UPDATE', 'DELETE'])
      state.exec(`CREATE TEMP TRIGGER ${table}_${event} AFTER ${event} ON main.${table} BEGIN SELECT copy_files(); END`);
  for (const [name, command] of Object.entries(commands)) {
    await command();
    returned.push(name);
    copy();
  }
  state.close();
  return moments;
};

type Row = Readonly<Record<string, any>>;
const rows = (state: State, sql: string): readonly Row[] => state.prepare(sql).all();
const itemsOf = (state: State) =>
  rows(state, 'SELECT id, text, special FROM items ORDER BY sk').map((row) => [row['id'], decode(row as never)]);

/** Everything that the commands leave, in the order of the commands. */
const finalStateOf = (state: State) => ({
  items: itemsOf(state).map(([, { sk, sk1, num }]: any) => [sk, sk1, num]),
  changes: rows(state, 'SELECT sk, old IS NULL AS made, new IS NULL AS gone FROM changes ORDER BY position').map((row) =>
    Object.values(row),
  ),
  tokens: rows(state, 'SELECT token FROM tokens ORDER BY token').map(({ token }) => token),
  messages: rows(state, 'SELECT body, in_flight FROM messages ORDER BY body').map((row) => Object.values(row)),
  schedules: rows(state, 'SELECT name FROM schedules').length,
  position: rows(state, 'SELECT position FROM checkpoints')[0]?.['position'],
});

/** What each command adds or replaces. */
const steps: readonly (readonly [name: string, leaves: Partial<ReturnType<typeof finalStateOf>>])[] = [
  ['put', { items: [['1', '1#1', 1]], changes: [['1', 1, 0]] }],
  [
    'move in the index',
    {
      items: [['1', '2#1', 1]],
      changes: [
        ['1', 1, 0],
        ['1', 0, 0],
      ],
    },
  ],
  [
    'transaction',
    {
      items: [
        ['1', '3#1', 2],
        ['2', '1#2', 1],
        ['3', '1#3', 1],
      ],
      changes: [
        ['1', 1, 0],
        ['1', 0, 0],
        ['2', 1, 0],
        ['1', 0, 0],
        ['3', 1, 0],
      ],
      tokens: ['first'],
    },
  ],
  [
    'deletion',
    {
      items: [
        ['1', '3#1', 3],
        ['3', '1#3', 1],
      ],
      changes: [
        ['1', 1, 0],
        ['1', 0, 0],
        ['2', 1, 0],
        ['1', 0, 0],
        ['3', 1, 0],
        ['2', 0, 1],
        ['1', 0, 0],
      ],
      tokens: ['first', 'second'],
    },
  ],
  [
    'messages',
    {
      messages: [
        ['a', 0],
        ['b', 0],
      ],
    },
  ],
  [
    'receive',
    {
      messages: [
        ['a', 1],
        ['b', 1],
      ],
    },
  ],
  ['schedule', { schedules: 1 }],
  ['position', { position: 3 }],
];
const after = (count: number) =>
  Object.assign(
    { items: [], changes: [], tokens: [], messages: [], schedules: 0, position: undefined },
    ...steps.slice(0, count).map(([, leaves]) => leaves),
  );

/** Expects the entries of the index to be those of the items, and the last change of an item to have its text. */
const expectConsistent = (state: State): void => {
  const entries = rows(state, 'SELECT item, sk FROM entries ORDER BY item').map((row) => Object.values(row));
  expect(entries).toEqual(
    itemsOf(state)
      .map(([id, { sk1 }]: any) => [id, sk1])
      .sort(([a], [b]) => Number(a) - Number(b)),
  );
  const stale = rows(
    state,
    'SELECT i.sk FROM items i WHERE i.text <> (SELECT new FROM changes c WHERE c.sk = i.sk ORDER BY position DESC LIMIT 1)',
  );
  expect(stale).toEqual([]);
};

test('after a kill at any write, the files have every command that returned and no part of another', async () => {
  const moments = await run();
  expect(moments.length).toBeGreaterThan(30);
  for (const { dataDir, returned } of moments) {
    expect(returned).toEqual(steps.slice(0, returned.length).map(([name]) => name));
    const state = await openState(dataDir);
    expectConsistent(state);
    expect({ dataDir, ...finalStateOf(state) }).toEqual({ dataDir, ...after(returned.length) });
    state.close();
  }
});
