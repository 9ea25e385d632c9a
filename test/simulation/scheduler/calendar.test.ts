import { describe, expect, test } from '@jest/globals';
import { calendarOf } from './calendar.ts';
import { streamOf } from './random.ts';

const localTime = (timezone: string, atMs: number): string =>
  new Intl.DateTimeFormat('sv', { timeZone: timezone, dateStyle: 'short', timeStyle: 'short' }).format(atMs);

describe('a scenario', () => {
  const calendars = Array.from({ length: 500 }, (_, seed) => calendarOf(streamOf(seed, 'calendar')));
  const turning = calendars.filter(
    ({ startMs, timezone }) => localTime(timezone, startMs).slice(0, 10) !== localTime(timezone, startMs + 3_660_000).slice(0, 10),
  );

  test("a scenario mostly starts in the last hour of a day in its accounts' timezone", () => {
    expect(turning.length).toBeGreaterThan(calendars.length * 0.6);
    expect(turning.length).toBeLessThan(calendars.length * 0.9);
  });

  test.each([
    ['a month', /-01$/],
    ['a year', /-01-01$/],
    ['a leap day', /2028-02-29$/],
    ['the day after it', /2028-03-01$/],
  ])('a scenario starts before %s in some seeds, in every timezone', (_, day) => {
    const found = turning.filter(({ startMs, timezone }) => day.test(localTime(timezone, startMs + 3_660_000).slice(0, 10)));
    expect(new Set(found.map(({ timezone }) => timezone)).size).toBeGreaterThan(2);
  });
});
