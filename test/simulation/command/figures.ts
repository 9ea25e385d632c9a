import { readFileSync, writeFileSync } from 'node:fs';
import { UsageError } from './options.ts';
import { readState, type State } from './state.ts';
import { sumOf } from './totals.ts';

const page = new URL('../../../docs/guarantees.md', import.meta.url);
const marks = /(<!-- measured: faults -->\n)[\s\S]*?(<!-- \/measured -->)/;

const formatCount = (count: number): string => count.toLocaleString('en');
const rows = (counts: Readonly<Record<string, number>>, order: (a: [string, number], b: [string, number]) => number): string =>
  Object.entries(counts)
    .sort(order)
    .map(([name, count]) => `| ${name} | ${formatCount(count)} |\n`)
    .join('');

/** Returns the figures of a run, as the page states them. */
export const figuresOf = ({ level, firstSeed, nextSeed, totals, breaches }: State): string => {
  const { scenarios, actions, calls, virtualMs, faults, invariants, figures } = totals;
  const broken = breaches.map(({ seed, invariant, sentence }) => `- Seed ${seed}: ${invariant}. ${sentence}\n`).join('');
  return [
    `\nSeeds ${firstSeed} to ${nextSeed - 1}, faults "${level}": ${formatCount(scenarios)} scenarios, ${formatCount(actions)} actions of callers, ${formatCount(calls)} calls, `,
    `${formatCount(Math.round(virtualMs / 86_400_000))} days. **${formatCount(sumOf(faults))} faults, ${breaches.length === 0 ? 'no guarantee broken' : `${formatCount(breaches.length)} scenarios broke a guarantee`}.**\n`,
    broken && `\n${broken}`,
    `\n| Fault | Met |\n|---|---:|\n${rows(faults, ([, a], [, b]) => b - a)}`,
    `\n| Invariant | Checked |\n|---|---:|\n${rows(invariants, ([a], [b]) => Number.parseInt(a, 10) - Number.parseInt(b, 10) || a.localeCompare(b))}`,
    `\n| Other counts | |\n|---|---:|\n${rows(figures, () => 0)}\n`,
  ].join('');
};

export const withFigures = (text: string, figures: string): string => {
  if (!marks.test(text)) throw new Error('The page has no marks for the figures of a run.');
  return text.replace(marks, (_, opening: string, closing: string) => opening + figures + closing);
};

/**
 * Writes the figures of a run of `--resume FILE` into docs/guarantees.md. Throws `UsageError` if
 * the file is not of a run.
 */
export const writeFigures = (file: string): void => {
  const state = readState(file, { seed: undefined, level: undefined });
  if (!state) throw new UsageError(`There is no ${file}.`);
  writeFileSync(page, withFigures(readFileSync(page, 'utf8'), figuresOf(state)));
};
