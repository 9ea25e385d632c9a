import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { localOfMs, msOfLocal } from '../../pages/developers/src/ui/local-time.ts';

const zones = fc.constantFrom('UTC', 'America/New_York', 'Australia/Lord_Howe', 'Europe/Vienna', 'Asia/Kathmandu', 'Pacific/Apia');
const between = { min: Date.UTC(2020, 0), max: Date.UTC(2040, 0) };

test.each([
  ['America/New_York', '2026-11-21T11:30'],
  ['Australia/Sydney', '2026-11-22T03:30'],
  ['Asia/Kathmandu', '2026-11-21T22:15'],
])('a moment is written as the clocks of %s show it, and read again', (zone, written) => {
  const ms = Date.UTC(2026, 10, 21, 16, 30);
  expect([localOfMs(ms, zone), msOfLocal(written, zone)]).toEqual([written, ms]);
});

test('a written local time is read as the same minute, except in the hour that clocks show twice', () =>
  fc.assert(
    fc.property(fc.integer(between), zones, (ms, zone) => {
      const minute = ms - (ms % 60_000);
      const read = msOfLocal(localOfMs(ms, zone), zone);
      expect(localOfMs(read ?? 0, zone)).toBe(localOfMs(ms, zone));
      expect(Math.abs((read ?? 0) - minute)).toBeLessThanOrEqual(3_600_000);
    }),
  ));

test.each(['', 'x'])('msOfLocal returns null for %j', (value) => {
  expect(msOfLocal(value, 'UTC')).toBeNull();
});
