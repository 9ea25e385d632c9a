import { expect, test } from '@jest/globals';
import { calm, FaultSource } from '../scheduler/faults.ts';
import type { Process } from '../scheduler/process.ts';
import { createScheduler } from '../scheduler/scheduler.ts';
import { LambdaFunction } from './functions.ts';

/** Plays an invocation that leaves a freezing call behind, and the next one, whose only call is done. */
const playLeftover = async (seed: number) => {
  const scheduler = createScheduler(seed, { virtualMs: 600_000, events: 1_000 });
  const faults = new FaultSource();
  faults.level = { ...calm, fates: { freezes: 1_000 } };
  const page = new LambdaFunction('page', { scheduler, faults, notUnderstood: [] }, 300_000, (process) => process);
  let frozeIn: number | undefined;
  const freeze = (process: Process) => () => {
    frozeIn = process.invocations;
  };
  const play = async () => {
    const first = await page.invoke(async (process) => {
      void process.call({ what: 'left behind', carry: freeze(process), faults: ['freezes'] });
    });
    await scheduler.sleep(60_000);
    const next = await page.invoke((process) => process.call({ what: 'own', carry: () => undefined, faults: [] }), undefined, true);
    return { frozeIn, freezes: [first.met.freezes, next.met.freezes] };
  };
  return scheduler.run(play());
};

test('a call that an earlier invocation left behind counts as a freeze of the invocation that it freezes', async () => {
  const played = await Promise.all(Array.from({ length: 10 }, (_, seed) => playLeftover(seed)));
  expect(new Set(played.map(({ frozeIn }) => frozeIn))).toEqual(new Set([1, 2]));
  expect(played).toEqual(played.map(({ frozeIn }) => ({ frozeIn, freezes: [0, frozeIn === 2 ? 1 : 0] })));
});
