import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openState, transact } from '../../../local/engine/state.ts';
import { openCheckpoint } from '../../../local/engine/stream-records.ts';

test('a checkpoint belongs to its stream: a new stream is read from the beginning', async () => {
  const state = await openState(undefined);
  openCheckpoint(state, 'bakery-us', 'arn:1').save({ shardId: 's', sequenceNumber: '7' });
  expect(openCheckpoint(state, 'bakery-us', 'arn:1').load()).toEqual({ shardId: 's', sequenceNumber: '7' });
  expect(openCheckpoint(state, 'bakery-us', 'arn:2').load()).toBeUndefined();
  state.close();
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

test('a directory that another command made is closed to other users, with what is kept in it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'state-'));
  chmodSync(folder, 0o755);
  for (const name of ['dynamodb.db', 'service.log', 'other.txt']) {
    writeFileSync(join(folder, name), '');
    chmodSync(join(folder, name), 0o644);
  }
  const state = await openState(folder);
  state.exec("INSERT INTO notes (name, value) VALUES ('a', 'b')");
  expect(modeOf(folder)).toBe(0o700);
  expect(['dynamodb.db', 'service.log', 'state.db', 'state.db-wal', 'other.txt'].map((name) => modeOf(join(folder, name)))).toEqual([
    0o600, 0o600, 0o600, 0o600, 0o644,
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
