import type { Clock } from '../../shared/core/clock.ts';

/** A clock that stands still until a test moves it. */
export interface TestClock extends Clock {
  advance(ms: number): void;
}

export const createClock = (startMs = Date.parse('2026-03-10T09:00:00.000Z')): TestClock => {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    advance: (ms) => {
      nowMs += ms;
    },
  };
};
