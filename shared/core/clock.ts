import { setTimeout as wait } from 'node:timers/promises';

/** The only source of time. Functions receive it as a parameter, so that tests can set the time. */
export interface Clock {
  now(): number;
  sleep(ms: number): Promise<void>;
}

export const systemClock: Clock = { now: () => Date.now(), sleep: (ms) => wait(ms) };
