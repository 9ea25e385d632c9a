import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { mutants } from '../mutants/mutants.ts';
import { isLevel, type Level, levels } from '../scheduler/faults.ts';

/** The command line is invalid. The message is a sentence that says why. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** When a run ends: after a number of scenarios, a duration, or a total number of faults. */
export type End = { readonly runs: number } | { readonly minutes: number } | { readonly faults: number };

export interface PlayOptions {
  readonly mode: 'play';
  /** Seed of the first scenario. The others have the next numbers. Undefined if none was given. */
  readonly seed: number | undefined;
  readonly end: End;
  /** Undefined if none was given. */
  readonly level: Level | undefined;
  /** The name of the mutant that the source gets. */
  readonly mutant: string | undefined;
  /** Prints every line of the trace. */
  readonly trace: boolean;
  readonly workers: number;
  /** The file with the totals of the run. */
  readonly state: string | undefined;
}

export type SimulateOptions =
  | PlayOptions
  | { readonly mode: 'replay'; readonly file: string; readonly trace: boolean }
  | { readonly mode: 'mutants'; readonly refresh: boolean; readonly workers: number };

export const defaultLevel: Level = 'many';

export const usage = `npm run simulate -- [options]

  --seed N             first scenario; each has the next number (default 1; random with --minutes)
  --runs N             number of scenarios (default 100; 1 with --seed alone)
  --minutes N          or a duration
  --until-faults N     or until so many faults happened
  --faults LEVEL       ${Object.keys(levels).join(', ')} (${defaultLevel})
  --workers N          threads (default: one per core)
  --resume FILE        keeps totals in a file: ^C ends the run, the same command continues it; a broken invariant is recorded and does not end it
  --mutant NAME        with a mutant of the source, see test/simulation/mutants
  --trace              prints everything that happens in one scenario

  --replay FILE        replays a broken invariant from .local/simulation, byte for byte
  --mutants            plays every mutant with the seed that finds it
  --refresh-mutants    the same, and searches a new seed for a mutant that its seed no longer finds
`;

const optionNames = ['seed', 'runs', 'minutes', 'until-faults', 'faults', 'workers', 'resume', 'mutant', 'replay'] as const;
const flagNames = ['trace', 'mutants', 'refresh-mutants'] as const;
type Name = (typeof optionNames)[number] | (typeof flagNames)[number];
type Values = Partial<Record<(typeof optionNames)[number], string> & Record<(typeof flagNames)[number], boolean>>;

/** Former names of options, which scripts may still use. */
const former = new Map([
  ['--accidents', '--faults'],
  ['--until-accidents', '--until-faults'],
]);

const read = (argv: readonly string[]): Values => {
  const args = argv.map((arg) => former.get(arg) ?? arg);
  const options = Object.fromEntries([
    ...optionNames.map((name) => [name, { type: 'string' }] as const),
    ...flagNames.map((name) => [name, { type: 'boolean' }] as const),
  ]);
  try {
    return parseArgs({ args, options }).values as Values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
};

const integerOption = (values: Values, name: (typeof optionNames)[number], least: number): number | undefined => {
  const text = values[name];
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number) || number < least)
    throw new UsageError(`--${name} must be a whole number from ${least} to ${Number.MAX_SAFE_INTEGER}, and "${text}" is none.`);
  return number;
};

/** Throws `UsageError` if another option contradicts the named one. */
const alone = (values: Values, name: Name, ...companions: readonly Name[]): void => {
  const other = (Object.keys(values) as Name[]).find((one) => one !== name && !companions.includes(one));
  if (other) throw new UsageError(`--${name} and --${other} contradict each other.`);
};

const endOf = (values: Values, ofOne: boolean): End => {
  const ends = ['runs', 'minutes', 'until-faults'] as const;
  const [first, second] = ends.filter((name) => values[name] !== undefined);
  if (second) throw new UsageError(`--${first} and --${second} contradict each other.`);
  const minutes = integerOption(values, 'minutes', 1);
  if (minutes !== undefined) return { minutes };
  const faults = integerOption(values, 'until-faults', 1);
  return faults === undefined ? { runs: integerOption(values, 'runs', 1) ?? (ofOne ? 1 : 100) } : { faults };
};

const playOptions = (values: Values, workers: number): PlayOptions => {
  const { faults, mutant, resume, trace = false } = values;
  if (faults !== undefined && !isLevel(faults))
    throw new UsageError(`--faults must be one of ${Object.keys(levels).join(', ')}, and "${faults}" is none.`);
  if (mutant !== undefined && !mutants.some(({ name }) => name === mutant))
    throw new UsageError(`--mutant must be one of ${mutants.map(({ name }) => name).join(', ')}, and "${mutant}" is none.`);
  const seed = integerOption(values, 'seed', 0);
  const end = endOf(values, seed !== undefined && resume === undefined);
  const runs = 'runs' in end ? end.runs : 0;
  if ((seed ?? 1) + runs > Number.MAX_SAFE_INTEGER) throw new UsageError('--seed and --runs lead beyond the last seed.');
  if (trace && runs !== 1) throw new UsageError('--trace is of one scenario: name it with --seed.');
  if (resume !== undefined && mutant !== undefined) throw new UsageError('--resume and --mutant contradict each other.');
  if (resume !== undefined && trace) throw new UsageError('--resume and --trace contradict each other.');
  return { mode: 'play', seed, end, level: faults, mutant, trace, workers, state: resume };
};

/** Parses the command line. Throws `UsageError`. */
export const readOptions = (args: readonly string[]): SimulateOptions => {
  const values = read(args);
  const { replay, trace = false } = values;
  if (replay !== undefined) {
    alone(values, 'replay', 'trace');
    return { mode: 'replay', file: replay, trace };
  }
  const workers = integerOption(values, 'workers', 1) ?? availableParallelism();
  if (values.mutants || values['refresh-mutants']) {
    const refresh = values['refresh-mutants'] === true;
    alone(values, refresh ? 'refresh-mutants' : 'mutants', 'workers', 'mutants');
    return { mode: 'mutants', refresh, workers };
  }
  return playOptions(values, workers);
};
