import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { withMutant } from '../mutants/faulty-source.ts';
import type { Mutant } from '../mutants/mutant.ts';
import { mutants } from '../mutants/mutants.ts';
import { defaultLevel } from './options.ts';
import { Pool } from './pool.ts';
import { playSeeds } from './seeds.ts';
import { nothingCut, type Outcome } from './task.ts';

export interface JudgeOptions {
  readonly workers: number;
  /** If a mutant's seed no longer finds it, searches another one and writes it into the list. */
  readonly refresh: boolean;
  readonly patienceMs: number;
  readonly print: (text: string) => void;
}

/** The most scenarios that a search for a seed plays. */
const mostSeeds = 2_000;
const folder = new URL('../mutants/', import.meta.url);

const isFoundAsRecorded = ({ breach }: Outcome, { invariant }: Mutant): boolean => breach?.invariant.startsWith(`${invariant}:`) === true;

/** A thread keeps every module it loaded, so it is replaced after so many mutants. */
const mutantsPerThread = 26;

/** Returns the first scenario that finds the mutant. */
const search = async (mutant: string, patienceMs: number): Promise<Outcome | undefined> => {
  const pool = new Pool({ workers: 1, mutant, patienceMs });
  let found: Outcome | undefined;
  await playSeeds({
    ...{ pool, level: defaultLevel, seed: 1, goesOn: (seed) => seed <= mostSeeds },
    take(outcome) {
      if (outcome.breach) found = outcome;
      return !found;
    },
  });
  await pool.close();
  return found;
};

/** Writes a new seed and invariant of a mutant into the file that lists it. */
const keepSeed = (name: string, seed: number, invariant: number): void => {
  const entry = new RegExp(`(name: '${name}',[\\s\\S]*?\\n {4}seed: )\\d+(,\\n {4}invariant: )\\d+`);
  const files = readdirSync(folder).map((name) => new URL(name, folder));
  const file = files.find((one) => entry.test(readFileSync(one, 'utf8')));
  if (!file) throw new Error(`The mutant "${name}" is not written as the others are.`);
  writeFileSync(file, readFileSync(file, 'utf8').replace(entry, `$1${seed}$2${invariant}`));
};

/** Plays every mutant with its seed. Returns the number of mutants that were not found. */
export const judgeMutants = async ({ workers, refresh, patienceMs, print }: JudgeOptions): Promise<number> => {
  // A mutant without a place fails at every seed, which would count as found.
  for (const mutant of mutants) withMutant(mutant, readFileSync(new URL(`../../../${mutant.file}`, import.meta.url), 'utf8'));
  let missed = 0;
  const judge = async (mutant: Mutant, pool: Pool): Promise<void> => {
    const { name, seed, invariant } = mutant;
    const outcome = await pool.play({ ...nothingCut, seed, level: defaultLevel, traced: false, mutant: name });
    const isFound = isFoundAsRecorded(outcome, mutant);
    const other = isFound || !refresh ? undefined : await search(name, patienceMs);
    if (isFound) print(`${name}: seed ${seed} breaks ${invariant}\n`);
    else if (other?.breach) {
      const broken = Number.parseInt(other.breach.invariant, 10);
      keepSeed(name, other.seed, broken);
      print(`${name}: seed ${other.seed} breaks ${broken}, written in the place of seed ${seed}\n`);
    } else {
      missed += 1;
      const instead = outcome.breach ? `it breaks ${outcome.breach.invariant}: ${outcome.breach.sentences[0]}` : 'every invariant holds';
      print(`${name}: seed ${seed} does not break ${invariant}, ${instead}${refresh ? `; no seed up to ${mostSeeds} finds it` : ''}\n`);
    }
  };
  for (let first = 0; first < mutants.length; first += workers * mutantsPerThread) {
    const pool = new Pool({ workers, patienceMs });
    await Promise.all(mutants.slice(first, first + workers * mutantsPerThread).map((mutant) => judge(mutant, pool)));
    await pool.close();
  }
  print(`${mutants.length - missed} of ${mutants.length} mutants are found.\n`);
  return missed;
};
