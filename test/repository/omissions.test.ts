import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { openCompiler } from './compiler.ts';

/** Adds to the source, and expects that every file that must change too does not compile. */
const read = (path: string): string => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

/** Additions to the source, with the files that must fail to compile until they are changed too. */
const additions = [
  {
    what: 'a group',
    file: 'functions/groups.ts',
    find: 'customers, expenses,',
    add: ' scratch: expenses,',
    unknown: ['lib/functions.ts', 'local/groups.ts', 'openapi/words/all.ts'],
  },
  {
    what: 'a list and a route with a body',
    file: 'functions/expenses/routes.ts',
    find: 'export const routes = [',
    add: `{ operation: 'listScratch', method: 'GET', path: '/scratch', ...reading, query: listQuery },
          { operation: 'createScratch', method: 'POST', path: '/scratch', ...writing, body: expenseInputSchema },`,
    unknown: ['functions/expenses/app.ts', 'openapi/words/all.ts', 'test/support/lists.ts'],
  },
  {
    what: 'a field that says nothing of erasures',
    file: 'shared/domain/customer/fields.ts',
    find: 'const eventFields = {',
    add: "scratch: field(text('Scratch.'), { sent: (is) => is.optionalText() }),",
    unknown: ['shared/domain/customer/fields.ts'],
  },
  {
    what: 'an event',
    file: 'shared/core/resources.ts',
    find: "'expense.created',",
    add: "'scratch.created',",
    unknown: ['openapi/words/all.ts', 'ops/event-causes.ts'],
  },
] as const;

const schemaFile = 'shared/table/schema.ts';
/** Code that needs an entry for each kind with a certain value in the table of kinds. */
const users = [
  ...['account.export', 'account.erase', 'erased-person'].map((name) => `functions/actions/${name}.ts`),
  'shared/table/orders.ts',
];

const judged = [...new Set<string>([...additions.flatMap(({ unknown }) => unknown), schemaFile, ...users])];
const compiler = openCompiler(judged);

describe('names that only one file declares', () => {
  test.each(additions)('$what does not compile in $unknown', ({ file, find, add, unknown }) => {
    expect(read(file)).toContain(find);
    expect(compiler.faulty(unknown, { file, change: (text) => text.replace(find, `${find} ${add}`) })).toEqual(unknown);
  });

  test('all files compile if nothing is added', () => {
    expect(compiler.faulty(judged)).toEqual([]);
  });
});

/** Compiles with a changed table. Returns the files that do not compile. */
const faultyFiles = (change: (source: string) => string, files: readonly string[] = [schemaFile, ...users]): string[] =>
  compiler.faulty(files, { file: schemaFile, change });

const scratch = `scratch: { prefix: 'scr', stream: null, exported: null, erased: 'each', person: null, retention: 'account', lists: {} },`;
const withScratch =
  (...changes: readonly (readonly [original: string, instead: string])[]) =>
  (schema: string): string =>
    schema.replace(
      'export const kinds = {',
      `$&\n${changes.reduce((row, [original, instead]) => row.replace(original, instead), scratch)}`,
    );

describe('a kind that is added', () => {
  test('the row of an added kind suffices for its erasure and its prefix, and keeps it out of the stream', () => {
    expect(faultyFiles(withScratch())).toEqual([]);
  });

  test.each(['prefix', 'stream', 'exported', 'erased', 'person', 'retention', 'lists'])(
    'a kind that is added must declare its %s',
    (property) => {
      const cut = (schema: string) =>
        withScratch([scratch, scratch.replace(new RegExp(` ${property}: ('[^']*'|null|\\[[^\\]]*\\]|\\{\\}),?`), '')])(schema);
      expect(faultyFiles(cut, [schemaFile])).toEqual([schemaFile]);
    },
  );

  test('an added kind compiles only with its export, erasure, erasure of persons and record of events', () => {
    const addKind = withScratch(
      ['exported: null', "exported: 'scratches'"],
      ["erased: 'each'", "erased: 'own way'"],
      ['person: null', "person: 'scratches'"],
      ['stream: null', "stream: 'events'"],
    );
    expect(faultyFiles(addKind)).toEqual([schemaFile, ...users.slice(0, 3)]);
  });

  test('a kind of record that an account has and its erasure omits does not compile', () => {
    expect(faultyFiles(withScratch(["erased: 'each'", 'erased: null']), [schemaFile])).toEqual([schemaFile]);
  });

  test('a kind that is added does not compile if its changes are events and no export has it', () => {
    const withoutExport = (declared: string) =>
      declared.replace("stream: 'events', exported: 'orders'", "stream: 'events', exported: null");
    expect(faultyFiles(withoutExport, [schemaFile])).toEqual([schemaFile]);
  });

  test('a kind that is added does not compile if its events are not streamed', () => {
    const silent = (declared: string) => declared.replace("stream: 'events', exported: 'orders'", "stream: null, exported: 'orders'");
    expect(faultyFiles(silent, [schemaFile])).toEqual([schemaFile]);
  });

  test('a kind that is added does not compile with an index that its lists do not sort', () => {
    const another = (declared: string) => declared.replace("deliveryDate: { all: 'gsi6' }", "$&, total: { all: 'gsi6' }");
    expect(faultyFiles(another, ['shared/table/orders.ts'])).toEqual(['shared/table/orders.ts']);
  });
});
