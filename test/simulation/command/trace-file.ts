import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isLevel, type Level } from '../scheduler/faults.ts';
import { UsageError } from './options.ts';
import { readJson } from './read-json.ts';
import type { Cut } from './task.ts';
import { versionOfSimulator } from './version.ts';

/**
 * All that determines a scenario, except the product's source. It replays equally on every machine.
 */
export interface TraceFile extends Cut {
  /** Version of the simulator. */
  readonly version: string;
  readonly seed: number;
  readonly level: Level;
  readonly mutant: string | null;
  /** The invariant that it broke. */
  readonly invariant: string;
}

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Writes the file to an ignored folder. Returns its path from the project's root. */
export const writeTraceFile = (trace: TraceFile): string => {
  const name = path.join('.local', 'simulation', `seed-${trace.seed}${trace.mutant === null ? '' : `-${trace.mutant}`}.json`);
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  writeFileSync(path.join(root, name), `${JSON.stringify(trace, undefined, 2)}\n`);
  return name;
};

const isNames = (value: unknown): boolean => Array.isArray(value) && value.every((name) => typeof name === 'string');

const isTraceFile = (value: unknown): value is TraceFile => {
  if (typeof value !== 'object' || value === null) return false;
  const { version, seed, level, mutant, invariant, leftOut, onlyFaults } = value as Record<string, unknown>;
  return (
    typeof version === 'string' &&
    Number.isSafeInteger(seed) &&
    typeof level === 'string' &&
    isLevel(level) &&
    (mutant === null || typeof mutant === 'string') &&
    typeof invariant === 'string' &&
    isNames(leftOut) &&
    (onlyFaults === null || isNames(onlyFaults))
  );
};

/**
 * Reads a trace file. Throws `UsageError` if it does not exist, is invalid, or comes from another
 * version of the simulator.
 */
export const readTraceFile = (file: string): TraceFile => {
  const found = readJson(file);
  if (found === undefined) throw new UsageError(`${file} is not there.`);
  if (!isTraceFile(found)) throw new UsageError(`${file} is no trace of this simulator.`);
  if (found.version !== versionOfSimulator())
    throw new UsageError(
      `${file} is a trace of another version of the simulator: play its seed anew with --seed ${found.seed} --faults ${found.level}.`,
    );
  return found;
};
