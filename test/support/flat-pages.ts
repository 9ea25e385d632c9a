import { expect } from '@jest/globals';
import type { Page, Place } from '../../shared/table/page.ts';

/** Reads a page of the account with that many records, and returns its cost. */
type Read = (size: number, after?: Place) => Promise<{ readonly page: Page<unknown>; readonly units: number }>;

export const sizes = [100, 3_000] as const;
export const limit = 50;

/**
 * Expects two full pages that cost the same for both account sizes, within one unit, and a first
 * page within the limit.
 */
export const expectFlatPages = async (read: Read, most: number): Promise<void> => {
  const units: { first: number; second: number }[] = [];
  for (const size of sizes) {
    const first = await read(size);
    const second = await read(size, first.page.next);
    expect([first.page.records.length, second.page.records.length]).toEqual([limit, limit]);
    units.push({ first: first.units, second: second.units });
  }
  const [few, many] = units as [(typeof units)[number], (typeof units)[number]];
  expect(Math.abs(few.first - many.first)).toBeLessThanOrEqual(1);
  expect(Math.abs(few.second - many.second)).toBeLessThanOrEqual(1);
  expect(many.first).toBeLessThanOrEqual(most);
};
