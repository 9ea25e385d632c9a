import type { Clock } from '../../shared/core/clock.ts';

/** Calls back at a time of the given clock; setting it again moves it. */
interface AlarmClock {
  set(atMs: number): void;
  clear(): void;
}

const longestTimerMs = 60_000;

/** `recheckMs` bounds how long a clock that jumps (a test's own) goes unnoticed. */
export const alarmClock = (clock: Clock, ring: () => void, recheckMs = longestTimerMs): AlarmClock => {
  let timer: NodeJS.Timeout | undefined;
  const arm = (atMs: number) => {
    clearTimeout(timer);
    const restMs = atMs - clock.now();
    timer = setTimeout(() => (clock.now() >= atMs ? ring() : arm(atMs)), Math.min(Math.max(restMs, 0), recheckMs));
  };
  return { set: arm, clear: () => clearTimeout(timer) };
};
