import type { Level } from '../scheduler/faults.ts';

/** Actions and faults, by name, that a scenario leaves out. */
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
  /** The mutant in the source; default that of the pool. */
  readonly mutant?: string | undefined;
}

/** A promise that a scenario saw broken. */
export interface Breach {
  /** The invariant's number and name. */
  readonly invariant: string;
  readonly sentences: readonly string[];
}

/** Outcome of a scenario. */
export interface Outcome {
  readonly seed: number;
  readonly breach: Breach | undefined;
  /** Actions of people and faults, by name, in order. */
  readonly actions: readonly string[];
  readonly met: readonly string[];
  readonly calls: number;
  readonly virtualMs: number;
  /** How often, by kind of fault and by invariant. */
  readonly faults: Readonly<Record<string, number>>;
  readonly invariants: Readonly<Record<string, number>>;
  /** Other counts. */
  readonly figures: Readonly<Record<string, number>>;
  /** Empty unless it was requested. */
  readonly trace: readonly string[];
}

/** A worker's message: a line of the trace, or the outcome at the end. */
export type Message = { readonly line: string } | { readonly outcome: Omit<Outcome, 'trace'> };
