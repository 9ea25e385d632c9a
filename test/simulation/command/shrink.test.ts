import { describe, expect, test } from '@jest/globals';
import { shrink } from './shrink.ts';
import { type Cut, nothingCut, type Outcome } from './task.ts';

const law = '5: no attempt is counted twice';
const people = ['app-1', 'app-2', 'shop-1', 'shop-2'];
const deeds = Array.from({ length: 48 }, (_, i) => `${people[i % 4]}/${Math.floor(i / 4)}`);
const accidents = Array.from({ length: 90 }, (_, i) => `answer lost: deliver#1/${i}`);
const limits = { replays: 500, ms: 60_000 };

/** A scenario that breaks the law where all that is named happens, and another one where nothing does. */
const scenario = (...needles: readonly string[]) => {
  const played: Cut[] = [];
  const play = async (cut: Cut): Promise<Outcome> => {
    played.push(cut);
    const done = deeds.filter((deed) => !cut.leftOut.includes(deed));
    // Fewer calls are made where less is done, and other accidents befall them.
    const possible = cut.leftOut.length === 0 ? accidents : accidents.map((name, i) => (i % 7 === 0 ? name : `${name}${done.length}`));
    const met = [...new Set([...possible, ...needles.filter((one) => accidents.includes(one))])];
    const befell = cut.onlyAccidents === null ? met : met.filter((name) => cut.onlyAccidents?.includes(name));
    const breaks = needles.every((needle) => done.includes(needle) || befell.includes(needle));
    const broken = breaks ? law : done.length === 0 ? '1: an acknowledged write is there' : undefined;
    return {
      ...{ seed: 7, deeds: done, met: befell, breach: broken ? { law: broken, sentences: [] } : undefined },
      ...{ calls: 0, virtualMs: 0, accidents: {}, laws: {}, figures: {}, trace: [] },
    };
  };
  return { play, played };
};

describe('shrinking', () => {
  test.each([
    ['one deed', ['shop-1/4'], 1],
    ['two deeds of two people and two accidents', ['app-1/3', 'shop-2/11', 'answer lost: deliver#1/17', 'answer lost: deliver#1/64'], 1],
    ['the same, two replays at a time', ['app-1/3', 'shop-2/11', 'answer lost: deliver#1/17', 'answer lost: deliver#1/64'], 2],
    ['the first and the last', [deeds[0] ?? '', deeds.at(-1) ?? ''], 3],
  ])('finds %s, and nothing else', async (_, needles, width) => {
    const { play } = scenario(...needles);
    const { outcome, cut, cutShort } = await shrink(await play(nothingCut), { play, width, limits });
    expect([...outcome.deeds, ...outcome.met].sort()).toEqual([...needles].sort());
    expect(cutShort).toBe(false);
    // What it answers with is what the cut plays.
    expect(await play(cut)).toEqual(outcome);
  });

  test('takes no other broken promise for the one that it looks for', async () => {
    const { play } = scenario('app-1/3');
    const { outcome } = await shrink(await play(nothingCut), { play, width: 2, limits });
    expect(outcome.breach?.law).toBe(law);
  });

  test('ends at its limit of replays with the shortest story so far, and says so', async () => {
    const { play, played } = scenario('app-1/3', 'shop-2/11', 'answer lost: deliver#1/17');
    const first = await play(nothingCut);
    const { outcome, replays, cutShort } = await shrink(first, { play, width: 2, limits: { replays: 10, ms: 60_000 } });
    expect(cutShort).toBe(true);
    expect(replays).toBe(played.length - 1);
    expect(replays).toBeLessThanOrEqual(11);
    expect(outcome.breach?.law).toBe(law);
    expect(outcome.deeds.length).toBeLessThan(48);
  });

  test('and at its limit of time', async () => {
    const { play } = scenario('app-1/3');
    const { replays, cutShort } = await shrink(await play(nothingCut), { play, width: 1, limits: { replays: 500, ms: -1 } });
    expect({ replays, cutShort }).toEqual({ replays: 0, cutShort: true });
  });
});
