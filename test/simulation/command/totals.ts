import type { Outcome } from './task.ts';

export type Counts = Readonly<Record<string, number>>;

/** What was played, added up. */
export interface Totals {
  readonly scenarios: number;
  readonly deeds: number;
  readonly calls: number;
  readonly virtualMs: number;
  /** By kind. */
  readonly accidents: Counts;
  /** How often each law was held against the world, by its name. */
  readonly laws: Counts;
  /** What else was counted, by its name. */
  readonly figures: Counts;
}

export const noTotals: Totals = { scenarios: 0, deeds: 0, calls: 0, virtualMs: 0, accidents: {}, laws: {}, figures: {} };

const merged = (a: Counts, b: Counts): Counts => {
  const sums: Record<string, number> = { ...a };
  for (const [name, count] of Object.entries(b)) sums[name] = (sums[name] ?? 0) + count;
  return sums;
};

export const plus = (totals: Totals, { deeds, calls, virtualMs, accidents, laws, figures }: Outcome): Totals => ({
  scenarios: totals.scenarios + 1,
  deeds: totals.deeds + deeds.length,
  calls: totals.calls + calls,
  virtualMs: totals.virtualMs + virtualMs,
  accidents: merged(totals.accidents, accidents),
  laws: merged(totals.laws, laws),
  figures: merged(totals.figures, figures),
});

export const sumOf = (counts: Counts): number => Object.values(counts).reduce((sum, count) => sum + count, 0);

const thousands = new Intl.NumberFormat('en');
const told = (count: number): string => thousands.format(count);

/** One line; `seconds` is how long these scenarios took. */
export const progressLine = ({ scenarios, virtualMs, deeds, accidents, laws }: Totals, seconds: number): string => {
  const rate = (count: number): string => (seconds > 0 ? (count / seconds).toFixed(1) : '0.0');
  return [
    `${told(scenarios)} scenarios, ${rate(scenarios)} a second`,
    `${rate(virtualMs / 86_400_000)} virtual days a second`,
    `${told(deeds)} deeds, ${told(sumOf(accidents))} accidents, ${told(sumOf(laws))} laws checked`,
  ].join('; ');
};

const table = (rows: Counts, order: (a: readonly [string, number], b: readonly [string, number]) => number): string =>
  Object.entries(rows)
    .sort(order)
    .map(([name, count]) => `${told(count).padStart(12)}  ${name}\n`)
    .join('');

/** What came of it: all accidents by kind, and how often each law held. */
export const summary = (totals: Totals): string => {
  const { calls, accidents, laws, figures } = totals;
  return [
    `Accidents:\n${table(accidents, ([, a], [, b]) => b - a)}`,
    `Laws, and how often each was checked:\n${table(laws, ([a], [b]) => Number.parseInt(a, 10) - Number.parseInt(b, 10) || a.localeCompare(b))}`,
    `And besides:\n${table({ 'calls to the outside': calls, ...figures }, () => 0)}`,
  ].join('\n');
};
