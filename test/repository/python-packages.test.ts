import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n');
const runsPip = 'test/deploy/python.ts';
/** It types what the page of the client tells a stranger to type. */
const asStrangersDo = 'bench/first-minutes.ts';

/** A requirement, and the lines that go on from it. */
const requirementsOf = (file: string): readonly string[] =>
  readFileSync(file, 'utf8')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

test('every Python package is pinned to one version and to hashes of its files', () => {
  const files = tracked.filter((file) => /requirements.*\.txt$/.test(file));
  expect(files).toContain('test/deploy/requirements.txt');
  const loose = files.flatMap(requirementsOf).filter((line) => !/^[\w.-]+==[\w.]+ (--hash=sha256:[0-9a-f]{64} ?)+$/.test(line));
  expect(loose).toEqual([]);
});

test('one module alone runs an installer of Python packages, and takes from an index only what has a pinned hash', () => {
  // `--without-pip` is an option of venv; a workflow's test names what a job must not run.
  const installer = /(?<!without-)\b(pip[3x]?|easy_install|uvx)\b|\buv (pip|tool|run|sync)\b/;
  const exempt = [runsPip, asStrangersDo, 'test/repository/workflows.test.ts', 'test/repository/python-packages.test.ts'];
  const texts = tracked.filter((file) => !/\.md$|(^|\/)package-lock\.json$/.test(file) && !exempt.includes(file));
  expect(texts.filter((file) => installer.test(readFileSync(file, 'utf8')))).toEqual([]);
  const module = readFileSync(runsPip, 'utf8');
  expect(module.match(/'pip'/g)).toHaveLength(1);
  expect(module).toContain("pinned: ['--require-hashes', '--only-binary', ':all:'],");
  expect(module).toContain("here: ['--no-index', '--no-deps', '--no-build-isolation'],");
});

test('the release builds the client for Python with the pinned hatchling, outside of any environment that a build would make', () => {
  const builds = readFileSync('.github/workflows/release.yml', 'utf8').match(/^.*hatchling.*$/gm);
  expect(builds).toEqual([expect.stringMatching(/^ *\.\.\/\.\.\/\.local\/python\/bin\/hatchling build /)]);
  const names = requirementsOf('test/deploy/requirements.txt').map((line) => line.split('==')[0]);
  const backend = /requires = \["([\w-]+)/.exec(readFileSync('clients/python/pyproject.toml', 'utf8'))?.[1];
  expect(names).toContain(backend);
});
