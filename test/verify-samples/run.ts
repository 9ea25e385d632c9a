import { execFileSync, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { cases } from './deliveries.ts';
import { type Language, languages } from './languages.ts';

/**
 * Runs each handler and its sample of `examples/verify-webhook` against genuine, stale, forged and
 * rotated deliveries: `npm run test:verify-samples`. Installs a missing language if it runs as root on
 * Debian; skips the language otherwise.
 */

const isOnPath = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

let isUpdated = false;
const apt = (...args: readonly string[]): void => {
  execFileSync('apt-get', ['-qq', ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
};

/** Returns why the language cannot be used, or undefined if it can. */
const obstacle = ({ programs, debianPackage }: Language): string | undefined => {
  const missing = programs.filter((program) => !isOnPath(program));
  if (missing.length === 0) return undefined;
  const reason = `${missing.join(' and ')} not found`;
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version'))
    return `${reason}; install it, or run as root on Debian to install ${debianPackage}`;
  try {
    if (!isUpdated) apt('update');
    isUpdated = true;
    apt('install', '-y', '--no-install-recommends', debianPackage);
  } catch (error) {
    return `${reason}; installing ${debianPackage} failed: ${String((error as { stderr?: unknown }).stderr ?? error).trim()}`;
  }
  return undefined;
};

/**
 * Returns the result of each case: undefined if the sample decided correctly, otherwise what it
 * did.
 */
const resultsOf = ({ sample, handler, prepare }: Language, folder: string): readonly (string | undefined)[] => {
  const [command = '', ...args] = prepare({ sample: resolve(sample), handler: resolve(handler) }, folder);
  return cases.map(({ isGenuine, delivery }) => {
    const { body, signature, previous, secret } = delivery(Math.floor(Date.now() / 1000));
    const env = {
      ...process.env,
      BAKERY_WEBHOOK_SECRET: secret,
      SIGNATURE: signature,
      PREVIOUS: previous,
    };
    const { status, stdout, stderr } = spawnSync(command, args, { input: body, env, encoding: 'utf8', timeout: 60_000 });
    const expected = isGenuine ? 'genuine' : 'rejected';
    return status === 0 && stdout === expected ? undefined : `printed "${stdout}" and ended with ${status}: ${stderr}`;
  });
};

const print = (text: string): void => void process.stdout.write(`${text}\n`);

const tally = { passed: 0, failed: 0 };
const columns: { readonly name: string; readonly cells: readonly string[] }[] = [];
const remarks: string[] = [];

for (const language of languages) {
  const { name } = language;
  const reason = obstacle(language);
  if (reason !== undefined) {
    remarks.push(`${name}: skipped. ${reason}.`);
    columns.push({ name, cells: cases.map(() => 'skipped') });
    continue;
  }
  const folder = mkdtempSync(join(tmpdir(), 'verify-sample-'));
  try {
    const results = resultsOf(language, folder);
    tally.failed += results.filter((result) => result !== undefined).length;
    tally.passed += results.filter((result) => result === undefined).length;
    columns.push({ name, cells: results.map((result) => (result === undefined ? 'ok' : 'FAIL')) });
    remarks.push(...results.flatMap((result, i) => (result === undefined ? [] : [`${name}, ${cases[i]?.name}: ${result}`])));
  } catch (error) {
    tally.failed += 1;
    columns.push({ name, cells: cases.map(() => 'FAIL') });
    remarks.push(`${name}: the sample cannot be compiled. ${String((error as { stderr?: unknown }).stderr ?? error)}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const nameWidth = Math.max(...cases.map(({ name }) => name.length));
const row = (name: string, cells: readonly string[]): string => [name.padEnd(nameWidth), ...cells.map((cell) => cell.padEnd(8))].join('  ');
print(
  row(
    'Delivery',
    columns.map(({ name }) => name),
  ),
);
for (const [i, { name, isGenuine }] of cases.entries())
  print(
    `${row(
      name,
      columns.map(({ cells }) => cells[i] ?? ''),
    )}${isGenuine ? 'accepted' : 'rejected'}`,
  );
for (const remark of remarks) print(remark);
print(`${tally.passed} passed, ${tally.failed} failed`);
process.exitCode = tally.failed > 0 ? 1 : 0;
