import { setTimeout as wait } from 'node:timers/promises';
import type { Engine } from './engine.ts';

const everyMs = 30_000;
/** Items of one transaction. Requests run between two of them. */
const atOnce = 100;

/** Deletes expired items within a minute. Returns the function that ends it. */
export const startExpiry = ({ expire }: Pick<Engine, 'expire'>): (() => void) => {
  const ending = new AbortController();
  const repeat = async (): Promise<void> => {
    for (;;) {
      const isDone = expire(atOnce) < atOnce;
      await wait(isDone ? everyMs : 0, undefined, { signal: ending.signal, ref: false });
    }
  };
  repeat().catch(() => undefined);
  return () => ending.abort();
};
