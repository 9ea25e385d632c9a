import { beforeAll, describe, expect, test } from '@jest/globals';
import { statedIn, withSections } from '../support/marked-tables.ts';
import type { Bill } from './bill.ts';
import { peakOrders, reachedAt } from './limits.ts';
import { type Billed, breakEven, perOrder, requestsOf, serverlessMonth, serverSizes, serversMonth, workload } from './volumes.ts';

const metrics = 34;
/**
 * Every operation at a round price: a request costs $10 per million and stores 4 KB, and 6 KB of
 * index entries, permanently.
 */
let billed: Billed;
beforeAll(() => {
  const invocation = { bytesMade: { staying: { items: 4_000, entries: 6_000 }, expiring: { items: 0, entries: 0 } } };
  billed = new Map(
    workload.map(([title]) => [
      title,
      { operation: { title, route: title, invocations: [invocation], count: 1 }, bill: { total: 10 } as Bill },
    ]),
  ) as unknown as Billed;
});
const timesOfAll = workload.reduce((sum, [, times]) => sum + times, 0);

test('the price of an order includes all work that it causes', () => {
  expect(perOrder(billed, requestsOf)).toBeCloseTo(timesOfAll, 9);
});

test('work and storage grow with the number of orders; other costs do not', () => {
  const [few, many] = [serverlessMonth(billed, 1_000, metrics), serverlessMonth(billed, 1_000_000, metrics)];
  expect(few.work).toBeCloseTo((timesOfAll * 10 * 1_000) / 1e6, 9);
  // 10 KB are stored at $0.25 per GB-month; recovery at $0.20 covers the 4 KB outside the indexes.
  expect(few.storage).toBeCloseTo((1_000 * timesOfAll * 12 * (10_000 * 0.25 + 4_000 * 0.2)) / 1e9, 9);
  expect([many.work / few.work, many.storage / few.storage].map(Math.round)).toEqual([1_000, 1_000]);
  expect([many.atRest, many.metrics]).toEqual([3.1, metrics * 0.3]);
});

describe.each(Object.values(serverSizes))('$title', (size) => {
  test('costs the same each month, except for its disk', () => {
    const [few, many] = [serversMonth(billed, 1, size), serversMonth(billed, 50_000_000, size)];
    expect({ ...many, storage: 0, total: 0 }).toEqual({ ...few, storage: 0, total: 0 });
    expect(many.storage).toBeGreaterThan(few.storage);
  });

  test('is cheaper above its break-even and more expensive below', () => {
    const even = breakEven(billed, metrics, size);
    const difference = (orders: number) => serverlessMonth(billed, orders, metrics).total - serversMonth(billed, orders, size).total;
    expect(difference(even * 1.1)).toBeGreaterThan(0);
    expect(difference(even * 0.9)).toBeLessThan(0);
  });
});

test('a limit is reached once the busiest second uses all of it', () => {
  const limit = { what: 'ovens', available: 120, perOrder: 6, knob: 'none' };
  expect(peakOrders(reachedAt(limit)) * limit.perOrder).toBeCloseTo(120, 9);
  expect(reachedAt({ ...limit, perOrder: 0 })).toBe(Number.POSITIVE_INFINITY);
});

describe('a page', () => {
  const page = 'a\n<!-- measured: one -->\n| 1 |\n<!-- /measured -->\nb\n<!-- measured: two -->\n\n<!-- /measured -->\n';

  test('keeps all text outside the markers', () => {
    const written = withSections(page, { one: '| $1 |\n| 3 |', two: '| 4 |' });
    expect([statedIn(written, 'one'), statedIn(written, 'two')]).toEqual(['| $1 |\n| 3 |', '| 4 |']);
    expect(withSections(written, { one: '| 1 |', two: '' })).toBe(page);
  });

  test('is rejected if it has no markers for a block', () => {
    expect(() => withSections(page, { three: '' })).toThrow('"three"');
  });
});
