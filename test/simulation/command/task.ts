import type { Level } from '../scheduler/faults.ts';

/** Names of actions and faults that a scenario leaves out. */
export interface Cut {
  /** Actions to leave out. */
  readonly leftOut: readonly string[];
  /** The only faults that may happen; null allows all. */
  readonly onlyFaults: readonly string[] | null;
}

export const nothingCut: Cut = { leftOut: [], onlyFaults: null };

/** A scenario for a worker to play. */
export interface Task extends Cut {
  readonly seed: number;
  readonly level: Level;
  /** Whether the worker sends the trace. */
  readonly traced: boolean;
  /** The mutant of the source; by default the pool's. */
  readonly mutant?: string | undefined;
}

/** An invariant that a scenario broke. */
export interface Breach {
  /** The invariant's number and name. */
  readonly invariant: string;
  readonly sentences: readonly string[];
}

/** The outcome of a scenario. */
export interface Outcome {
  readonly seed: number;
  readonly breach: Breach | undefined;
  /** Names of people's actions and of faults, in order. */
  readonly actions: readonly string[];
  readonly met: readonly string[];
  readonly calls: number;
  readonly virtualMs: number;
  /** Number of faults by kind. */
  readonly faults: Readonly<Record<string, number>>;
  readonly invariants: Readonly<Record<string, number>>;
  /** Other counts. */
  readonly figures: Readonly<Record<string, number>>;
  /** Empty unless the task requested it. */
  readonly trace: readonly string[];
}

/** A message of a worker: a line of the trace, or finally the outcome. */
export type Message = { readonly line: string } | { readonly outcome: Omit<Outcome, 'trace'> };
