import { describe, expect, test } from '@jest/globals';
import { createRandom } from './random.ts';

const draws = (seed: number, count: number): number[] => {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => random.fraction());
};

describe('the random numbers', () => {
  test('the random numbers are the same for the same seed on every machine', () => {
    expect(draws(1, 4).map((one) => one * 2 ** 32)).toEqual([393_288_148, 2_174_103_013, 3_814_759_091, 2_092_745_082]);
    expect(draws(7, 100)).toEqual(draws(7, 100));
  });

  test('the random numbers differ for adjacent seeds and for seeds that differ by 2³²', () => {
    const firsts = [0, 1, 2, 2 ** 32, 2 ** 32 + 1, 2 ** 53 - 1].map((seed) => draws(seed, 1)[0]);
    expect(new Set(firsts).size).toBe(firsts.length);
  });

  test('the random numbers are uniform, and names are drawn by their weights', () => {
    const random = createRandom(3);
    const tens = Array<number>(10).fill(0);
    for (let i = 0; i < 10_000; i++) {
      const ten = random.below(10);
      tens[ten] = (tens[ten] ?? 0) + 1;
    }
    for (const count of tens) expect(Math.abs(count - 1_000)).toBeLessThan(150);
    const names = Array.from({ length: 1_000 }, () => random.weighted({ often: 9, seldom: 1, never: 0 }));
    expect(names).not.toContain('never');
    expect(Math.abs(names.filter((name) => name === 'seldom').length - 100)).toBeLessThan(40);
  });
});
