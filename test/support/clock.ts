import type { Clock } from '../../shared/core/clock.ts';

/** A clock that stands still until a test moves it. */
export interface TestClock extends Clock {
  advance(ms: number): void;
}

export const createClock = (startMs = Date.parse('2026-03-10T09:00:00.000Z')): TestClock => {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    // Whoever sleeps wakes at once, and finds that the time has passed: a budget of seconds ends without waiting.
    sleep: async (ms) => {
      nowMs += Math.ceil(ms);
    },
    advance: (ms) => {
      nowMs += ms;
    },
  };
};
