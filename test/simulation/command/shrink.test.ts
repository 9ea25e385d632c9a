import { describe, expect, test } from '@jest/globals';
import { shrink } from './shrink.ts';
import { type Cut, nothingCut, type Outcome } from './task.ts';

const invariant = '5: no attempt is counted twice';
const people = ['app-1', 'app-2', 'shop-1', 'shop-2'];
const actions = Array.from({ length: 48 }, (_, i) => `${people[i % 4]}/${Math.floor(i / 4)}`);
const faults = Array.from({ length: 90 }, (_, i) => `answer lost: deliver#1/${i}`);
const limits = { replays: 500, ms: 60_000 };

/**
 * A scenario that breaks the invariant if all named actions and faults happen, and another
 * invariant if none do.
 */
const scenario = (...needles: readonly string[]) => {
  const played: Cut[] = [];
  const play = async (cut: Cut): Promise<Outcome> => {
    played.push(cut);
    const done = actions.filter((action) => !cut.leftOut.includes(action));
    // Fewer actions make fewer calls, which meet other faults.
    const possible = cut.leftOut.length === 0 ? faults : faults.map((name, i) => (i % 7 === 0 ? name : `${name}${done.length}`));
    const met = [...new Set([...possible, ...needles.filter((one) => faults.includes(one))])];
    const befell = cut.onlyFaults === null ? met : met.filter((name) => cut.onlyFaults?.includes(name));
    const breaks = needles.every((needle) => done.includes(needle) || befell.includes(needle));
    const broken = breaks ? invariant : done.length === 0 ? '1: an acknowledged write is there' : undefined;
    return {
      ...{ seed: 7, actions: done, met: befell, breach: broken ? { invariant: broken, sentences: [] } : undefined },
      ...{ calls: 0, virtualMs: 0, faults: {}, invariants: {}, figures: {}, trace: [] },
    };
  };
  return { play, played };
};

describe('shrinking', () => {
  test.each([
    ['one action', ['shop-1/4'], 1],
    ['two actions of two people and two faults', ['app-1/3', 'shop-2/11', 'answer lost: deliver#1/17', 'answer lost: deliver#1/64'], 1],
    ['the same, two replays at a time', ['app-1/3', 'shop-2/11', 'answer lost: deliver#1/17', 'answer lost: deliver#1/64'], 2],
    ['the first and the last', [actions[0] ?? '', actions.at(-1) ?? ''], 3],
  ])('shrinking finds exactly %s', async (_, needles, width) => {
    const { play } = scenario(...needles);
    const { outcome, cut, cutShort } = await shrink(await play(nothingCut), { play, width, limits });
    expect([...outcome.actions, ...outcome.met].sort()).toEqual([...needles].sort());
    expect(cutShort).toBe(false);
    // The returned outcome belongs to the returned cut.
    expect(await play(cut)).toEqual(outcome);
  });

  test('shrinking does not accept a scenario that breaks another invariant', async () => {
    const { play } = scenario('app-1/3');
    const { outcome } = await shrink(await play(nothingCut), { play, width: 2, limits });
    expect(outcome.breach?.invariant).toBe(invariant);
  });

  test('shrinking ends at its limit of replays with the shortest story so far, and reports the limit', async () => {
    const { play, played } = scenario('app-1/3', 'shop-2/11', 'answer lost: deliver#1/17');
    const first = await play(nothingCut);
    const { outcome, replays, cutShort } = await shrink(first, { play, width: 2, limits: { replays: 10, ms: 60_000 } });
    expect(cutShort).toBe(true);
    expect(replays).toBe(played.length - 1);
    expect(replays).toBeLessThanOrEqual(11);
    expect(outcome.breach?.invariant).toBe(invariant);
    expect(outcome.actions.length).toBeLessThan(48);
  });

  test('shrinking ends at its limit of time with the shortest story so far, and reports the limit', async () => {
    const { play } = scenario('app-1/3');
    const { replays, cutShort } = await shrink(await play(nothingCut), { play, width: 1, limits: { replays: 500, ms: -1 } });
    expect({ replays, cutShort }).toEqual({ replays: 0, cutShort: true });
  });
});
