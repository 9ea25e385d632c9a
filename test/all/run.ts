import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Lane, laneNames, stages } from './lanes.ts';

/**
 * `npm run test:all`: runs every lane, or those that are named, and counts what passed. `--without
 * NAME` leaves one out. Prints the seconds of each lane, what failed, and the counts as the last
 * line. Exits with 1 if anything failed.
 */

interface Result {
  readonly lane: string;
  readonly passed: number;
  readonly failed: number;
  readonly seconds: number;
  /** Returns the failures, in lines. */
  readonly failures: readonly string[];
}

const folder = mkdtempSync(path.join(tmpdir(), 'lanes-'));
const firstLines = (text = ''): string => text.split('\n').slice(0, 15).join('\n    ');

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numRuntimeErrorTestSuites: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

type Counts = Pick<Result, 'passed' | 'failed' | 'failures'>;

const failure = (...failures: readonly string[]): Counts => ({ passed: 0, failed: 1, failures });

/** Reads Jest's report. A run without a report, or without a test, is one failure. */
const readReport = (file: string): Counts => {
  let report: Report;
  try {
    report = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return failure('no report');
  }
  const failures = report.testResults
    .filter(({ status }) => status === 'failed')
    .map(({ name, message, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      const messages = failed.map(({ fullName, failureMessages }) => `${fullName}\n    ${firstLines(failureMessages[0])}`);
      return `${name}\n  ${messages.join('\n  ') || firstLines(message)}`;
    });
  if (report.numPassedTests === 0) return failure('no test passed', ...failures);
  return { passed: report.numPassedTests, failed: report.numFailedTests + report.numRuntimeErrorTestSuites, failures };
};

/**
 * Reads the counts from the last line. Without counts, or if it fails with none failed, the lane is
 * one failure.
 */
const readLastLine = (printed: string, code: number): Counts => {
  const lines = printed.trimEnd().split('\n');
  const [, passed, failed] = /^(\d+) passed, (\d+) failed$/.exec(lines.at(-1) ?? '') ?? [];
  if (passed === undefined) return failure('no counts', ...lines.slice(-15));
  const bad = Math.max(Number(failed), code === 0 ? 0 : 1);
  return { passed: Number(passed), failed: bad, failures: bad > 0 ? [`exit code ${code}`, ...lines.slice(-15)] : [] };
};

/** Runs a lane. Its output goes to `show` while it runs. */
const runLane = async ({ name, script: [script, ...args], counted, env }: Lane, show: (text: string) => void): Promise<Result> => {
  const report = path.join(folder, `${name}.json`);
  const all = counted === 'jest' ? [...args, '--ci', '--json', `--outputFile=${report}`] : args;
  show(`\n== ${name}: npm run ${[script, ...args].join(' ')}\n`);
  const startedAt = process.uptime();
  let printed = '';
  const child = spawn('npm', ['run', '--silent', script, '--', ...all], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => {
      if (stream === child.stdout) printed += text;
      show(text);
    });
  }
  const code = await new Promise<number>((resolve) => {
    child.on('error', () => resolve(1)).on('close', (status) => resolve(status ?? 1));
  });
  const seconds = Math.round(process.uptime() - startedAt);
  const asOne = (...accepted: readonly number[]): Counts =>
    accepted.includes(code)
      ? { passed: 1, failed: 0, failures: [] }
      : failure(`exit code ${code}`, ...printed.trimEnd().split('\n').slice(-15));
  const counts = {
    jest: () => readReport(report),
    'last line': () => readLastLine(printed, code),
    one: () => asOne(0),
    findings: () => asOne(0, 1),
  };
  return { lane: name, seconds, ...counts[counted]() };
};

/** Runs the lanes of a chain one after another. */
const runChain = async (chain: readonly Lane[], show: (text: string) => void): Promise<Result[]> => {
  const results: Result[] = [];
  for (const lane of chain) results.push(await runLane(lane, show));
  return results;
};

const sideBySide = 3;

/** Runs the chains of a stage, up to three side by side. Shows the first as it runs, and each other when it has ended. */
const runStage = async (chains: readonly (readonly Lane[])[]): Promise<Result[]> => {
  const results: Result[] = [];
  const waiting = [...chains.entries()];
  const runNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [i, chain] = next;
      let printed = '';
      const show = (text: string): void => {
        if (i === 0) process.stdout.write(text);
        else printed += text;
      };
      results.push(...(await runChain(chain, show)));
      process.stdout.write(printed);
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, runNext));
  return results;
};

const main = async (): Promise<boolean> => {
  const { values, positionals } = parseArgs({
    options: { without: { type: 'string', multiple: true, default: [] } },
    allowPositionals: true,
  });
  const unknown = [...positionals, ...values.without].find((name) => !laneNames.includes(name));
  if (unknown !== undefined) throw new Error(`"${unknown}" is no lane. The lanes are ${laneNames.join(', ')}.`);
  const runs = ({ name }: Lane): boolean => (positionals.length === 0 || positionals.includes(name)) && !values.without.includes(name);
  const results: Result[] = [];
  for (const stage of stages) {
    const chains = stage.map((chain) => chain.filter(runs)).filter(({ length }) => length > 0);
    results.push(...(await runStage(chains)));
  }
  process.stdout.write('\n== lanes\n');
  for (const { lane, passed, failed, seconds } of results)
    process.stdout.write(`${lane}: ${passed} passed, ${failed} failed, ${seconds} s\n`);
  const failed = results.filter((result) => result.failed > 0);
  if (failed.length > 0) process.stdout.write('\n== what failed\n');
  for (const { lane, failures } of failed) process.stdout.write(`${lane}: ${failures.join('\n  ')}\n`);
  const sum = (of: 'passed' | 'failed'): number => results.reduce((total, result) => total + result[of], 0);
  process.stdout.write(`\n${sum('passed')} passed, ${sum('failed')} failed\n`);
  return failed.length === 0;
};

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 2;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
