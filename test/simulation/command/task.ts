import type { Level } from '../scheduler/faults.ts';

/** What a scenario is played without, by the names that it gives to actions and faults. */
export interface Cut {
  /** Actions that are not done. */
  readonly leftOut: readonly string[];
  /** Faults that alone may happen; null is all. */
  readonly onlyFaults: readonly string[] | null;
}

export const nothingCut: Cut = { leftOut: [], onlyFaults: null };

/** A scenario for a worker to play. */
export interface Task extends Cut {
  readonly seed: number;
  readonly level: Level;
  /** Whether its trace is wanted. */
  readonly traced: boolean;
  /** The mutant that the source has; the pool's where it is absent. */
  readonly mutant?: string | undefined;
}

/** A promise that a scenario saw broken. */
export interface Breach {
  /** The invariant's number and name. */
  readonly invariant: string;
  readonly sentences: readonly string[];
}

/** What came of a scenario. */
export interface Outcome {
  readonly seed: number;
  readonly breach: Breach | undefined;
  /** What people did and what befell them, by name, in order. */
  readonly actions: readonly string[];
  readonly met: readonly string[];
  readonly calls: number;
  readonly virtualMs: number;
  /** How often, by kind of fault and by invariant. */
  readonly faults: Readonly<Record<string, number>>;
  readonly invariants: Readonly<Record<string, number>>;
  /** What else was counted. */
  readonly figures: Readonly<Record<string, number>>;
  /** Empty where it was not asked for. */
  readonly trace: readonly string[];
}

/** What a worker says: a line of the trace, or all the rest at the end. */
export type Message = { readonly line: string } | { readonly outcome: Omit<Outcome, 'trace'> };
