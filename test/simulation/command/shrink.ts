import { type Cut, nothingCut, type Outcome } from './task.ts';

export interface ShrinkOptions {
  /** Plays the scenario without the actions and faults of the cut. */
  readonly play: (cut: Cut) => Promise<Outcome>;
  /** The most replays at a time. */
  readonly width: number;
  readonly limits: { readonly replays: number; readonly ms: number };
}

export interface Shrunk {
  readonly cut: Cut;
  /** The outcome of the scenario with the cut. */
  readonly outcome: Outcome;
  readonly replays: number;
  /** Whether a limit ended the search early. */
  readonly cutShort: boolean;
}

/** Groups actions by person, because often no action of a person matters. */
const byPerson = (actions: readonly string[]): readonly string[] => {
  const people = [...new Set(actions.map((action) => action.split('/')[0]))];
  return actions.toSorted((a, b) => people.indexOf(a.split('/')[0]) - people.indexOf(b.split('/')[0]));
};

/**
 * Searches the shortest story that breaks the same invariant. It leaves out actions, then faults,
 * in large groups first. Once it leaves out faults, only faults of the story so far may happen.
 */
export const shrink = async (failing: Outcome, { play, width, limits }: ShrinkOptions): Promise<Shrunk> => {
  const startedMs = performance.now();
  const all = failing.actions;
  let best: { readonly cut: Cut; readonly outcome: Outcome } = { cut: nothingCut, outcome: failing };
  let replays = 0;
  const isOver = (): boolean => replays >= limits.replays || performance.now() - startedMs > limits.ms;

  /** Keeps the first cut that still fails, if one does. Returns its position. */
  const tryAll = async (cuts: readonly Cut[]): Promise<number> => {
    replays += cuts.length;
    const outcomes = await Promise.all(cuts.map(play));
    const found = outcomes.findIndex(({ breach }) => breach?.invariant === failing.breach?.invariant);
    if (found !== -1) best = { cut: cuts[found] as Cut, outcome: outcomes[found] as Outcome };
    return found;
  };

  /**
   * Leaves out as many as possible of the names that `present` finds in the best story. `keeping`
   * returns the cut that keeps the given names.
   */
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

  const cutKeeping = (names: readonly string[]): Cut => ({ ...best.cut, leftOut: all.filter((action) => !names.includes(action)) });
  const reduceActions = () => reduce(({ actions }) => byPerson(actions), cutKeeping);
  await reduceActions();
  await reduce(
    ({ met }) => met,
    (names) => ({ ...best.cut, onlyFaults: names }),
  );
  await reduceActions();
  return { ...best, replays, cutShort: isOver() };
};
