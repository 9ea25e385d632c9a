import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { figuresOf, withFigures } from '../simulation/command/figures.ts';
import { newState } from '../simulation/command/state.ts';
import { invariants } from '../simulation/invariants/index.ts';
import { mutants } from '../simulation/mutants/mutants.ts';

const page = readFileSync('docs/guarantees.md', 'utf8');
const promised = [...page.matchAll(/^\| (\d+) \| /gm)].map(([, number]) => Number(number));

test('the page of guarantees has a row for each invariant of the simulator', () => {
  expect(promised).toEqual([...new Set(promised)]);
  // Invariant 0 is about the models, not the service.
  for (const { number, name } of invariants.filter((one) => one.number > 0))
    expect({ name, isThere: promised.includes(number) }).toEqual({ name, isThere: true });
});

test('the page of guarantees states the number of mutants', () => {
  expect(page.replaceAll(/\s+/g, ' ')).toContain(` ${mutants.length} of them are kept in`);
});

test('a mutant breaks every invariant', () => {
  const broken = new Set(mutants.map(({ invariant }) => invariant));
  for (const { number, name } of invariants.filter((one) => one.number > 0))
    expect({ name, isBroken: broken.has(number) }).toEqual({ name, isBroken: true });
});

test('the figures of a run replace those between the marks of the page', () => {
  const state = newState(1, 'many');
  const run = {
    ...state,
    nextSeed: 3,
    totals: { ...state.totals, scenarios: 2, faults: { freezes: 1, conflict: 1_200 }, invariants: { '2: two': 2, '1: one': 2 } },
  };
  const once = withFigures(page, figuresOf(run));
  expect(once).toContain('**1,201 faults, no guarantee broken.**');
  expect(once).toContain('| conflict | 1,200 |\n| freezes | 1 |\n');
  expect(once).toContain('| 1: one | 2 |\n| 2: two | 2 |\n');
  expect(withFigures(once, figuresOf(run))).toBe(once);
  const broken = figuresOf({ ...run, breaches: [{ seed: 2, invariant: '5: counted', sentence: 'It was not.' }] });
  expect(broken).toContain('1 scenarios broke a guarantee');
  expect(broken).toContain('- Seed 2: 5: counted. It was not.\n');
});
