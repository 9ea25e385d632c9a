import type { Clock } from '../../shared/core/clock.ts';

/** A clock that stands still until a test moves it. */
export interface TestClock extends Clock {
  advance(ms: number): void;
}

export const createClock = (startMs = Date.parse('2026-03-10T09:00:00.000Z')): TestClock => {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    // A sleep moves the clock and returns at once, so a test does not wait for timeouts.
    sleep: async (ms) => {
      nowMs += Math.ceil(ms);
    },
    advance: (ms) => {
      nowMs += ms;
    },
  };
};
