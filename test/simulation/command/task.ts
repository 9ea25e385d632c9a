import type { Level } from '../scheduler/accidents.ts';

/** What a scenario is played without, by the names that it gives to deeds and accidents. */
export interface Cut {
  /** Deeds that are not done. */
  readonly leftOut: readonly string[];
  /** Accidents that alone may happen; null is all. */
  readonly onlyAccidents: readonly string[] | null;
}

export const nothingCut: Cut = { leftOut: [], onlyAccidents: null };

/** A scenario for a worker to play. */
export interface Task extends Cut {
  readonly seed: number;
  readonly level: Level;
  /** Whether its trace is wanted. */
  readonly traced: boolean;
  /** The deliberate fault that the source has; the pool's where it is absent. */
  readonly mutant?: string | undefined;
}

/** A promise that a scenario saw broken. */
export interface Breach {
  /** The law's number and name. */
  readonly law: string;
  readonly sentences: readonly string[];
}

/** What came of a scenario. */
export interface Outcome {
  readonly seed: number;
  readonly breach: Breach | undefined;
  /** What people did and what befell them, by name, in order. */
  readonly deeds: readonly string[];
  readonly met: readonly string[];
  readonly calls: number;
  readonly virtualMs: number;
  /** How often, by kind of accident and by law. */
  readonly accidents: Readonly<Record<string, number>>;
  readonly laws: Readonly<Record<string, number>>;
  /** What else was counted. */
  readonly figures: Readonly<Record<string, number>>;
  /** Empty where it was not asked for. */
  readonly trace: readonly string[];
}

/** What a worker says: a line of the trace, or all the rest at the end. */
export type Message = { readonly line: string } | { readonly outcome: Omit<Outcome, 'trace'> };
