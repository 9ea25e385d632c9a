import { setTimeout as wait } from 'node:timers/promises';
import { describeError, type Log } from '../../shared/core/log.ts';
import type { Engine } from './engine.ts';

const everyMs = 30_000;
/** Items of one transaction. Requests run between two of them. */
const atOnce = 100;

/** Deletes expired items within a minute. Returns the function that ends it. */
export const startExpiry = ({ expire }: Pick<Engine, 'expire'>, log: Log): (() => void) => {
  /** Returns whether nothing is left. A full disk may have space at the next time. */
  const isDone = (): boolean => {
    try {
      return expire(atOnce) < atOnce;
    } catch (error) {
      log({ message: 'expired items were not deleted', error: describeError(error) });
      return true;
    }
  };
  const ending = new AbortController();
  const repeat = async (): Promise<void> => {
    for (;;) await wait(isDone() ? everyMs : 0, undefined, { signal: ending.signal, ref: false });
  };
  repeat().catch(() => undefined);
  return () => ending.abort();
};
