import type { Level } from '../scheduler/faults.ts';
import type { Pool } from './pool.ts';
import { nothingCut, type Outcome } from './task.ts';

export interface SeedsOptions {
  readonly pool: Pool;
  readonly level: Level;
  readonly seed: number;
  /** Whether to start another scenario. */
  readonly goesOn: (seed: number) => boolean;
  /** Receives the outcomes in the order of their seeds. Returns false after the last one wanted. */
  readonly take: (outcome: Outcome) => boolean;
}

/**
 * Plays seed after seed on all workers. When it ends, it finishes running scenarios and reports
 * their outcomes.
 */
export const playSeeds = async ({ pool, level, seed: first, goesOn, take }: SeedsOptions): Promise<void> => {
  const ended = new Map<number, Outcome>();
  let [next, awaited] = [first, first];
  let isTaking = true;

  const takeInOrder = (): void => {
    for (let outcome = ended.get(awaited); outcome && isTaking; outcome = ended.get(awaited)) {
      ended.delete(awaited);
      awaited += 1;
      isTaking = take(outcome);
    }
  };
  const lane = async (): Promise<void> => {
    while (isTaking && goesOn(next)) {
      const seed = next++;
      ended.set(seed, await pool.play({ ...nothingCut, seed, level, traced: false }));
      takeInOrder();
    }
  };
  await Promise.all(Array.from({ length: pool.workers }, lane));
};
