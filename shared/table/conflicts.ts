import type { Clock } from '../core/clock.ts';

export interface Patience {
  readonly clock: Clock;
  readonly pause: (ms: number) => Promise<unknown>;
}

const budgetMs = 5_000;

/** Sends, and again with jitter for up to 5 s while `isPassing` holds of the error: other traffic on the same items is its reason. Then throws it. */
export const throughConflicts = async <Answer>(
  { clock, pause }: Patience,
  send: () => Promise<Answer>,
  isPassing: (error: unknown) => boolean,
): Promise<Answer> => {
  const deadline = clock.now() + budgetMs;
  for (let round = 0; ; round++) {
    try {
      return await send();
    } catch (error) {
      const pauseMs = Math.random() * Math.min(400, 20 * 2 ** round);
      if (!isPassing(error) || clock.now() + pauseMs >= deadline) throw error;
      await pause(pauseMs);
    }
  }
};
