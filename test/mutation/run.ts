import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';

/**
 * `npm run mutants:source`: StrykerJS changes the source one place at a time, and runs the tests that
 * reach the place. Names of files, or the files of this branch that differ from `main`. `--slice 2/20`
 * takes the second of 20 parts of all files. `--tests PATTERN` runs only these test files, and may be
 * repeated. Writes a report to .local/mutation.
 */
const folders = ['shared/domain', 'shared/table', 'shared/operations', 'functions'];

const git = (...args: readonly string[]): readonly string[] =>
  execFileSync('git', args, { encoding: 'utf8' })
    .split('\n')
    .filter((file) => file.endsWith('.ts') && folders.some((folder) => file.startsWith(`${folder}/`)));

/** Returns the files of a part, `2/20`: of every 20 files the second. */
const sliceOf = (slice: string): readonly string[] => {
  const [, part = 0, parts = 0] = (/^(\d+)\/(\d+)$/.exec(slice) ?? []).map(Number);
  if (part < 1 || part > parts) throw new Error(`--slice is a part of all, for example 2/20, and not "${slice}".`);
  return git('ls-files').filter((_, i) => i % parts === part - 1);
};

const { values, positionals } = parseArgs({
  options: { slice: { type: 'string' }, tests: { type: 'string', multiple: true } },
  allowPositionals: true,
});
const named = positionals.length > 0 ? positionals : undefined;
const mutate = values.slice === undefined ? (named ?? git('diff', '--name-only', 'main...')) : sliceOf(values.slice);
if (mutate.length === 0) throw new Error('No file of the source differs from main. Name files, or a slice.');

await new Stryker({
  mutate: [...mutate],
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--no-warnings'],
  plugins: ['@stryker-mutator/jest-runner'],
  coverageAnalysis: 'perTest',
  jest: {
    projectType: 'custom',
    configFile: 'jest.config.mjs',
    config: {
      // StrykerJS does not know <rootDir>.
      testEnvironment: resolve('test/support/environment.mjs'),
      ...(values.tests && { testMatch: values.tests.map((pattern) => `<rootDir>/${pattern}`) }),
    },
    enableFindRelatedTests: values.tests === undefined,
  },
  // The sandbox is a copy; what tests never read stays out of it.
  ignorePatterns: ['/.local', '/cdk.out', '/docs/pictures', '/test/breaking/released.json'],
  tempDirName: '.local/mutation/sandbox',
  concurrency: 2,
  timeoutMS: 60_000,
  reporters: ['clear-text', 'html', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  htmlReporter: { fileName: '.local/mutation/report.html' },
  jsonReporter: { fileName: '.local/mutation/report.json' },
}).runMutationTest();
