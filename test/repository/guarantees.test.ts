import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { invariants } from '../simulation/invariants/index.ts';
import { mutants } from '../simulation/mutants/mutants.ts';
import { readProofs, withProofs } from './proofs.ts';

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

test('the page of guarantees names the invariants and the tests of each, and each has both', () => {
  const proofs = readProofs();
  expect(page).toBe(withProofs(page, proofs));
  for (const number of promised) {
    expect({ number, invariants: proofs.invariants.get(number) ?? [] }).not.toEqual({ number, invariants: [] });
    expect({ number, tests: proofs.tests.get(number) ?? [] }).not.toEqual({ number, tests: [] });
  }
});
