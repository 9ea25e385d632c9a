import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { listShapes, measurePages, type PageUnits, startCapacity } from '../support/list-capacity.ts';

/** bench/list-capacity.ts measures the same with more sizes. */
const sizes = [100, 3_000] as const;

let stop: () => Promise<void>;
let few: readonly PageUnits[];
let many: readonly PageUnits[];
beforeAll(async () => {
  const capacity = await startCapacity();
  stop = capacity.stop;
  [few = [], many = []] = [await measurePages(capacity, sizes[0]), await measurePages(capacity, sizes[1])];
});
afterAll(() => stop());

const shapes = listShapes.map(({ title, query }, i) => ({
  title,
  i,
  isJudged: query.sort === 'updated_at' && query.where !== undefined,
}));

test.each(shapes.filter(({ isJudged }) => isJudged))('a filter by time of update reads at most 200 records: $title', ({ i }) => {
  expect(many[i]?.records).toBe(50);
  const plain = many.find(({ title }) => title === 'by update')?.first ?? 0;
  expect(many[i]?.first).toBeLessThanOrEqual(4 * plain + 2);
});

test.each(shapes.filter(({ isJudged }) => !isJudged))('a page of 50 costs the same at 100 and at 3,000 records: $title', ({ i }) => {
  const [a, b] = [few[i], many[i]];
  expect(a?.records).toBe(50);
  expect(b?.records).toBe(50);
  for (const page of ['first', 'second'] as const) expect(Math.abs((a?.[page] ?? 0) - (b?.[page] ?? 99))).toBeLessThanOrEqual(1);
  expect(b?.first).toBeLessThanOrEqual(5);
});
