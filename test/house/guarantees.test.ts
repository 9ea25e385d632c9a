import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { figuresOf, withFigures } from '../simulation/command/figures.ts';
import { newState } from '../simulation/command/state.ts';
import { laws } from '../simulation/laws/index.ts';
import { mutants } from '../simulation/mutants/mutants.ts';

const page = readFileSync('docs/guarantees.md', 'utf8');
const promised = [...page.matchAll(/^\| (\d+) \| /gm)].map(([, number]) => Number(number));

test('the page of guarantees has one row for each law of the simulator', () => {
  expect(promised).toEqual([...new Set(promised)]);
  // Law 0 is no promise of the service: it holds the models themselves.
  for (const { number, name } of laws.filter((law) => law.number > 0))
    expect({ name, isThere: promised.includes(number) }).toEqual({ name, isThere: true });
});

test('it says how many deliberate faults there are', () => {
  expect(page.replaceAll(/\s+/g, ' ')).toContain(` ${mutants.length} of them are kept in`);
});

test('every law is broken by a deliberate fault', () => {
  const broken = new Set(mutants.map(({ law }) => law));
  for (const { number, name } of laws.filter((law) => law.number > 0))
    expect({ name, isBroken: broken.has(number) }).toEqual({ name, isBroken: true });
});

test('what a run came to is written between its marks, and again in their place', () => {
  const state = newState(1, 'many');
  const run = {
    ...state,
    nextSeed: 3,
    totals: { ...state.totals, scenarios: 2, accidents: { freezes: 1, conflict: 1_200 }, laws: { '2: two': 2, '1: one': 2 } },
  };
  const once = withFigures(page, figuresOf(run));
  expect(once).toContain('**1,201 faults, no guarantee broken.**');
  expect(once).toContain('| conflict | 1,200 |\n| freezes | 1 |\n');
  expect(once).toContain('| 1: one | 2 |\n| 2: two | 2 |\n');
  expect(withFigures(once, figuresOf(run))).toBe(once);
  const broken = figuresOf({ ...run, breaches: [{ seed: 2, law: '5: counted', sentence: 'It was not.' }] });
  expect(broken).toContain('1 scenarios broke a guarantee');
  expect(broken).toContain('- Seed 2: 5: counted. It was not.\n');
});
