import type { Clock } from '../core/clock.ts';
import type { Random } from '../core/random.ts';

export interface Patience {
  readonly clock: Clock;
  readonly random: Random;
}

const budgetMs = 5_000;

/** Sends, and again with jitter for up to 5 s while `isPassing` holds of the error: other traffic on the same items is its reason. Then throws it. */
export const throughConflicts = async <Answer>(
  { clock, random }: Patience,
  send: () => Promise<Answer>,
  isPassing: (error: unknown) => boolean,
): Promise<Answer> => {
  const deadline = clock.now() + budgetMs;
  for (let round = 0; ; round++) {
    try {
      return await send();
    } catch (error) {
      const pauseMs = random.fraction() * Math.min(400, 20 * 2 ** round);
      if (!isPassing(error) || clock.now() + pauseMs >= deadline) throw error;
      await clock.sleep(pauseMs);
    }
  }
};
