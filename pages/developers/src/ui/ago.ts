const units = [
  ['second', 1_000, 60],
  ['minute', 60_000, 60],
  ['hour', 3_600_000, 24],
  ['day', 86_400_000, 7],
] as const;

/**
 * Returns a time as its distance from now, `[-3, 'minute']` for three minutes ago. Undefined from a
 * week on, when a date says more.
 */
export const distanceOf = (ms: number, nowMs: number): readonly [value: number, unit: (typeof units)[number][0]] | undefined => {
  for (const [unit, unitMs, most] of units) {
    const count = Math.floor(Math.abs(ms - nowMs) / unitMs);
    // The clocks of the service and the browser differ, so what happened just now is a second ago.
    if (count < most) return [ms > nowMs && count > 0 ? count : -Math.max(1, count), unit];
  }
  return undefined;
};
