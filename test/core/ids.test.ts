import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { makeId, randomId, timeOfId } from '../../shared/core/ids.ts';

const moment = fc.integer({ min: 0, max: Date.parse('9999-12-31') });
const entropy = fc.uint8Array({ minLength: 16, maxLength: 32 });

test('ids sort by their creation time', () => {
  fc.assert(
    fc.property(moment, moment, entropy, entropy, (a, b, tailA, tailB) => {
      const [idA, idB] = [makeId('exp', a, tailA), makeId('exp', b, tailB)];
      if (a !== b) expect(idA < idB).toBe(a < b);
    }),
  );
});

test('an id contains its creation time', () => {
  fc.assert(fc.property(moment, entropy, (at, tail) => expect(timeOfId(makeId('evt', at, tail))).toBe(at)));
});

test('an id is its prefix and 26 characters that need no escaping', () => {
  fc.assert(
    fc.property(moment, entropy, (at, tail) => {
      expect(makeId('whe', at, tail)).toMatch(/^whe_[0-9a-hjkmnp-tv-z]{26}$/);
    }),
  );
});

test('the same time and entropy make the same id', () => {
  const digest = Uint8Array.from({ length: 32 }, (_, i) => i * 7);
  expect(makeId('evt', 1_772_668_800_000, digest)).toBe(makeId('evt', 1_772_668_800_000, digest));
});

test('ids that a process makes one after another sort in that order, also within a millisecond', () => {
  const ids = Array.from({ length: 1_024 }, () => [randomId('ord', 1_772_668_800_000), randomId('pay', 1_772_668_800_001)]);
  for (const made of [0, 1].map((one) => ids.map((pair) => pair[one]))) expect(made).toEqual([...made].sort());
});

test('ids of the same time are all different', () => {
  const ids = Array.from({ length: 10_000 }, () => randomId('exp', 1_772_668_800_000));
  expect(new Set(ids).size).toBe(ids.length);
});
