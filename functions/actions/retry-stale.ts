import { StaleDecision } from '../../shared/core/errors.ts';
import type { ActionServices } from './action.ts';

const maxRounds = 40;
const maxPauseMs = 200;

/** Reads, decides and writes again, with jitter, where another write came between; gives up with that conflict after 40 rounds. */
export const retryStale = async <Result>(
  { clock, random }: Pick<ActionServices, 'clock' | 'random'>,
  readDecideWrite: (round: number) => Promise<Result>,
): Promise<Result> => {
  for (let round = 1; ; round++) {
    try {
      return await readDecideWrite(round);
    } catch (error) {
      if (!(error instanceof StaleDecision) || round === maxRounds) throw error;
      await clock.sleep(random.fraction() * Math.min(maxPauseMs, 5 * 2 ** round));
    }
  }
};
