import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { dueIndex, indexNames, type Kind, kinds } from '../../shared/table/schema.ts';

/** docs/access-patterns.md states facts of the code: these tests hold it to them; what was measured is held by test/costs. */
const root = new URL('../../', import.meta.url);
const page = readFileSync(new URL('docs/access-patterns.md', root), 'utf8');

const rowsUnder = (heading: string): string[][] => {
  const section = page.split(/^#+ /m).find((part) => part.startsWith(heading)) ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
};

const kindRows = new Map(rowsUnder('Tables, keys, units').map(([kind = '', pk = '', , indexes = '']) => [kind, { pk, indexes }]));
const indexesIn = (text: string): string[] => [...new Set(text.match(/\bgsi\d+\b/g) ?? [])].sort();

/** Indexes that a kind's store names: each builds its index partitions in a function called `…Partition`. */
const stores = readdirSync(new URL('shared/table/', root)).map((name) => readFileSync(new URL(`shared/table/${name}`, root), 'utf8'));
const indexesInCode = (kind: Kind): string[] => {
  if (kind === 'due') return [dueIndex];
  const isStoreOfKind = new RegExp(`Partition = [^;]*\\bpartition\\('${kind}'`);
  return indexesIn(stores.filter((text) => isStoreOfKind.test(text)).join());
};

describe('the page', () => {
  test('lists every kind with its prefix, and no other', () => {
    const stated = [...kindRows].map(([kind, { pk }]) => [kind, /`(\w+)#/.exec(pk)?.[1]]);
    expect(Object.fromEntries(stated)).toEqual(kinds);
  });

  test.each(Object.keys(kinds) as Kind[])('gives %s the indexes it uses', (kind) => {
    expect(indexesIn(kindRows.get(kind)?.indexes ?? '')).toEqual(indexesInCode(kind));
  });

  test('names indexes that exist, and says how many there are', () => {
    const names: readonly string[] = indexNames;
    for (const name of indexesIn(page)) expect(names).toContain(name);
    expect(page).toContain(`\`gsi1\` … \`gsi${indexNames.length}\``);
    expect(indexNames.length).toBeLessThanOrEqual(20);
  });

  test('counts for each resource the indexes it uses, the widest of which sizes the table', () => {
    const counts = rowsUnder('Why six indexes').map(([kind = '', , count]) => ({
      kinds: kind.split(', ') as Kind[],
      count: Number(count),
    }));
    for (const { kinds, count } of counts) expect(new Set(kinds.flatMap(indexesInCode)).size).toBe(count);
    expect(Math.max(...counts.map(({ count }) => count))).toBe(indexNames.length);
  });
});
