import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type LocalQueue, openQueue, queueSteps } from '../../../local/engine/queue.ts';
import { openState, type State } from '../../../local/engine/state.ts';
import { systemClock } from '../../../shared/core/clock.ts';

const visibilityTimeoutMs = 6000;
let nowMs = 1_000_000;
const clock = { ...systemClock, now: () => nowMs };
let state: State;
let queue: LocalQueue;
const open = (): LocalQueue => openQueue({ state, name: 'deliveries', clock, visibilityTimeoutMs, maxReceiveCount: 2 });
const deadLetters = () =>
  state
    .prepare('SELECT body FROM messages WHERE queue = ? ORDER BY rowid')
    .all('deliveries-dead-letters')
    .map((row) => row['body']);
const bodies = (groupId: string) => queue.receive(groupId).map((message) => message.body);

beforeEach(async () => {
  nowMs = 1_000_000;
  state = await openState(undefined);
  queue = open();
});
afterEach(() => state.close());

test('a received message is in flight until it is removed', async () => {
  await queue.send([{ body: 'one', groupId: 'a' }]);
  const received = queue.receive('a');
  expect(bodies('a')).toEqual([]);
  queue.remove(received);
  expect(queue.depth()).toEqual({ waiting: 0, delayed: 0, in_flight: 0 });
});

test('a batch holds at most 10 messages of one group, oldest first', async () => {
  await queue.send([...Array.from({ length: 12 }, (_, i) => ({ body: `a${i}`, groupId: 'a' })), { body: 'b', groupId: 'b' }]);
  expect(bodies('a')).toEqual(Array.from({ length: 10 }, (_, i) => `a${i}`));
  expect(bodies('a')).toEqual(['a10', 'a11']);
});

test('a delayed message waits for its delay', async () => {
  await queue.send([{ body: 'later', groupId: 'a', delaySeconds: 0.25 }]);
  expect(queue.waitingGroups()).toEqual([]);
  expect(queue.nextVisibleMs()).toBe(nowMs + 250);
  nowMs += 250;
  expect(bodies('a')).toEqual(['later']);
});

test('a released message comes back when its visibility timeout has passed since the receive', async () => {
  await queue.send([{ body: 'again', groupId: 'a' }]);
  const received = queue.receive('a');
  nowMs += 1000;
  queue.release(received);
  nowMs += visibilityTimeoutMs - 1001;
  expect(bodies('a')).toEqual([]);
  nowMs += 1;
  expect(queue.receive('a')).toMatchObject([{ body: 'again', receiveCount: 2, firstReceivedMs: 1_000_000 }]);
});

test('a message is released whatever its visibility timeout is divided by', async () => {
  queue = openQueue({ state, name: 'deliveries', clock, visibilityTimeoutMs: visibilityTimeoutMs / 7, maxReceiveCount: 2 });
  await queue.send([{ body: 'again', groupId: 'a' }]);
  queue.release(queue.receive('a'));
  nowMs += visibilityTimeoutMs;
  expect(bodies('a')).toEqual(['again']);
});

test('a message received too often goes to the dead-letter queue', async () => {
  await queue.send([
    { body: 'poison', groupId: 'a' },
    { body: 'late', groupId: 'a', delaySeconds: 10 },
  ]);
  for (let receives = 0; receives < 2; receives++) {
    queue.release(queue.receive('a'));
    nowMs += visibilityTimeoutMs;
  }
  expect(bodies('a')).toEqual(['late']);
  expect(deadLetters()).toEqual(['poison']);
});

test('messages received too often do not keep those behind them from being handed out', async () => {
  const poison = Array.from({ length: 25 }, (_, i) => `poison ${i}`);
  await queue.send(poison.map((body) => ({ body, groupId: 'a' })));
  for (let receives = 0; receives < 2; receives++) {
    for (let batches = 0; batches < 3; batches++) queue.putBack(queue.receive('a'));
    nowMs += 1;
  }
  // Released messages come first again, so the ten oldest are received repeatedly.
  while (deadLetters().length < poison.length) queue.putBack(queue.receive('a'));
  await queue.send([{ body: 'well', groupId: 'a' }]);
  expect(bodies('a')).toEqual(['well']);
  expect(deadLetters().toSorted()).toEqual(poison.toSorted());
});

test.each(Object.entries(queueSteps))('the step %s reads no more if a hundred thousand wait: each read is one of an index', (_, sql) => {
  const plan = state
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .all()
    .map(({ detail }) => String(detail))
    .filter((detail) => detail.includes(' messages'));
  expect(plan.length).toBeGreaterThan(0);
  for (const detail of plan)
    expect(detail).toMatch(/^SEARCH messages USING (COVERING )?INDEX \w+ \((id=\?|queue=\?( AND group_id.*| AND visible_ms.*)?)\)$/);
  // The index has the order in which messages are received, so the search ends after ten.
  const looks = sql.includes('LIMIT')
    ? plan.filter((detail) => detail.includes('waiting_by_group (queue=? AND group_id=? AND visible_ms<?)'))
    : plan;
  expect(looks.length).toBeGreaterThan(0);
});

test('groups are returned in the order of their waiting time', async () => {
  await queue.send([{ body: '1', groupId: 'slow' }]);
  nowMs += 1;
  await queue.send([
    { body: '2', groupId: 'quick' },
    { body: '3', groupId: 'slow' },
  ]);
  expect(queue.waitingGroups()).toEqual(['slow', 'quick']);
});

test('queues of one state share nothing', async () => {
  const other = openQueue({ state, name: 'other', clock, visibilityTimeoutMs, maxReceiveCount: 2 });
  await queue.send([{ body: 'mine', groupId: 'a' }]);
  expect(other.waitingGroups()).toEqual([]);
  expect(other.receive('a')).toEqual([]);
});

describe('a queue on disk', () => {
  let folder: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'state-'));
    state.close();
    state = await openState(folder);
    queue = open();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('a message in flight when the service died is visible after the recovery, and the lost receive does not count', async () => {
    await queue.send([
      { body: 'one', groupId: 'a' },
      { body: 'two', groupId: 'a', delaySeconds: 60 },
    ]);
    queue.receive('a');
    state.close();
    state = await openState(folder);
    queue = open();
    expect(queue.waitingGroups()).toEqual([]);
    expect(queue.recover()).toEqual(['one']);
    expect(queue.receive('a')).toMatchObject([{ body: 'one', receiveCount: 1 }]);
    expect(queue.depth()).toMatchObject({ delayed: 1 });
  });
});
