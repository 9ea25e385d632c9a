import { beforeAll, describe, expect, test } from '@jest/globals';
import { synthesize } from '../lib/synthesize.ts';
import { type Bill, billOf } from './bill.ts';
import { budgets } from './budgets.ts';
import { measureFigures } from './figures.ts';
import { readPage, sectionsOf, statedIn } from './tables.ts';

let bills: ReadonlyMap<string, Bill>;
let sections: ReturnType<typeof sectionsOf>;
beforeAll(async () => {
  const figures = await measureFigures(synthesize().templates.us);
  bills = new Map(figures.operations.map((operation) => [operation.title, billOf(operation, figures.deployment)]));
  sections = sectionsOf(figures);
}, 60_000);

describe.each(['docs/access-patterns.md', 'docs/cost.md'])('%s', (page) => {
  const names = [...readPage(page).matchAll(/<!-- measured: (.+) -->/g)].map(([, name = '']) => name);

  test.each(names)('states what was measured (`npm run costs` writes it): %s', (name) => {
    expect(statedIn(readPage(page), name)).toBe(sections[page]?.[name]);
  });

  test('has a place for everything that is written into it', () => {
    expect(names.toSorted()).toEqual(Object.keys(sections[page] ?? {}).toSorted());
  });
});

test.each(Object.entries(budgets))('a million of %s cost at most $%s', (title, most) => {
  expect(bills.get(title)?.total).toBeLessThanOrEqual(most);
});
