import { measurePages, type PageUnits, startCapacity } from './measure/list-capacity.ts';

/**
 * Measures read units of list pages of 50 expenses for every filter, in accounts of 10^2 and of
 * 10^5 records. The cost must not depend on the account's size. `node bench/list-capacity.ts
 * [records …]` exits with 1 if pages differ by more than a unit.
 */
const requestedSizes = process.argv.slice(2).map(Number);
const sizes = requestedSizes.length > 0 ? requestedSizes : [100, 100_000];
const allowed = 1;

const capacity = await startCapacity();
try {
  const measured: (readonly PageUnits[])[] = [];
  for (const size of sizes) {
    const startMs = performance.now();
    measured.push(await measurePages(capacity, size));
    console.error(`${size} records loaded and read in ${((performance.now() - startMs) / 1000).toFixed(1)} s`);
  }
  const [reference = []] = measured;
  let differs = false;
  const rows = reference.map(({ title }, shape) => {
    const pages = measured.map((units) => units[shape]);
    const spread = (page: 'first' | 'second') => {
      const units = pages.map((one) => one?.[page] ?? Number.NaN);
      return Math.max(...units) - Math.min(...units);
    };
    differs ||= !(spread('first') <= allowed && spread('second') <= allowed);
    return Object.fromEntries([
      ['shape', title],
      ...sizes.flatMap((size, i) => [
        [`first page, ${size}`, pages[i]?.first],
        [`second page, ${size}`, pages[i]?.second],
      ]),
    ]) as Record<string, string | number>;
  });
  console.table(rows);
  if (differs) process.exitCode = 1;
} finally {
  await capacity.stop();
}
