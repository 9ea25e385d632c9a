/** The one source of time: milliseconds since the Unix epoch. Passed in, so that tests own it. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
