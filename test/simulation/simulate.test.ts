import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { mutants } from './mutants/mutants.ts';

const main = fileURLToPath(new URL('main.ts', import.meta.url));

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** In a process of its own: a scenario owns the clock, the timers and the chance of all of it. */
const simulate = (...args: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
const withoutTimings = (text: string): string => text.replace(/^.* scenarios, .*$/m, '');

describe('the simulator', () => {
  test.each([
    ['none', 2],
    ['few', 6],
    ['many', 12],
  ])('with accidents "%s" every law holds in the first %d scenarios', async (level, runs) => {
    const { code, stdout } = await simulate('--seed', '1', '--runs', String(runs), '--accidents', level);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(`${runs} of ${runs} scenarios`) });
  });

  test('the same seed leaves the same trace, byte for byte; another seed another', async () => {
    const [first, again, other] = await Promise.all(['5', '5', '6'].map((seed) => simulate('--seed', seed, '--trace')));
    expect(first?.stdout.split('\n').length).toBeGreaterThan(1_000);
    expect(digest(withoutTimings(again?.stdout ?? ''))).toBe(digest(withoutTimings(first?.stdout ?? '')));
    expect(digest(withoutTimings(other?.stdout ?? ''))).not.toBe(digest(withoutTimings(first?.stdout ?? '')));
  });

  test('bad input is a sentence and exit 2', async () => {
    expect(await simulate('--accidents', 'lots')).toEqual({
      code: 2,
      stdout: '',
      stderr: '--accidents must be one of none, few, many, ghosts, and "lots" is none.\n',
    });
  });

  test.each(mutants)('finds the fault "$name"', async ({ name, seed, law }) => {
    const { code, stdout } = await simulate('--seed', String(seed), '--mutant', name);
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining(`Seed ${seed} breaks a promise. ${law}:`) });
    expect(stdout).toContain(`npm run simulate -- --seed ${seed} --accidents many --mutant ${name} --trace`);
  });
});
