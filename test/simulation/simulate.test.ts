import { type ChildProcess, execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { mutants } from './mutants/mutants.ts';

const main = fileURLToPath(new URL('main.ts', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'simulation-'));
const fileOf = (name: string): string => path.join(folder, name);
// About 40 processes load the same source.
const env = { ...process.env, NODE_COMPILE_CACHE: fileOf('compiled') };

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const start = (args: readonly string[], end: (ended: Ended) => void): ChildProcess =>
  execFile(process.execPath, [main, ...args], { maxBuffer: 64 * 1024 * 1024, cwd: root, env }, (error, stdout, stderr) =>
    end({ code: error ? Number(error.code) : 0, stdout, stderr }),
  );
const simulate = (...args: readonly string[]): Promise<Ended> => new Promise((resolve) => void start(args, resolve));

const digest = (text = ''): string => createHash('sha256').update(text).digest('hex');
const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, any>;

describe('the simulator', () => {
  test.each([
    ['none', 1],
    ['few', 5],
    ['many', 20],
  ])('the simulator with the level "%s", every invariant holds in the first %d scenarios', async (level, runs) => {
    const { code, stdout } = await simulate('--seed', '1', '--runs', String(runs), '--faults', level);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(`${runs} scenarios, `) });
    expect(stdout).toMatch(new RegExp(` ${runs}  0: the models understood everything`));
  });

  test('the same seed has the same trace, byte for byte; another seed has another one', async () => {
    const [first, again, other] = await Promise.all(['15', '15', '16'].map((seed) => simulate('--seed', seed, '--trace')));
    expect(first?.stdout.split('\n').length).toBeGreaterThan(1_000);
    expect(digest(again?.stdout)).toBe(digest(first?.stdout));
    expect(digest(other?.stdout)).not.toBe(digest(first?.stdout));
  });

  test.each([
    [['--faults', 'lots'], '--faults must be one of none, few, many, ghosts, and "lots" is none.\n'],
    [['--replay', fileOf('none.json')], `${fileOf('none.json')} is not there.\n`],
    [['--replay', folder], `${folder} cannot be read (EISDIR).\n`],
    [['--replay', main], `${main} holds no JSON.\n`],
    [['--replay', path.join(root, 'package.json')], `${path.join(root, 'package.json')} is no trace of this simulator.\n`],
    [['--resume', path.join(root, 'package.json')], `${path.join(root, 'package.json')} is no state of a run of this simulator.\n`],
    [['--resume', fileOf('no/folder.json')], `${fileOf('no/folder.json')} cannot be written (ENOENT).\n`],
  ])('%j prints a sentence and exits with 2', async (args, stderr) => {
    expect(await simulate(...args)).toEqual({ code: 2, stdout: '', stderr });
  });
});

