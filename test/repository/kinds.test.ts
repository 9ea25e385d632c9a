import { describe, expect, test } from '@jest/globals';
import { indexesOf, indexNames, kindNames, kinds } from '../../shared/table/schema.ts';
import { readPage, statedIn } from '../support/marked-tables.ts';
import { openCompiler } from './compiler.ts';
import { kindTables } from './kind-tables.ts';

describe.each(Object.entries(kindTables))('%s', (page, parts) => {
  const names = [...readPage(page).matchAll(/<!-- generated: (.+) -->/g)].map(([, name = '']) => name);

  test.each(names)('states what the table of kinds says (`npm run tables` writes it): %s', (name) => {
    expect(statedIn(readPage(page), name)).toBe(parts[name]);
  });

  test('has a place for everything that is written into it', () => {
    expect(names.toSorted()).toEqual(Object.keys(parts).toSorted());
  });
});

test('the page of access patterns names indexes that exist, and says how many there are', () => {
  const page = readPage('docs/access-patterns.md');
  const names: readonly string[] = indexNames;
  for (const [name] of page.matchAll(/\bgsi\d+\b/g)) expect(names).toContain(name);
  expect(page).toContain(`\`gsi1\` … \`gsi${indexNames.length}\``);
});

test('no index is there that no list reads, and the widest kind sizes the table', () => {
  expect(Math.max(...kindNames.map((kind) => indexesOf(kind).length))).toBe(indexNames.length);
  expect(indexNames.length).toBeLessThanOrEqual(20);
});

test('no two kinds have one prefix, or one list in the export', () => {
  for (const member of ['prefix', 'exported'] as const) {
    const values = kindNames.map((kind) => kinds[kind][member]).filter((value) => value !== null);
    expect(new Set(values).size).toBe(values.length);
  }
});

const schemaFile = 'shared/table/schema.ts';
/** Code that needs an entry for each kind with a certain value in the table of kinds. */
const users = [
  ...['account.export', 'account.erase', 'erased-person'].map((name) => `functions/actions/${name}.ts`),
  'shared/table/orders.ts',
];
const compiler = openCompiler([schemaFile, ...users]);

/** Compiles with a changed table of kinds. Returns the files that do not compile. */
const refusedWith = (change: (schema: string) => string, files: readonly string[] = [schemaFile, ...users]): string[] =>
  compiler.faulty(files, { file: schemaFile, change });

const scratch = `scratch: { prefix: 'scr', stream: null, exported: null, erased: 'each', person: null, kept: 'account', lists: {} },`;
const withScratch =
  (...changes: readonly (readonly [said: string, instead: string])[]) =>
  (schema: string): string =>
    schema.replace('export const kinds = {', `$&\n${changes.reduce((row, [said, instead]) => row.replace(said, instead), scratch)}`);

describe('a kind that is added', () => {
  test('is erased, held to its prefix and left out of the stream by its row alone', () => {
    expect(refusedWith(withScratch())).toEqual([]);
  });

  test.each(['prefix', 'stream', 'exported', 'erased', 'person', 'kept', 'lists'])('has to say its %s', (member) => {
    const cut = (schema: string) =>
      withScratch([scratch, scratch.replace(new RegExp(` ${member}: ('[^']*'|null|\\[[^\\]]*\\]|\\{\\}),?`), '')])(schema);
    expect(refusedWith(cut, [schemaFile])).toEqual([schemaFile]);
  });

  test('does not compile without a view of the export, a way to be erased, what erases its persons, or the record of its events', () => {
    const said = withScratch(
      ['exported: null', "exported: 'scratches'"],
      ["erased: 'each'", "erased: 'own way'"],
      ['person: null', "person: 'scratches'"],
      ['stream: null', "stream: 'events'"],
    );
    expect(refusedWith(said)).toEqual([schemaFile, ...users.slice(0, 3)]);
  });

  test('does not compile where it is kept for an account and not erased with it', () => {
    expect(refusedWith(withScratch(["erased: 'each'", 'erased: null']), [schemaFile])).toEqual([schemaFile]);
  });

  test('does not compile where its changes are events and no export has it', () => {
    const untold = (schema: string) => schema.replace("stream: 'events', exported: 'orders'", "stream: 'events', exported: null");
    expect(refusedWith(untold, [schemaFile])).toEqual([schemaFile]);
  });

  test('does not compile where its events are not streamed', () => {
    const silent = (schema: string) => schema.replace("stream: 'events', exported: 'orders'", "stream: null, exported: 'orders'");
    expect(refusedWith(silent, [schemaFile])).toEqual([schemaFile]);
  });

  test('does not compile with an index that its lists do not sort', () => {
    const another = (schema: string) => schema.replace("deliveryDate: { all: 'gsi6' }", "$&, total: { all: 'gsi6' }");
    expect(refusedWith(another, ['shared/table/orders.ts'])).toEqual(['shared/table/orders.ts']);
  });
});
