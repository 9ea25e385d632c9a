import { type Cut, nothingCut, type Outcome } from './task.ts';

export interface ShrinkOptions {
  /** Plays the scenario without what is cut. */
  readonly play: (cut: Cut) => Promise<Outcome>;
  /** How many replays may be under way at a time. */
  readonly width: number;
  readonly limits: { readonly replays: number; readonly ms: number };
}

export interface Shrunk {
  readonly cut: Cut;
  /** What came of the scenario with the cut. */
  readonly outcome: Outcome;
  readonly replays: number;
  /** Whether a limit ended the search before nothing more could be left out. */
  readonly cutShort: boolean;
}

/** Deeds of one person beside each other: often nothing of what somebody does matters. */
const byPerson = (deeds: readonly string[]): readonly string[] => {
  const people = [...new Set(deeds.map((deed) => deed.split('/')[0]))];
  return deeds.toSorted((a, b) => people.indexOf(a.split('/')[0]) - people.indexOf(b.split('/')[0]));
};

/**
 * Looks for the shortest story in which the same law is broken: leaves out deeds and then accidents, in large pieces first and in smaller
 * ones where that mends it. Once accidents are left out, only those of the story so far may happen: no others come in their place.
 */
export const shrink = async (failing: Outcome, { play, width, limits }: ShrinkOptions): Promise<Shrunk> => {
  const startedMs = performance.now();
  const all = failing.deeds;
  let best: { readonly cut: Cut; readonly outcome: Outcome } = { cut: nothingCut, outcome: failing };
  let replays = 0;
  const isOver = (): boolean => replays >= limits.replays || performance.now() - startedMs > limits.ms;

  /** Takes the first of the cuts that still fails, where one does. */
  const tryAll = async (cuts: readonly Cut[]): Promise<number> => {
    replays += cuts.length;
    const outcomes = await Promise.all(cuts.map(play));
    const found = outcomes.findIndex(({ breach }) => breach?.law === failing.breach?.law);
    if (found !== -1) best = { cut: cuts[found] as Cut, outcome: outcomes[found] as Outcome };
    return found;
  };

  /** Leaves out what it can of the names that `present` finds in the best story; `without` makes the cut that keeps the others. */
  const reduce = async (present: (outcome: Outcome) => readonly string[], keeping: (names: readonly string[]) => Cut): Promise<void> => {
    let names = present(best.outcome);
    for (let size = names.length; size >= 1 && !isOver(); size = Math.floor(size / 2)) {
      for (let start = 0; start < names.length && !isOver(); ) {
        const starts = Array.from({ length: width }, (_, i) => start + i * size).filter((at) => at < names.length);
        const found = await tryAll(starts.map((at) => keeping([...names.slice(0, at), ...names.slice(at + size)])));
        start = starts[found] ?? start + width * size;
        if (found !== -1) names = present(best.outcome);
      }
    }
  };

  const deedsKept = (names: readonly string[]): Cut => ({ ...best.cut, leftOut: all.filter((deed) => !names.includes(deed)) });
  const reduceDeeds = () => reduce(({ deeds }) => byPerson(deeds), deedsKept);
  await reduceDeeds();
  await reduce(
    ({ met }) => met,
    (names) => ({ ...best.cut, onlyAccidents: names }),
  );
  await reduceDeeds();
  return { ...best, replays, cutShort: isOver() };
};
