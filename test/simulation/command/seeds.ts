import type { Level } from '../scheduler/faults.ts';
import type { Pool } from './pool.ts';
import { nothingCut, type Outcome } from './task.ts';

export interface SeedsOptions {
  readonly pool: Pool;
  readonly level: Level;
  readonly seed: number;
  /** Whether another scenario is begun. */
  readonly goesOn: (seed: number) => boolean;
  /**
   * Takes the outcome of each scenario, in the order of the seeds. Returns false after the last one
   * wanted.
   */
  readonly take: (outcome: Outcome) => boolean;
}

/**
 * Plays seed after seed, as many at a time as there are workers; what is under way when it ends is
 * played to its end and taken.
 */
export const playSeeds = async ({ pool, level, seed: first, goesOn, take }: SeedsOptions): Promise<void> => {
  const ended = new Map<number, Outcome>();
  let [next, awaited] = [first, first];
  let wanted = true;

  const takeInOrder = (): void => {
    for (let outcome = ended.get(awaited); outcome && wanted; outcome = ended.get(awaited)) {
      ended.delete(awaited);
      awaited += 1;
      wanted = take(outcome);
    }
  };
  const lane = async (): Promise<void> => {
    while (wanted && goesOn(next)) {
      const seed = next++;
      ended.set(seed, await pool.play({ ...nothingCut, seed, level, traced: false }));
      takeInOrder();
    }
  };
  await Promise.all(Array.from({ length: pool.workers }, lane));
};
