import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openCheckpoint } from '../../../local/engine/checkpoints.ts';
import { openState, transact } from '../../../local/engine/state.ts';

test('a checkpoint belongs to its stream: a stream made anew is read from the beginning', async () => {
  const state = await openState(undefined);
  openCheckpoint(state, 'bakery-us', 'arn:1').save({ shardId: 's', sequenceNumber: '7' });
  expect(openCheckpoint(state, 'bakery-us', 'arn:1').load()).toEqual({ shardId: 's', sequenceNumber: '7' });
  expect(openCheckpoint(state, 'bakery-us', 'arn:2').load()).toBeUndefined();
  state.close();
});

test('a second service on the same directory is refused in one sentence', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'state-'));
  const state = await openState(folder);
  await expect(openState(folder, 50)).rejects.toThrow(
    `Another service is running on ${folder}: stop it, or choose another --data directory.`,
  );
  state.close();
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
