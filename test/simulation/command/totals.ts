import type { Outcome } from './task.ts';

export type Counts = Readonly<Record<string, number>>;

/** Totals of all scenarios. */
export interface Totals {
  readonly scenarios: number;
  readonly actions: number;
  readonly calls: number;
  readonly virtualMs: number;
  /** By kind. */
  readonly faults: Counts;
  /** Number of checks of each invariant, by its name. */
  readonly invariants: Counts;
  /** Other counts, by name. */
  readonly figures: Counts;
}

export const noTotals: Totals = { scenarios: 0, actions: 0, calls: 0, virtualMs: 0, faults: {}, invariants: {}, figures: {} };

const merged = (a: Counts, b: Counts): Counts => {
  const sums: Record<string, number> = { ...a };
  for (const [name, count] of Object.entries(b)) sums[name] = (sums[name] ?? 0) + count;
  return sums;
};

export const plus = (totals: Totals, { actions, calls, virtualMs, faults, invariants, figures }: Outcome): Totals => ({
  scenarios: totals.scenarios + 1,
  actions: totals.actions + actions.length,
  calls: totals.calls + calls,
  virtualMs: totals.virtualMs + virtualMs,
  faults: merged(totals.faults, faults),
  invariants: merged(totals.invariants, invariants),
  figures: merged(totals.figures, figures),
});

export const sumOf = (counts: Counts): number => Object.values(counts).reduce((sum, count) => sum + count, 0);

const thousands = new Intl.NumberFormat('en');
const formatCount = (count: number): string => thousands.format(count);

/** Returns a line about scenarios that took `seconds`. */
export const progressLine = ({ scenarios, virtualMs, actions, faults, invariants }: Totals, seconds: number): string => {
  const rate = (count: number): string => (seconds > 0 ? (count / seconds).toFixed(1) : '0.0');
  return [
    `${formatCount(scenarios)} scenarios, ${rate(scenarios)} a second`,
    `${rate(virtualMs / 86_400_000)} virtual days a second`,
    `${formatCount(actions)} actions, ${formatCount(sumOf(faults))} faults, ${formatCount(sumOf(invariants))} invariants checked`,
  ].join('; ');
};

const table = (rows: Counts, order: (a: readonly [string, number], b: readonly [string, number]) => number): string =>
  Object.entries(rows)
    .sort(order)
    .map(([name, count]) => `${formatCount(count).padStart(12)}  ${name}\n`)
    .join('');

/**
 * Returns the totals as text: the number of faults of each kind and of checks of each invariant.
 */
export const summary = (totals: Totals): string => {
  const { calls, faults, invariants, figures } = totals;
  return [
    `Faults:\n${table(faults, ([, a], [, b]) => b - a)}`,
    `Invariants, and how often each was checked:\n${table(invariants, ([a], [b]) => Number.parseInt(a, 10) - Number.parseInt(b, 10) || a.localeCompare(b))}`,
    `Also:\n${table({ 'calls to the outside': calls, ...figures }, () => 0)}`,
  ].join('\n');
};
