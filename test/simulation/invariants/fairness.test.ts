import { expect, test } from '@jest/globals';
import { calm, FaultSource } from '../scheduler/faults.ts';
import { createScheduler } from '../scheduler/scheduler.ts';
import { EventSource, type HandedOut } from '../world/event-source.ts';
import { QueueModel } from '../world/queue.ts';
import { longWaits } from './fairness.ts';

const s = 1_000;
const invocationMs = 60 * s;
const visibilityMs = 360 * s;

/**
 * A message of an account, in seconds: when it was visible, received, and how long its invocation
 * and its flight took.
 */
const handed = (account: string, [visible, at, ended, until]: readonly [number, number, number, number]): HandedOut => ({
  ...{ body: JSON.stringify({ account }), receives: 1 },
  ...{ visibleMs: visible * s, atMs: at * s, endedMs: ended * s, untilMs: until * s },
});
const quick = handed('a', [0, 0, 1, 1]);
const busy = handed('a', [0, 0, 30, 30]);
const hangs = handed('b', [0, 0, 60, 60]);
const dead = handed('a', [0, 0, 30, 360]);
const next = (at: number): HandedOut => handed('a', [0, at, at + 1, at + 1]);

test.each([
  ['is quiet and waits a minute', [hangs, quick, next(60)], 0],
  ['is quiet and waits a millisecond longer', [hangs, quick, next(60.001)], 1],
  ['used over a tenth of the time itself and waits three minutes', [hangs, busy, next(180)], 0],
  ['used over a tenth of the time itself and waits a millisecond longer', [hangs, busy, next(180.001)], 1],
  ['waits three minutes beside the 330 s that a message of a dead invocation is in flight', [hangs, dead, next(510)], 0],
  ['waits a millisecond longer beside a dead invocation', [hangs, dead, next(510.001)], 1],
  ['had two messages in the same dead invocation', [hangs, dead, dead, next(510.001)], 1],
  ['waits while only messages of another account are left in flight', [handed('b', [0, 0, 30, 360]), quick, next(61)], 1],
] as const)('the fairness invariant counts the waits that are too long if an account %s', (_title, messages, breaches) => {
  expect(longWaits(messages)).toHaveLength(breaches);
});

/**
 * Returns the messages that the event source gave out, if the first messages of an account were in
 * invocations that died, and then a message of it waits beside another account whose receivers hang.
 */
const waitBehind = async (seed: number, died: number) => {
  const scheduler = createScheduler(seed, { virtualMs: 3_600_000, events: 10_000 });
  const faults = new FaultSource();
  faults.level = calm;
  const world = { scheduler, faults, notUnderstood: [] };
  const queue = new QueueModel({ world, name: 'delivery' });
  let dies = true;
  const source = new EventSource({
    ...{ world, queue, concurrency: 2 },
    async invoke() {
      if (dies) throw new Error('The process died.');
      await scheduler.sleep(invocationMs);
      return { result: { batchItemFailures: [] }, by: 'deliver#1/1', met: { faults: 0, freezes: 0, ms: invocationMs } };
    },
  });
  const put = (account: string, name: string) => queue.put({ body: JSON.stringify({ account, name }), groupId: account });
  for (let i = 0; i < died; i++) put('victim', 'dies');
  await scheduler.run(scheduler.sleep(s));
  dies = false;
  for (let i = 0; i < 1_000; i++) put('hangs', 'hangs');
  await scheduler.run(scheduler.sleep(s));
  put('victim', 'waits');
  const sinceMs = scheduler.now();
  await scheduler.run(scheduler.sleep(visibilityMs + 3 * invocationMs));
  return { handedOut: source.handedOut, sinceMs };
};

const seeds = Array.from({ length: 10 }, (_, seed) => seed);
/** Returns the longest time until the victim gets a delivery again, over all seeds. */
const longest = async (died: number): Promise<{ readonly waitedMs: number; readonly breaches: number }> => {
  const played = await Promise.all(seeds.map((seed) => waitBehind(seed, died)));
  const waits = played.map(({ handedOut, sinceMs }) => {
    const next = handedOut.find(({ atMs, body }) => atMs > sinceMs && body.includes('victim'));
    return (next?.atMs ?? Number.POSITIVE_INFINITY) - sinceMs;
  });
  return { waitedMs: Math.max(...waits), breaches: played.flatMap(({ handedOut }) => longWaits(handedOut)).length };
};

test.each([0, 1, 2])('an account with %d messages in flight is quiet, and is next when an invocation ends', async (died) => {
  const { waitedMs, breaches } = await longest(died);
  expect({ isNext: waitedMs <= invocationMs, breaches }).toEqual({ isNext: true, breaches: 0 });
});

test('an account with more messages of dead invocations in flight than the others hold waits until SQS shows them again', async () => {
  const { waitedMs, breaches } = await longest(20);
  expect({ isLong: waitedMs > 180 * s, isShown: waitedMs <= visibilityMs + invocationMs, breaches }).toEqual({
    isLong: true,
    isShown: true,
    breaches: 0,
  });
});
