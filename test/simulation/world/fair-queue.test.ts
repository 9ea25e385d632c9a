import { expect, test } from '@jest/globals';
import { NoisyGroups } from './fair-queue.ts';

const nowMs = 3_600_000;
const flights = (groupId: string, count: number, takenMs = nowMs) => Array.from({ length: count }, () => ({ groupId, takenMs }));
const both = new Set(['busy', 'other']);

test.each([
  ['29 messages in flight', 29, 0, []],
  ['30 messages in flight', 30, 0, ['busy']],
  ['30 messages in flight, a tenth of all', 30, 270, []],
])('a group with %s is judged by its number and its share of all', (_title, own, others, noisy) => {
  const crowd = Array.from({ length: others }, (_, i) => ({ groupId: `crowd ${i}`, takenMs: nowMs }));
  expect([...new NoisyGroups().judge(both, [...flights('busy', own), ...crowd], nowMs)]).toEqual(noisy);
});

test('a group with few messages in flight is noisy if it takes over a tenth of the recent processing time', () => {
  const groups = new NoisyGroups();
  groups.end({ groupId: 'other', takenMs: nowMs - 90_000 }, nowMs);
  expect([...groups.judge(both, flights('busy', 1, nowMs - 9_000), nowMs)]).toEqual(['other']);
  expect([...groups.judge(both, flights('busy', 1, nowMs - 11_000), nowMs)].sort()).toEqual(['busy', 'other']);
});

test('a noisy group is quiet again once its backlog is consumed, or after five minutes without a message in flight', () => {
  const groups = new NoisyGroups();
  groups.judge(both, flights('busy', 30), nowMs);
  expect([...groups.judge(new Set(['other']), [], nowMs)]).toEqual([]);
  groups.judge(both, flights('busy', 30), nowMs);
  groups.end({ groupId: 'busy', takenMs: nowMs }, nowMs);
  expect([...groups.judge(both, [], nowMs + 299_999)]).toEqual(['busy']);
  expect([...groups.judge(both, [], nowMs + 300_000)]).toEqual([]);
});
