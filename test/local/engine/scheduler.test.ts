import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openParking } from '../../../local/engine/parking.ts';
import { type LocalQueue, openQueue } from '../../../local/engine/queue.ts';
import { type LocalScheduler, startScheduler } from '../../../local/engine/scheduler.ts';
import { openState, type State } from '../../../local/engine/state.ts';
import { systemClock } from '../../../shared/core/clock.ts';

let nowMs = 0;
const clock = { ...systemClock, now: () => nowMs };
let folder: string;
let state: State;
let queue: LocalQueue;
let scheduler: LocalScheduler;

const start = async () => {
  state = await openState(folder);
  queue = openQueue({ state, name: 'deliveries', clock, visibilityTimeoutMs: 1000, maxReceiveCount: 5 });
  scheduler = startScheduler({ state, queue, clock });
};
const stop = () => {
  scheduler.stop();
  state.close();
};
/** Resolves at the next firing, after its schedule is removed. */
const nextChange = () => new Promise<void>((resolve) => queue.onChange(() => setImmediate(resolve)));

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'scheduler-'));
  nowMs = 1_000_000;
  await start();
});
afterEach(() => {
  stop();
  rmSync(folder, { recursive: true, force: true });
});

const pending = () => state.prepare('SELECT count(*) AS pending FROM schedules').get()?.['pending'];
const message = (name: string, atMs: number) => ({ name, atMs, body: name, groupId: 'a' });

test('a schedule puts its message on the queue when it is due, and is gone', async () => {
  await scheduler.schedule(message('one', nowMs + 500));
  expect(queue.depth().waiting).toBe(0);
  const fired = nextChange();
  nowMs += 500;
  await fired;
  expect(queue.receive('a')).toMatchObject([{ body: 'one', groupId: 'a' }]);
  expect(pending()).toBe(0);
});

test('a name is scheduled once', async () => {
  await scheduler.schedule(message('one', nowMs + 500));
  await scheduler.schedule({ ...message('one', nowMs + 900), body: 'other' });
  expect(pending()).toBe(1);
});

test('an earlier schedule made later fires first', async () => {
  await scheduler.schedule(message('late', nowMs + 500_000));
  await scheduler.schedule(message('soon', nowMs + 10));
  const fired = nextChange();
  nowMs += 10;
  await fired;
  expect(queue.receive('a')).toMatchObject([{ body: 'soon' }]);
  expect(pending()).toBe(1);
});

test('schedules outlive the service, and what came due meanwhile fires at start', async () => {
  await scheduler.schedule(message('kept', nowMs + 500));
  stop();
  nowMs += 10_000;
  await start();
  if (queue.depth().waiting === 0) await nextChange();
  expect(queue.receive('a')).toMatchObject([{ body: 'kept' }]);
});

test('a parked record is stored unchanged and can be parked again', async () => {
  const parking = openParking(state, 'us', queue);
  await parking.park('stream/k', '{"a":1}');
  await parking.park('stream/k', '{"a":2}');
  expect(await parking.fetch('stream/k')).toBe('{"a":2}');
  expect(queue.receive('us')).toMatchObject([{ body: expect.stringContaining('"key":"stream%2Fk"') }, {}]);
  expect(await openParking(state, 'eu', queue).fetch('stream/k')).toBeUndefined();
});

test('a record that a check parks is stored, and sends no notice', async () => {
  const parking = openParking(state, 'us', queue);
  await parking.park('check/mark.json', '{}');
  expect(await parking.fetch('check/mark.json')).toBe('{}');
  expect(queue.receive('us')).toEqual([]);
});
