import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checksOf, type Tally } from '../deploy/check.ts';
import { endAll, mustRun, run } from '../deploy/children.ts';
import { pythonTool } from '../deploy/python.ts';
import { until } from '../deploy/until.ts';
import { freePorts, root } from '../support/service.ts';
import { type Instruction, play, readStages } from './image.ts';

/**
 * `npm run test:container`: lints the Dockerfile, carries out its steps in a folder, and builds the
 * image if a Docker engine runs.
 */
const tally: Tally = { passed: 0, failed: 0 };
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const check = checksOf('container', tally, print);

const stages = readStages(readFileSync(join(root, 'Dockerfile'), 'utf8'));
const last = stages.at(-1) ?? [];
const find = (name: Instruction['name']): string => last.find((one) => one.name === name)?.rest ?? '';
const execForm = (text: string): string[] => JSON.parse(text) as string[];
const user = Number(find('USER'));

const folder = mkdtempSync(join(tmpdir(), 'container-'));
const app = join(folder, 'app');
const data = join(folder, 'data');
const port = await freePorts();
/** Root switches to the image's user; any other user is unprivileged already. */
const identity = process.getuid?.() === 0 ? { uid: user, gid: user } : {};
const env = { PATH: process.env['PATH'], HOME: data, TMPDIR: data };

const startService = (): ChildProcess => {
  const [, ...args] = execForm(find('ENTRYPOINT')).map((arg) => (arg === '/data' ? data : arg));
  return spawn(process.execPath, [...args, '--port', String(port)], { cwd: app, env, stdio: ['ignore', 'ignore', 'inherit'], ...identity });
};

const healthy = async (): Promise<boolean> => {
  const [, ...args] = execForm(/CMD (\[.*\])$/.exec(find('HEALTHCHECK'))?.[1] ?? '[]').map((arg) => arg.replace(':4000', `:${port}`));
  return (await run(process.execPath, args)).code === 0;
};

const statusOf = async (path: string): Promise<number> => {
  const { status, body } = await fetch(`http://127.0.0.1:${port}${path}`);
  await body?.cancel();
  return status;
};

const isEqual = (found: unknown, expected: unknown): void => {
  if (JSON.stringify(found) !== JSON.stringify(expected)) throw new Error(`${JSON.stringify(found)}, not ${JSON.stringify(expected)}`);
};

/** Runs the service from its start until SIGTERM has ended it. */
const live = async (use: () => Promise<void>): Promise<void> => {
  const service = startService();
  const ended = once(service, 'exit');
  try {
    await until('The health check passes', 30_000, healthy);
    await use();
  } finally {
    service.kill('SIGTERM');
  }
  isEqual(await ended, [0, null]);
};

const firstAccount = async (): Promise<string> => {
  const { places } = (await (await fetch(`http://127.0.0.1:${port}/_local/places`)).json()) as { places: [{ demo: { account: string } }] };
  return places[0].demo.account;
};

try {
  await check('hadolint finds nothing in the Dockerfile', async () => {
    await mustRun(await pythonTool('hadolint'), ['Dockerfile']);
  });
  const isPlayed = await check('every file that COPY names is there, and npm ci does with its flags', async () => {
    await play(last, app);
    mkdirSync(data, { mode: 0o700 });
    chownSync(folder, identity.uid ?? process.getuid?.() ?? 0, identity.gid ?? process.getgid?.() ?? 0);
    chownSync(data, identity.uid ?? process.getuid?.() ?? 0, identity.gid ?? process.getgid?.() ?? 0);
  });
  if (isPlayed) {
    let account = '';
    await check('from just these files the service runs for its unprivileged user: API, pages and a clean end', async () => {
      await live(async () => {
        account = await firstAccount();
        isEqual(await Promise.all(['/api/v2/orders', '/docs/', '/developers/'].map(statusOf)), [401, 200, 200]);
      });
    });
    await check('the volume keeps its state', async () => {
      isEqual(existsSync(join(data, 'state.db')), true);
      await live(async () => isEqual(await firstAccount(), account));
    });
  }
  const docker = await run('docker', ['version', '--format', '{{.Server.Version}}']).catch(() => undefined);
  if (docker?.code === 0)
    await check('docker build makes the image', async () => void (await mustRun('docker', ['build', '--quiet', '.'])));
  else print('      container: no Docker engine runs here, so the image itself was not built');
} finally {
  await endAll();
  rmSync(folder, { recursive: true, force: true });
}
print(`${tally.passed} passed, ${tally.failed} failed`);
process.exitCode = tally.failed > 0 ? 1 : 0;
