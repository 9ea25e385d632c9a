import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from '@jest/globals';
import { openState, transact } from '../../../local/engine/state.ts';
import { UsageError } from '../../../local/options.ts';

const otherTables = 'The data directory was made by a version of the service with other tables: delete it, or choose another with --data.';

test.each([
  ['dynamodb.db', 'its engine was another program'],
  ['dynamodb-local', "its engine was Amazon's"],
])('a directory of an older version is rejected in one sentence: it has %s, because %s', async (name) => {
  const folder = mkdtempSync(join(tmpdir(), 'state-'));
  writeFileSync(join(folder, name), '');
  await expect(openState(folder)).rejects.toThrow(new UsageError(otherTables));
  rmSync(folder, { recursive: true, force: true });
});

test('a state of an older version whose tables are gone is rejected in one sentence', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'state-'));
  const old = new DatabaseSync(join(folder, 'state.db'));
  old.exec("CREATE TABLE notes (name TEXT PRIMARY KEY, value TEXT NOT NULL); INSERT INTO notes VALUES ('demo', '{}')");
  old.close();
  await expect(openState(folder)).rejects.toThrow(new UsageError(otherTables));
  rmSync(folder, { recursive: true, force: true });
});

test('a damaged file is rejected in one sentence', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'state-'));
  writeFileSync(join(folder, 'state.db'), 'x'.repeat(10_000));
  await expect(openState(folder)).rejects.toThrow(
    new UsageError(`${join(folder, 'state.db')} is damaged: restore it from a backup, or choose another --data directory.`),
  );
  rmSync(folder, { recursive: true, force: true });
});

test('a second service on the same directory is rejected in one sentence', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'state-'));
  const state = await openState(folder);
  await expect(openState(folder, 50)).rejects.toThrow(
    `Another service is running on ${folder}: stop it, or choose another --data directory.`,
  );
  state.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a full disk is reported as such, and the state works again once there is space', async () => {
  const state = await openState(undefined);
  const pages = Number(state.prepare('PRAGMA page_count').get()?.['page_count']);
  const insert = () => transact(state, () => state.prepare('INSERT INTO notes (name, value) VALUES (?, ?)').run('a', 'x'.repeat(100_000)));
  state.exec(`PRAGMA max_page_count = ${pages}`);
  expect(insert).toThrow('database or disk is full');
  state.exec('PRAGMA max_page_count = 1000000');
  insert();
  expect(state.prepare('SELECT count(*) AS count FROM notes').get()).toEqual({ count: 1 });
  state.close();
});

const modeOf = (path: string): number => statSync(path).mode & 0o777;

test('the service closes a directory that another command made, and its files, to other users', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'state-'));
  chmodSync(folder, 0o755);
  for (const name of ['service.log', 'other.txt']) {
    writeFileSync(join(folder, name), '');
    chmodSync(join(folder, name), 0o644);
  }
  const state = await openState(folder);
  state.exec("INSERT INTO notes (name, value) VALUES ('a', 'b')");
  expect(modeOf(folder)).toBe(0o700);
  expect(['service.log', 'state.db', 'state.db-wal', 'other.txt'].map((name) => modeOf(join(folder, name)))).toEqual([
    0o600, 0o600, 0o600, 0o644,
  ]);
  state.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a directory that is open to all users is rejected', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'state-'));
  chmodSync(folder, 0o1777);
  await expect(openState(folder)).rejects.toThrow(`--data ${folder} is open to all users: choose a directory of your own.`);
  expect(modeOf(folder)).toBe(0o777);
  rmSync(folder, { recursive: true, force: true });
});

test('a transaction that fails leaves nothing', async () => {
  const state = await openState(undefined);
  const work = () => {
    state.exec("INSERT INTO notes (name, value) VALUES ('a', 'b')");
    throw new Error('no');
  };
  expect(() => transact(state, work)).toThrow('no');
  expect(state.prepare('SELECT count(*) AS count FROM notes').get()).toEqual({ count: 0 });
  state.close();
});
