import { parseArgs } from 'node:util';
import { mutants } from './mutants/mutants.ts';
import { isLevel, type Level, levels } from './scheduler/accidents.ts';

/** What was asked for cannot be done; its message says why, in a sentence. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface SimulateOptions {
  /** The first scenario's; the others count on from it. */
  readonly seed: number;
  readonly runs: number;
  readonly level: Level;
  /** A deliberate fault in the source, by its name. */
  readonly mutant: string | undefined;
  /** Prints every line of the trace. */
  readonly trace: boolean;
}

export const usage = `npm run simulate -- [--seed N] [--runs N] [--accidents LEVEL] [--mutant NAME] [--trace]

  --seed N           the first scenario; each has the next number (1)
  --runs N           how many (100; 1 with --seed alone)
  --accidents LEVEL  ${Object.keys(levels).join(', ')} (many)
  --mutant NAME      with a deliberate fault in the source, see test/simulation/mutants
  --trace            everything that happened, and not only what led to a broken promise
`;

const wholeNumber = (name: string, text: string | undefined, least: number): number | undefined => {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number) || number < least)
    throw new UsageError(`--${name} must be a whole number from ${least} to ${Number.MAX_SAFE_INTEGER}, and "${text}" is none.`);
  return number;
};

/** Reads the command line; throws `UsageError`. */
export const readOptions = (args: readonly string[]): SimulateOptions => {
  const parse = () =>
    parseArgs({
      args: [...args],
      options: {
        seed: { type: 'string' },
        runs: { type: 'string' },
        accidents: { type: 'string' },
        mutant: { type: 'string' },
        trace: { type: 'boolean' },
      },
    }).values;
  let values: ReturnType<typeof parse>;
  try {
    values = parse();
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  const { accidents = 'many', mutant, trace = false } = values;
  if (!isLevel(accidents))
    throw new UsageError(`--accidents must be one of ${Object.keys(levels).join(', ')}, and "${accidents}" is none.`);
  if (mutant !== undefined && !mutants.some(({ name }) => name === mutant))
    throw new UsageError(`--mutant must be one of ${mutants.map(({ name }) => name).join(', ')}, and "${mutant}" is none.`);
  const seed = wholeNumber('seed', values.seed, 0);
  const runs = wholeNumber('runs', values.runs, 1) ?? (seed === undefined ? 100 : 1);
  if ((seed ?? 1) + runs > Number.MAX_SAFE_INTEGER) throw new UsageError('--seed and --runs lead beyond the last seed.');
  return { seed: seed ?? 1, runs, level: accidents, mutant, trace };
};
