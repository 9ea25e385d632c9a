import { renameSync, writeFileSync } from 'node:fs';
import { isLevel, type Level } from '../scheduler/faults.ts';
import { UsageError } from './options.ts';
import { readJson } from './read-json.ts';
import { noTotals, type Totals } from './totals.ts';
import { versionOfSimulator } from './version.ts';

/** Totals of a run that can be stopped and resumed. */
export interface State {
  readonly format: typeof format;
  /** Versions of the simulators that played it. */
  readonly versions: readonly string[];
  readonly level: Level;
  readonly firstSeed: number;
  readonly nextSeed: number;
  readonly seconds: number;
  readonly totals: Totals;
  readonly breaches: readonly { readonly seed: number; readonly invariant: string; readonly sentence: string }[];
}

const format = 'bakery-commerce-simulation-1';

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const isCount = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value) && value >= 0;

const isTotals = (value: unknown): boolean =>
  isRecord(value) &&
  Object.entries(noTotals).every(([name, none]) => {
    const found = value[name];
    return typeof none === 'number' ? isCount(found) : isRecord(found) && Object.values(found).every(isCount);
  });

const isState = (value: unknown): value is State =>
  isRecord(value) &&
  value['format'] === format &&
  typeof value['level'] === 'string' &&
  isLevel(value['level']) &&
  ['firstSeed', 'nextSeed', 'seconds'].every((name) => isCount(value[name])) &&
  isTotals(value['totals']) &&
  Array.isArray(value['versions']) &&
  Array.isArray(value['breaches']);

export interface RequestedRun {
  readonly seed: number | undefined;
  readonly level: Level | undefined;
}

/** Returns the state of a new run. */
export const newState = (firstSeed: number, level: Level): State => ({
  ...{ format, versions: [versionOfSimulator()], level, firstSeed, nextSeed: firstSeed },
  ...{ seconds: 0, totals: noTotals, breaches: [] },
});

/**
 * Returns the state with which a run continues; undefined if the file does not exist. Throws
 * `UsageError` if the file is invalid or belongs to another run.
 */
export const readState = (file: string, { seed, level }: RequestedRun): State | undefined => {
  const found = readJson(file);
  if (found === undefined) return undefined;
  if (!isState(found)) throw new UsageError(`${file} is no state of a run of this simulator.`);
  if (seed !== undefined) throw new UsageError(`${file} goes on with seed ${found.nextSeed}: leave --seed out.`);
  if (level !== undefined && level !== found.level) throw new UsageError(`${file} is of a run with --faults ${found.level}.`);
  return { ...found, versions: [...new Set([...found.versions, versionOfSimulator()])] };
};

/** Writes the file atomically. Throws `UsageError` if it cannot. */
export const writeState = (file: string, state: State): void => {
  const draft = `${file}.new`;
  try {
    writeFileSync(draft, `${JSON.stringify(state, undefined, 2)}\n`);
    renameSync(draft, file);
  } catch (error) {
    throw new UsageError(`${file} cannot be written (${(error as NodeJS.ErrnoException).code}).`);
  }
};
