import { spawnSync } from 'node:child_process';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readJson } from './manifest.ts';

const read = (path: string): string => readFileSync(path, 'utf8');

/** The text of each document. Of the changelog, the released versions name what was. */
const documents = globSync(['*.md', '.github/*.md', 'docs/**/*.md', 'clients/*/README.md', 'examples/**/README.md'], {
  exclude: ['**/node_modules/**'],
}).map((page) => ({ page, text: page === 'CHANGELOG.md' ? read(page).replace(/^## \[\d[\s\S]*/m, '') : read(page) }));

const { scripts } = readJson('package.json') as { readonly scripts: Readonly<Record<string, string>> };

/** Names of every document that match the pattern, with their page. */
const named = (pattern: RegExp): readonly (readonly [page: string, name: string])[] =>
  documents.flatMap(({ page, text }) => [...text.matchAll(pattern)].map(([, name = '']) => [page, name] as const));

test('every path in backticks that begins with a folder of the repository exists', () => {
  const folders = readdirSync('.', { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['.git', '.local', 'node_modules', 'cdk.out'].includes(entry.name))
    .map(({ name }) => name.replace('.', '\\.'));
  const paths = named(new RegExp(`\`((?:${folders.join('|')})/[^\`\\s]*)\``, 'g'));
  expect(paths.length).toBeGreaterThan(200);
  // `<group>` stands for any name. Build outputs exist only after the build; a removed file is named once.
  const absent = paths.filter(([, path]) => !path.includes('/dist/') && path !== 'docs/postman-collection.json');
  expect(absent.filter(([, path]) => globSync(path.replaceAll(/<[^>]*>/g, '*')).length === 0)).toEqual([]);
});

test('every path of a source file in backticks is a path of the repository, or ends one', () => {
  const paths = named(/`([\w@.<>*-]+\/[^`\s]*\.(?:ts|mjs|cjs|grit))`/g);
  expect(paths.length).toBeGreaterThan(150);
  const files = globSync('{*,*/**,.biome/**}', { exclude: ['**/node_modules/**', 'cdk.out/**'] }).map((path) => `/${path}`);
  const isEndOf = (path: string) => {
    const pattern = new RegExp(`/${path.replaceAll(/[.*]/g, '\\$&').replaceAll(/<[^>]*>/g, '[^/]*')}$`);
    return files.some((file) => pattern.test(file));
  };
  expect(paths.filter(([, path]) => !isEndOf(path))).toEqual([]);
});

test('every name like camelCase in backticks, of a document or a comment, is in the code', () => {
  const commentLines = /^\s*(?:\/\/|\/?\*).*$/gm;
  const sources = globSync(['**/*.{ts,tsx,mjs,json}', '.*.cjs'], { exclude: ['**/node_modules/**', 'cdk.out/**', 'package-lock.json'] });
  const comments = sources.map((page) => ({ page, text: (read(page).match(commentLines) ?? []).join('\n') }));
  const code = new Set(
    sources.flatMap(
      (page) =>
        read(page)
          .replaceAll(commentLines, '')
          .match(/[a-zA-Z_]\w*/g) ?? [],
    ),
  );
  const names = [...documents, ...comments].flatMap(({ page, text }) =>
    [...text.matchAll(/`([a-z]+[A-Z]\w*)`/g)].map(([, name = '']) => [page, name] as const),
  );
  expect(names.length).toBeGreaterThan(300);
  // The changelog names what was removed.
  expect(names.filter(([page, name]) => !code.has(name) && page !== 'CHANGELOG.md')).toEqual([]);
});

test('every npm script that a document runs is in package.json', () => {
  const runs = named(/npm run (?:--silent )?([a-z][\w:-]*)/g);
  expect(runs.length).toBeGreaterThan(100);
  expect(runs.filter(([, name]) => scripts[name] === undefined)).toEqual([]);
});

describe('tests that documents name', () => {
  const lists = new Map<string, readonly string[]>();
  /** Returns the files of the tests that an npm script runs. */
  const testsOf = (script: string): readonly string[] => {
    const list =
      lists.get(script) ?? spawnSync('npm', ['run', '--silent', script, '--', '--listTests'], { encoding: 'utf8' }).stdout.split('\n');
    lists.set(script, list);
    return list;
  };
  const runs = (script: string, path: string): boolean => testsOf(script).some((file) => file.includes(`/${path}`));

  test('every file or folder that a document gives to npm test or npm run test:… has a test of that suite', () => {
    const commands = documents.flatMap(({ page, text }) =>
      [...text.matchAll(/npm (?:run )?(?:--silent )?(test(?::\w+)?) -- ([^`\n]*)/g)].map(([, script = '', files = '']) => ({
        page,
        script,
        files,
      })),
    );
    const named = commands.flatMap(({ files, ...command }) => files.split(' ').map((path) => ({ ...command, path })));
    const paths = named.filter(({ path }) => path.startsWith('test/'));
    expect(paths.length).toBeGreaterThan(10);
    expect(paths.filter(({ script, path }) => !runs(script, path))).toEqual([]);
  });

  test('npm test runs every test that a table of CONTRIBUTING names without a command', () => {
    const reports = [...read('CONTRIBUTING.md').matchAll(/^\| .* \| (.*) \|$/gm)].map(([, cell = '']) => cell);
    const paths = reports.flatMap((cell) => [...cell.matchAll(/`(test\/[^`]*\.test\.ts)`/g)].map(([, path = '']) => path));
    expect(paths.length).toBeGreaterThan(10);
    expect(paths.filter((path) => !runs('test', path))).toEqual([]);
  });
});

/** Options in the source of a program: those that it parses, and those that its help and its errors name. */
const optionsOf = (file: string): readonly string[] => {
  const source = read(file);
  return [
    ...[...source.matchAll(/--([a-z][a-z-]*[a-z])/g)].map(([, name = '']) => name),
    ...[...source.matchAll(/'?([a-z][a-z-]*)'?: \{ type: '(?:string|boolean)'/g)].map(([, name = '']) => name),
  ];
};
const own = new Set(
  globSync(['bench/*.ts', 'bin/*.ts', 'local/options.ts', 'ops/*.ts', 'clients/typescript/src/listen.ts', 'test/*/run.ts'])
    .concat('test/simulation/command/options.ts')
    .flatMap(optionsOf),
);
/** Options of other programs that documents name, by program. */
const foreign: Readonly<Record<string, readonly string[]>> = {
  'apt-get': ['yes'],
  aws: ['application-name', 'function-name', 'sse-specification-override', 'stack-name', 'table-name'],
  docker: ['network', 'platform'],
  gh: ['jq'],
  jest: ['changedSince'],
  node: ['experimental-vm-modules'],
  npm: ['no-save', 'package-lock-only', 'silent'],
  // The compiler of Python pins; the test of Python packages allows its name in one module only.
  compile: ['allow-unsafe', 'generate-hashes'],
};

test('every option in backticks is an option of a program of the repository, or of a program that is named here', () => {
  const known = new Set([...own, ...Object.values(foreign).flat()]);
  const options = documents.flatMap(({ page, text }) =>
    [...text.replaceAll(/^ *```[\s\S]*?^ *```/gm, '').matchAll(/`([^`]*)`/g)].flatMap(([, code = '']) =>
      [...code.matchAll(/(?<![\w-])--([a-zA-Z][\w-]*)/g)].map(([, name = '']) => [page, name] as const),
    ),
  );
  expect(options.length).toBeGreaterThan(60);
  // `--dp-…` are variables of a stylesheet.
  expect(options.filter(([, name]) => !known.has(name) && !name.startsWith('dp-'))).toEqual([]);
});

