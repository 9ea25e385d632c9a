import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * `npm run test:newcomer`: installs and tests a clone of this commit, with nothing but git, Node, npm
 * and a shell on the `PATH`. First serves requests with the production packages alone. Hands its
 * arguments to `npm test`.
 */
const root = mkdtempSync(path.join(tmpdir(), 'newcomer-'));
const bin = path.join(root, 'bin');
const clone = path.join(root, 'clone');

/** Returns a program's file. The Node of this project's `node_modules` does not count as the machine's. */
const locate = (program: string): string => {
  const folders = (process.env['PATH'] ?? '').split(':').filter((folder) => !folder.includes('node_modules'));
  const { stdout, status } = spawnSync('/bin/sh', ['-c', `command -v ${program}`], { env: { PATH: folders.join(':') }, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} is not on the PATH.`);
  return stdout.trim();
};

/** The variables of `npm run` describe this folder, so the clone does not get them. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_(package|lifecycle|config_local)/.test(name)));

/** Runs a program in the clone. Throws if it fails. */
const run = (program: string, ...args: readonly string[]): void => {
  const { status } = spawnSync(path.resolve(bin, program), args, { cwd: clone, env: { ...env, PATH: bin }, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed.`);
};

try {
  for (const folder of [bin, clone]) mkdirSync(folder);
  for (const program of ['git', 'node', 'npm', 'sh']) symlinkSync(locate(program), path.join(bin, program));
  run('git', 'clone', '--quiet', process.cwd(), '.');
  run('npm', 'ci', '--omit=dev', '--no-audit');
  // This Node 24, because the clone has none of its own yet.
  run(process.execPath, 'test/all/first-requests.ts');
  run('npm', 'ci', '--no-audit');
  run('npm', 'test', '--', ...process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
} finally {
  rmSync(root, { recursive: true, force: true });
}
