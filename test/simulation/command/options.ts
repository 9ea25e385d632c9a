import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { mutants } from '../mutants/mutants.ts';
import { isLevel, type Level, levels } from '../scheduler/accidents.ts';

/** What was asked for cannot be done; its message says why, in a sentence. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** When playing ends: after so many scenarios, after so long, or with so many accidents in all. */
export type End = { readonly runs: number } | { readonly minutes: number } | { readonly accidents: number };

export interface PlayOptions {
  readonly mode: 'play';
  /** The first scenario's, the others count on from it; undefined where nobody named one. */
  readonly seed: number | undefined;
  readonly end: End;
  /** Undefined where nobody named one. */
  readonly level: Level | undefined;
  /** A deliberate fault in the source, by its name. */
  readonly mutant: string | undefined;
  /** Prints every line of the trace. */
  readonly trace: boolean;
  readonly workers: number;
  /** Where what was played so far is kept. */
  readonly state: string | undefined;
}

export type SimulateOptions =
  | PlayOptions
  | { readonly mode: 'replay'; readonly file: string; readonly trace: boolean }
  | { readonly mode: 'mutants'; readonly refresh: boolean; readonly workers: number };

export const defaultLevel: Level = 'many';

export const usage = `npm run simulate -- [options]

  --seed N             the first scenario; each has the next number (1; by chance with --minutes)
  --runs N             how many (100; 1 with --seed alone)
  --minutes N          or how long
  --until-accidents N  or until so many accidents were met
  --accidents LEVEL    ${Object.keys(levels).join(', ')} (${defaultLevel})
  --workers N          threads (as many as there are cores)
  --resume FILE        keeps count in a file: ^C ends it, the same command goes on; a broken promise is kept and does not end it
  --mutant NAME        with a deliberate fault in the source, see test/simulation/mutants
  --trace              of one scenario, everything that happened

  --replay FILE        plays what a broken promise left in .local/simulation, byte for byte
  --mutants            plays every deliberate fault with the seed that finds it
  --refresh-mutants    and looks for another seed where that one finds it no more
`;

const optionNames = ['seed', 'runs', 'minutes', 'until-accidents', 'accidents', 'workers', 'resume', 'mutant', 'replay'] as const;
const flagNames = ['trace', 'mutants', 'refresh-mutants'] as const;
type Name = (typeof optionNames)[number] | (typeof flagNames)[number];
type Values = Partial<Record<(typeof optionNames)[number], string> & Record<(typeof flagNames)[number], boolean>>;

const read = (args: readonly string[]): Values => {
  const options = Object.fromEntries([
    ...optionNames.map((name) => [name, { type: 'string' }] as const),
    ...flagNames.map((name) => [name, { type: 'boolean' }] as const),
  ]);
  try {
    return parseArgs({ args: [...args], options }).values as Values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
};

const wholeNumber = (values: Values, name: (typeof optionNames)[number], least: number): number | undefined => {
  const text = values[name];
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number) || number < least)
    throw new UsageError(`--${name} must be a whole number from ${least} to ${Number.MAX_SAFE_INTEGER}, and "${text}" is none.`);
  return number;
};

/** Refuses what cannot be asked for beside an option. */
const alone = (values: Values, name: Name, ...companions: readonly Name[]): void => {
  const other = (Object.keys(values) as Name[]).find((one) => one !== name && !companions.includes(one));
  if (other) throw new UsageError(`--${name} and --${other} contradict each other.`);
};

const endOf = (values: Values, ofOne: boolean): End => {
  const ends = ['runs', 'minutes', 'until-accidents'] as const;
  const [first, second] = ends.filter((name) => values[name] !== undefined);
  if (second) throw new UsageError(`--${first} and --${second} contradict each other.`);
  const minutes = wholeNumber(values, 'minutes', 1);
  if (minutes !== undefined) return { minutes };
  const accidents = wholeNumber(values, 'until-accidents', 1);
  return accidents === undefined ? { runs: wholeNumber(values, 'runs', 1) ?? (ofOne ? 1 : 100) } : { accidents };
};

const playOptions = (values: Values, workers: number): PlayOptions => {
  const { accidents, mutant, resume, trace = false } = values;
  if (accidents !== undefined && !isLevel(accidents))
    throw new UsageError(`--accidents must be one of ${Object.keys(levels).join(', ')}, and "${accidents}" is none.`);
  if (mutant !== undefined && !mutants.some(({ name }) => name === mutant))
    throw new UsageError(`--mutant must be one of ${mutants.map(({ name }) => name).join(', ')}, and "${mutant}" is none.`);
  const seed = wholeNumber(values, 'seed', 0);
  const end = endOf(values, seed !== undefined && resume === undefined);
  const runs = 'runs' in end ? end.runs : 0;
  if ((seed ?? 1) + runs > Number.MAX_SAFE_INTEGER) throw new UsageError('--seed and --runs lead beyond the last seed.');
  if (trace && runs !== 1) throw new UsageError('--trace is of one scenario: name it with --seed.');
  if (resume !== undefined && mutant !== undefined) throw new UsageError('--resume and --mutant contradict each other.');
  if (resume !== undefined && trace) throw new UsageError('--resume and --trace contradict each other.');
  return { mode: 'play', seed, end, level: accidents, mutant, trace, workers, state: resume };
};

/** Reads the command line; throws `UsageError`. */
export const readOptions = (args: readonly string[]): SimulateOptions => {
  const values = read(args);
  const { replay, trace = false } = values;
  if (replay !== undefined) {
    alone(values, 'replay', 'trace');
    return { mode: 'replay', file: replay, trace };
  }
  const workers = wholeNumber(values, 'workers', 1) ?? availableParallelism();
  if (values.mutants || values['refresh-mutants']) {
    const refresh = values['refresh-mutants'] === true;
    alone(values, refresh ? 'refresh-mutants' : 'mutants', 'workers', 'mutants');
    return { mode: 'mutants', refresh, workers };
  }
  return playOptions(values, workers);
};