test('every option that a document gives to npm start or to ops is one of it', () => {
  const optionsIn = (pattern: RegExp) =>
    named(pattern).flatMap(([page, options]) =>
      [...options.replaceAll(/'[^']*'/g, '').matchAll(/(?:^| )--([a-z][\w-]*)/g)].map(([, name = '']) => [page, name] as const),
    );
  const start = new Set(optionsOf('local/options.ts'));
  expect(optionsIn(/npm start -- ([^`\n]*)/g).filter(([, name]) => !start.has(name))).toEqual([]);
  const ops = new Set(globSync('ops/*.ts').flatMap(optionsOf));
  expect(optionsIn(/npm run --silent ops -- ([^`\n|$]*)/g).filter(([, name]) => !ops.has(name))).toEqual([]);
});

test('every step that a link names is in the numbered steps of its section or page', () => {
  const links = documents.flatMap(({ page, text }) =>
    [...text.matchAll(/\[steps?\s+(\d+)\]\(([^)\s]+)\)|steps?\s+(\d+)\s+of\s+\[[^\]]+\]\(([^)\s]+)\)|\]\(([^)\s]+)\),\s+step (\d+)/g)].map(
      ([, one, to, two, at, on, three]) => ({ page, step: one ?? two ?? three ?? '', href: to ?? at ?? on ?? '' }),
    ),
  );
  expect(links.length).toBeGreaterThan(3);
  const without = links.filter(({ page, step, href }) => {
    const [path = '', anchor] = href.split('#');
    const text = read(path === '' ? page : posix.join(posix.dirname(page), path));
    const section = text.split(/^(?=#{1,6} )/m).find((part) => {
      const heading = /^#+ (.*)/.exec(part)?.[1] ?? '';
      return (
        heading
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
          .replaceAll(' ', '-') === anchor
      );
    });
    return !new RegExp(`^${step}\\. `, 'm').test(section ?? text);
  });
  expect(without).toEqual([]);
});
