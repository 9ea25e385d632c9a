import type { Clock } from '../../shared/core/clock.ts';

/** A clock that stands still until a test moves it. */
export interface TestClock extends Clock {
  advance(ms: number): void;
}

export const createClock = (startMs = Date.parse('2026-03-10T09:00:00.000Z')): TestClock => {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    // A sleep returns at once and moves the clock, so a budget of seconds ends without waiting.
    sleep: async (ms) => {
      nowMs += Math.ceil(ms);
    },
    advance: (ms) => {
      nowMs += ms;
    },
  };
};
