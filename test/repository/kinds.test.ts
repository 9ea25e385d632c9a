import { describe, expect, test } from '@jest/globals';
import { erasedKinds, indexesOf, indexNames, type Kind, kindNames, kinds } from '../../shared/table/schema.ts';
import { readPage, statedIn } from '../support/marked-tables.ts';
import { kindTables } from './kind-tables.ts';

describe.each(Object.entries(kindTables))('%s', (page, parts) => {
  const names = [...readPage(page).matchAll(/<!-- generated: (.+) -->/g)].map(([, name = '']) => name);

  test.each(names)(`${page} states what the table of kinds says (\`npm run tables\` writes it): %s`, (name) => {
    expect(statedIn(readPage(page), name)).toBe(parts[name]);
  });

  test(`${page} has a place for everything that is written into it`, () => {
    expect(names.toSorted()).toEqual(Object.keys(parts).toSorted());
  });
});

test('the page of costs names indexes that exist, and says how many there are', () => {
  const page = readPage('docs/cost.md');
  const names: readonly string[] = indexNames;
  for (const [name] of page.matchAll(/\bgsi\d+\b/g)) expect(names).toContain(name);
  expect(page).toContain(`\`gsi1\` … \`gsi${indexNames.length}\``);
});

test('each index is read by a list, and the widest kind sizes the table', () => {
  expect(Math.max(...kindNames.map((kind) => indexesOf(kind).length))).toBe(indexNames.length);
  expect(indexNames.length).toBeLessThanOrEqual(20);
});

test('no two kinds have one prefix, or one list in the export', () => {
  for (const property of ['prefix', 'exported'] as const) {
    const values = kindNames.map((kind) => kinds[kind][property]).filter((value) => value !== null);
    expect(new Set(values).size).toBe(values.length);
  }
});

test('an erasure deletes API keys first, sessions before settings and orders, and a kind after the kinds to which its records lead', () => {
  expect(erasedKinds[0]).toBe('apiKey');
  const inOrder: readonly (readonly [earlier: Kind, later: Kind])[] = [
    ['checkoutSession', 'settings'],
    ['checkoutSession', 'order'],
    ['deliveryRecord', 'endpoint'],
    ['endpoint', 'endpointRegistry'],
  ];
  for (const [earlier, later] of inOrder)
    expect([earlier, erasedKinds.indexOf(earlier) < erasedKinds.indexOf(later)]).toEqual([earlier, true]);
});
