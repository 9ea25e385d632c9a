import { randomInt } from 'node:crypto';
import { breachText, complain } from './complain.ts';
import { defaultLevel, type End, type PlayOptions } from './options.ts';
import { Pool } from './pool.ts';
import { playSeeds } from './seeds.ts';
import { newState, readState, type State, writeState } from './state.ts';
import type { Outcome } from './task.ts';
import { plus, progressLine, summary, sumOf } from './totals.ts';

export interface Surroundings {
  readonly print: (text: string) => void;
  /** Whether the output can overwrite a line. */
  readonly isTerminal: boolean;
  /** The most real time for one scenario, in milliseconds. */
  readonly patienceMs: number;
  /** Aborted to end the run. */
  readonly stopped: AbortSignal;
}

const keepEveryMs = 2_000;

/** Returns the first seed of a run: from its file, as given, 1, or random for `--fresh`. */
const beginning = ({ seed, level, end, state: file }: PlayOptions): State => {
  const storedState = file === undefined ? undefined : readState(file, { seed, level });
  return storedState ?? newState(seed ?? ('minutes' in end ? randomInt(1, 2 ** 40) : 1), level ?? defaultLevel);
};

const isReached = (end: End, begun: State, { nextSeed, totals }: State, seconds: number): boolean => {
  if ('runs' in end) return nextSeed >= begun.nextSeed + end.runs;
  return 'minutes' in end ? seconds >= end.minutes * 60 : sumOf(totals.faults) >= end.faults;
};

/** Returns a function that calls `act` at most once per `everyMs`. */
const seldom = (everyMs: number, act: () => void): (() => void) => {
  let lastMs = performance.now();
  return () => {
    if (performance.now() - lastMs < everyMs) return;
    lastMs = performance.now();
    act();
  };
};

/**
 * Plays seed after seed until the requested end. Returns whether every invariant held. Throws
 * `UsageError`.
 */
export const playMany = async (options: PlayOptions, surroundings: Surroundings): Promise<boolean> => {
  const { end, mutant, workers, state: file } = options;
  const { print, isTerminal, patienceMs, stopped } = surroundings;
  const begun = beginning(options);
  let state = begun;
  let failing: Outcome | undefined;
  const startedMs = performance.now();
  const seconds = (): number => (performance.now() - startedMs) / 1000;
  const line = (): string => progressLine(state.totals, state.seconds);
  const keep = (): void => {
    if (file !== undefined) writeState(file, state);
  };
  const keepNow = seldom(keepEveryMs, keep);
  const tellNow = seldom(isTerminal ? 250 : 15_000, () => print(isTerminal ? `\r${line()}` : `${line()}\n`));

  const take = (outcome: Outcome): boolean => {
    const { seed, breach } = outcome;
    state = { ...state, nextSeed: seed + 1, seconds: begun.seconds + seconds(), totals: plus(state.totals, outcome) };
    if (breach && file === undefined) {
      failing = outcome;
      return false;
    }
    if (breach) {
      print(`\nSeed ${seed} breaks a promise, and is kept. ${breachText(breach)}`);
      state = { ...state, breaches: [...state.breaches, { seed, invariant: breach.invariant, sentence: breach.sentences[0] ?? '' }] };
    }
    keepNow();
    tellNow();
    return true;
  };

  const { level, nextSeed: first } = begun;
  const pool = new Pool({ workers, mutant, patienceMs });
  try {
    keep();
    if ('minutes' in end) print(`The first seed is ${first}.\n`);
    const goesOn = (seed: number): boolean => !stopped.aborted && !isReached(end, begun, { ...state, nextSeed: seed }, seconds());
    await playSeeds({ pool, level, seed: first, goesOn, take });
    keep();
    print(`${isTerminal ? '\r' : ''}${line()}\n`);
    if (failing) await complain(failing, { pool, level, mutant, print });
    else print(`\n${summary(state.totals)}`);
    for (const { seed, invariant } of state.breaches)
      print(`Broken: npm run simulate -- --seed ${seed} --faults ${level}   (${invariant})\n`);
    return !failing && state.breaches.length === 0;
  } finally {
    await pool.close();
  }
};