describe('a resumed run', () => {
  const resume = async (file: string, ...args: readonly string[]): Promise<Record<string, any>> => {
    const { code, stderr } = await simulate('--resume', file, ...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { seconds: _, ...state } = readJson(file);
    return state;
  };

  test('a resumed run has the totals of one uninterrupted run, for any number of workers', async () => {
    const [atOnce, twice] = [fileOf('at-once.json'), fileOf('twice.json')];
    const atOnceState = await resume(atOnce, '--seed', '14', '--runs', '3', '--workers', '1');
    await resume(twice, '--seed', '14', '--runs', '2', '--workers', '2');
    expect(await resume(twice, '--runs', '1')).toEqual(atOnceState);
    expect(atOnceState).toMatchObject({ firstSeed: 14, nextSeed: 17, level: 'many', breaches: [], totals: { scenarios: 3 } });
  });

  test('a resumed run continues until the requested total number of faults', async () => {
    const file = fileOf('faults.json');
    const { totals } = await resume(file, '--seed', '14', '--runs', '1');
    const met = (counts: Record<string, number>): number => Object.values(counts).reduce((sum, count) => sum + count, 0);
    const untilFaults = met(totals.faults) + 1;
    const more = await resume(file, '--until-faults', String(untilFaults), '--workers', '1');
    expect(more['totals'].scenarios).toBe(2);
    expect(met(more['totals'].faults)).toBeGreaterThanOrEqual(untilFaults);
    expect(await resume(file, '--until-faults', String(untilFaults))).toEqual(more);
  });

  test('a resumed run ends on ^C after the running scenarios, and counts them', async () => {
    const file = fileOf('stopped.json');
    let child: ChildProcess | undefined;
    const ended = new Promise<Ended>((resolve) => {
      child = start(['--resume', file, '--seed', '14', '--until-faults', '1000000000'], resolve);
    });
    while (!existsSync(file) || readJson(file)['totals'].scenarios === 0) await pause(50);
    child?.kill('SIGINT');
    const { code, stdout } = await ended;
    expect(code).toBe(130);
    const { nextSeed, totals } = readJson(file);
    expect(stdout).toContain(`${totals.scenarios} scenarios, `);
    expect(nextSeed).toBe(14 + totals.scenarios);
    expect((await resume(file, '--runs', '1'))['totals'].scenarios).toBe(totals.scenarios + 1);
  });

  test('a resumed run rejects options that contradict the former run', async () => {
    const file = fileOf('contradicted.json');
    await resume(file, '--seed', '14', '--runs', '1');
    const contradicting = [['--seed', '3'] as const, ['--faults', 'few'] as const];
    const [seed, level] = await Promise.all(contradicting.map((args) => simulate('--resume', file, ...args)));
    expect(seed).toMatchObject({ code: 2, stderr: expect.stringContaining('leave --seed out') });
    expect(level).toMatchObject({ code: 2, stderr: expect.stringContaining('is of a run with --faults many') });
  });
});

describe('a broken invariant', () => {
  const name = 'export-one-short';
  const { seed, invariant } = mutants.find((one) => one.name === name) ?? { seed: 0, invariant: 0 };

  test('a broken invariant is printed as a story that one command replays, byte for byte, until the fault is fixed', async () => {
    const { code, stdout } = await simulate('--seed', String(seed), '--mutant', name);
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining(`Seed ${seed} breaks a promise. ${invariant}: `) });
    const [, actions = '', , before = ''] = /^(\d+) actions and (\d+) faults are left of (\d+) /m.exec(stdout) ?? [];
    expect(Number(actions)).toBeLessThan(Number(before) / 2);
    expect(stdout.split('\n').length).toBeLessThan(200);

    const [, file = ''] = /^Again: npm run simulate -- --replay (\S+)$/m.exec(stdout) ?? [];
    const [untraced, first, again] = await Promise.all([[], ['--trace'], ['--trace']].map((more) => simulate('--replay', file, ...more)));
    expect(untraced).toMatchObject({ code: 1, stdout: expect.stringContaining(`Seed ${seed} breaks a promise. ${invariant}: `) });
    expect(first?.code).toBe(1);
    expect(digest(again?.stdout)).toBe(digest(first?.stdout));
    expect(first?.stdout.length).toBeGreaterThan(untraced?.stdout.length ?? 0);

    const stored = readJson(path.join(root, file));
    writeFileSync(fileOf('mended.json'), JSON.stringify({ ...stored, mutant: null }));
    expect(await simulate('--replay', fileOf('mended.json'))).toMatchObject({
      code: 0,
      stdout: `Seed ${seed}: every invariant holds.\nHolds now: ${stored['invariant']}\n`,
    });
    writeFileSync(fileOf('other.json'), JSON.stringify({ ...stored, version: 'another' }));
    expect(await simulate('--replay', fileOf('other.json'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is a trace of another version of the simulator'),
    });
  });

  test('a broken invariant does not end a run with totals, but makes it fail', async () => {
    const file = fileOf('broken.json');
    await simulate('--resume', file, '--seed', '14', '--runs', '1');
    const breach = { seed: 1, invariant: '1: an acknowledged write is there', sentence: 'exp_1 is not there.' };
    writeFileSync(file, JSON.stringify({ ...readJson(file), breaches: [breach] }));
    const { code, stdout } = await simulate('--resume', file, '--runs', '1');
    expect(code).toBe(1);
    expect(stdout).toContain('Broken: npm run simulate -- --seed 1 --faults many   (1: an acknowledged write is there)');
    expect(readJson(file)).toMatchObject({ breaches: [breach], totals: { scenarios: 2 } });
  });
});

describe('mutants', () => {
  let judged: readonly string[] = [];
  beforeAll(async () => {
    judged = (await simulate('--mutants')).stdout.split('\n');
  });

  test.each(mutants)('the simulator finds "$name" by its seed', ({ name, seed, invariant }) => {
    expect(judged.find((line) => line.startsWith(`${name}: `))).toBe(`${name}: seed ${seed} breaks ${invariant}`);
  });
});
