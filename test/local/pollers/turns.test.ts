import { beforeEach, describe, expect, test } from '@jest/globals';
import { createTurns } from '../../../local/pollers/turns.ts';

let nowMs: number;
let turns: ReturnType<typeof createTurns>;

beforeEach(() => {
  nowMs = 0;
  turns = createTurns(() => nowMs);
});

/** Takes invocations for the waiting groups until none may take another, whatever time passes. */
const takeAll = (...waiting: readonly string[]): readonly string[] => {
  const taken: string[] = [];
  for (;;) {
    const { group, isRamping } = turns.next(waiting);
    if (group === undefined && !isRamping) return taken;
    nowMs += 250;
    if (group === undefined) continue;
    turns.take([group]);
    taken.push(group);
  }
};
const groups = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => `group ${i}`);

describe('turns of message groups', () => {
  test('one group takes at most 8 invocations', () => {
    expect(takeAll('a')).toEqual(Array(8).fill('a'));
  });

  test('groups that hang take at most 24 of 32 invocations, and others get the rest, one each, as soon as one is free', () => {
    expect(takeAll('a', 'b', 'c', 'd')).toHaveLength(24);
    expect(takeAll('a', 'b', 'c', 'd', ...groups(9))).toEqual(groups(8));
    turns.giveBack(['a']);
    expect(takeAll('a', 'b', 'c', 'd', ...groups(9))).toEqual(['group 8']);
  });

  test('a free invocation goes to the group with the fewest running ones', () => {
    turns.take(['a']);
    turns.take(['a']);
    turns.take(['b']);
    nowMs += 250;
    expect(turns.next(['a', 'b']).group).toBe('b');
    expect(turns.next(['a', 'b', 'c']).group).toBe('c');
  });

  test('a group takes an additional invocation 250 ms after its last one, and fills the batch of another from then on', () => {
    turns.take(['a']);
    nowMs += 249;
    expect(turns.next(['a'])).toEqual({ group: undefined, isRamping: true });
    expect(turns.mayJoin('a')).toBe(false);
    nowMs += 1;
    expect(turns.next(['a'])).toEqual({ group: 'a', isRamping: false });
    expect(turns.mayJoin('a')).toBe(true);
  });

  test('a group with 8 running invocations fills the batch of another only after one has ended', () => {
    takeAll('a');
    nowMs += 250;
    expect(turns.mayJoin('a')).toBe(false);
    turns.giveBack(['a']);
    expect(turns.mayJoin('a')).toBe(true);
    expect(takeAll('a')).toEqual(['a']);
  });
});
