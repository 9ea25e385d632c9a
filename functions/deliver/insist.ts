import type { DeliverServices } from './services.ts';

/** Tries, with pauses that grow from 0.2 s to 3 s: some ten seconds of an outage pass. */
const maxTries = 12;
const firstPauseMs = 100;
const longestPauseMs = 3_000;
/** The function runs for 60 s. */
const lastTryMs = 57_000;

/**
 * Writes, again where it fails and while the invocation that began at `begunMs` has time: what is not kept now is never counted, because
 * its message has nothing to do any more when it comes back. Throws the last error.
 */
export const insist = async <Result>(
  { clock, random }: Pick<DeliverServices, 'clock' | 'random'>,
  begunMs: number,
  write: () => Promise<Result>,
): Promise<Result> => {
  for (let tries = 1; ; tries++) {
    try {
      return await write();
    } catch (error) {
      const pauseMs = random.fraction() * Math.min(longestPauseMs, firstPauseMs * 2 ** tries);
      if (tries === maxTries || clock.now() + pauseMs > begunMs + lastTryMs) throw error;
      await clock.sleep(pauseMs);
    }
  }
};
