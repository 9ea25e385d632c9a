import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { groupNames, pageNames } from '../../functions/groups.ts';
import { plainNames } from '../../local/groups.ts';

/**
 * Compares CONTRIBUTING.md with the code: the files that a new resource changes, and the tests that
 * fail if one is missing.
 */
const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8');

const section = read('CONTRIBUTING.md').split('## Add a resource')[1]?.split('\n## ')[0] ?? '';
const rows = section
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => {
    const [files = '', , noticed = ''] = line.split('|').slice(1);
    const pathsIn = (cell: string): string[] => [...cell.matchAll(/`(?:npm run test:tools -- )?([^`]+)`/g)].map(([, path = '']) => path);
    return { files: pathsIn(files), noticed: noticed.trim(), tests: pathsIn(noticed) };
  });
const listed = rows.flatMap(({ files }) => files);
const source = '{bin,clients/typescript/src,functions,lib,local,openapi,ops,pages,shared,test}';
const isListed = (path: string): boolean => listed.some((one) => (one.endsWith('/') ? path.startsWith(one) : path === one));

describe('the table of a resource in CONTRIBUTING', () => {
  test('CONTRIBUTING lists only existing files of a resource, each with an existing test that notices its absence', () => {
    expect(rows.length).toBeGreaterThan(10);
    for (const path of [...listed, ...rows.flatMap(({ tests }) => tests)])
      expect([path, existsSync(`${root}${path}`)]).toEqual([path, true]);
    expect(rows.filter(({ noticed }) => !/does not compile|the generation stops|[` ]test\/|everything/.test(noticed))).toEqual([]);
  });

  test('CONTRIBUTING lists every file that is named after expenses', () => {
    const named = globSync(`${source}/**/*expense*{,/**}`, { cwd: root }).filter((path) => /\.\w+$/.test(path));
    // Files that only expenses need, and tests of a single rule.
    const own = /^test\/(actions|domain|reference)\/|gateway-fee/;
    expect(named.filter((path) => !isListed(path) && !own.test(path))).toEqual([]);
  });

  test('CONTRIBUTING lists every file of the source that enumerates the resources', () => {
    const enumerates = (path: string): boolean => {
      const text = read(path);
      return ['expense', 'order', 'customer', 'product'].every((one) => new RegExp(`^  (readonly )?'?${one}s?\\b`, 'm').test(text));
    };
    const files = globSync('{functions,lib,local,openapi,ops,shared}/**/*.ts', { cwd: root }).filter(enumerates);
    expect(files.length).toBeGreaterThan(4);
    expect(files.filter((path) => !isListed(path))).toEqual([]);
  });
});

test('every folder with a table of routes is a group or a page', () => {
  const folders = globSync('functions/*/routes.ts', { cwd: root }).map((path) => path.split('/')[1]);
  expect(folders.sort()).toEqual([...groupNames, ...pageNames].sort());
});

test('every group has its own handler, or is listed as a group with the common one', () => {
  const entered = globSync('functions/*/handler.ts', { cwd: root }).map((path) => path.split('/')[1] ?? '');
  expect(groupNames.filter((name) => !entered.includes(name)).sort()).toEqual(plainNames.toSorted());
});

test('a restore stops every function that writes for callers', () => {
  const [, writers = ''] = /^ *WRITERS='(.*)'$/m.exec(read('docs/backup-restore.md')) ?? [];
  expect(writers.split(' ')).toEqual([...groupNames, ...pageNames, 'actions'].sort());
});

test('the page on observability names every function that logs operations', () => {
  const [, names = ''] = /^\| an operation, .*? \| (.*?) \|/m.exec(read('docs/observability.md')) ?? [];
  expect(names.split(', ')).toEqual(groupNames.toSorted());
});
