import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const root = new URL('../../', import.meta.url).pathname;
const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8');

/** The files of the project that a file imports, types included. */
const importsOf = (path: string): readonly string[] =>
  [...read(path).matchAll(/ from '(\.[^']+)'/g)].map(([, specifier]) => posix.join(posix.dirname(path), specifier ?? ''));

/** Returns the file and all files that it imports, directly or not. */
const reachedFrom = (entry: string): ReadonlySet<string> => {
  const reached = new Set([entry]);
  for (const path of reached) for (const next of importsOf(path)) reached.add(next);
  return reached;
};

/** A leg of the walk: a line of the page that begins with its name, and the files it names. */
const leg = (name: string): readonly string[] => {
  const line = read('docs/architecture.md')
    .split('\n')
    .find((one) => one.startsWith(`| ${name} |`));
  return [...(line ?? '').matchAll(/`([^`]+\.ts)`/g)].map(([, path]) => path ?? '');
};

describe.each([
  ['request to commit', 8, ['local/groups.ts', 'shared/services.ts']],
  ['commit to signed POST', 7, ['functions/fan-out/handler.ts', 'functions/deliver/handler.ts']],
] as const)('the walk from %s', (name, most, entries) => {
  test(`the walk from ${name} goes through at most ${most} files, each reached from the entries of the functions`, () => {
    const files = leg(name);
    const reached = new Set(entries.flatMap((entry) => [...reachedFrom(entry)]));
    expect(files.filter((path) => !existsSync(`${root}${path}`) || !reached.has(path))).toEqual([]);
    expect([files.length > 4, files.length <= most]).toEqual([true, true]);
  });
});
