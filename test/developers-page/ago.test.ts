import { expect, test } from '@jest/globals';
import { distanceOf } from '../../pages/developers/src/ui/ago.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

test.each([
  ['a moment ago', 0, [-1, 'second']],
  ['by a clock that is ahead', 300, [-1, 'second']],
  ['59 seconds ago', -59_999, [-59, 'second']],
  ['3 minutes ago', -3 * minuteMs - 50_000, [-3, 'minute']],
  ['in 5 minutes', 5 * minuteMs, [5, 'minute']],
  ['23 hours ago', -24 * hourMs + 1, [-23, 'hour']],
  ['6 days ago', -7 * dayMs + 1, [-6, 'day']],
  ['a week ago', -7 * dayMs, undefined],
])('a time is shown as its distance from now, up to a week: %s', (_, ms, distance) => {
  const nowMs = Date.UTC(2026, 2, 10);
  expect(distanceOf(nowMs + ms, nowMs)).toEqual(distance);
});
