import { setTimeout as wait } from 'node:timers/promises';

/**
 * The one source of time: milliseconds since the Unix epoch, and waiting until they have passed.
 * Handed in, so that tests own it.
 */
export interface Clock {
  now(): number;
  sleep(ms: number): Promise<void>;
}

export const systemClock: Clock = { now: () => Date.now(), sleep: (ms) => wait(ms) };
