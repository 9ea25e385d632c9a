import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually, until } from '../support/eventually.ts';
import { freePorts, root, type ServiceProcess, type SpawnOptions, startService } from '../support/service.ts';

const run = async (...args: string[]) => {
  const child = spawn(process.execPath, ['bin/start.mjs', ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const [code] = await once(child, 'close');
  return { code, stdout, stderr };
};
describe('options', () => {
  test('a wrong option is one sentence on stderr and exit 2', async () => {
    expect(await run('--port', 'x')).toEqual({
      code: 2,
      stdout: '',
      stderr: '--port must be a whole number from 0 to 65532, not "x".\n',
    });
  });
  test.each([
    ['/proc/nope', '--data /proc/nope cannot be made: ENOENT.\n'],
    ['package.json', '--data package.json is not a directory.\n'],
  ])('a data directory that cannot be one is one sentence on stderr and exit 1: %s', async (directory, stderr) => {
    expect(await run('--port', '0', '--data', directory)).toEqual({ code: 1, stdout: '', stderr });
  });
  test('npm start -- --help prints every option on stdout and exits 0', async () => {
    const { code, stdout } = await run('--help');
    expect(code).toBe(0);
    for (const option of ['port', 'region', 'data', 'ephemeral', 'time-scale', 'allow-loopback-webhooks', 'no-seed'])
      expect(stdout).toContain(`--${option}`);
  });
});

describe('a running service', () => {
  let dataDir: string;
  let service: ServiceProcess | undefined;
  const start = async (through: NonNullable<SpawnOptions['through']>, options: Partial<SpawnOptions> = {}) => {
    const args = ['--data', dataDir, '--region', 'us', '--no-seed'];
    service = await startService({ port: await freePorts(), args, through, ...options });
    return service;
  };
  const isServing = (port: number) =>
    fetch(`http://127.0.0.1:${port}/_local/health`).then(
      () => true,
      () => false,
    );
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'start-'));
  });
  afterEach(async () => {
    await service?.kill();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test('a running service is ready, with its demo account made', async () => {
    const running = await startService({ port: await freePorts(), args: ['--ephemeral', '--region', 'us'] });
    service = running;
    await until(() => running.stdout().includes('secret key'));
  });

  test('a running service prints a notice to the platform on stderr', async () => {
    const args = ['--ephemeral', '--region', 'us', '--no-seed', '--time-scale', '1000'];
    const running = await startService({ port: await freePorts(), args });
    service = running;
    const account = String((await running.action('us', 'account.create', { name: 'Bakery', plan: 'business' }))['id']);
    const expires_at = new Date(Date.now() + 86_400_000).toISOString();
    const { id } = await running.action('us', 'key.create', { type: 'secret', name: 'Till', group: 'fullAccess', expires_at }, account);
    const line = `Notice to the platform: API Key Expiring (expires_in_7_days): ${account}, ${id}\n`;
    await until(() => running.stderr().includes(line));
    expect(running.stdout()).not.toContain('Notice');
  });

  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
  test.each((['node', 'older Node'] as const).flatMap((through) => signals.map((signal) => [through, signal] as const)))(
    'the service, started by %s, exits 0 after %s',
    async (through, signal) => {
      const { stop, port } = await start(through);
      expect(await stop(signal)).toBe(0);
      expect(await isServing(port)).toBe(false);
    },
  );

  test.each(['npm', 'older Node'] as const)('the service, started by %s, ends after ^C in a terminal', async (through) => {
    const { process: first, port } = await start(through, { asGroup: true });
    const ended = once(first, 'exit');
    process.kill(-Number(first.pid), 'SIGINT');
    await ended;
    await eventually(
      () => isServing(port),
      (serves) => !serves,
    );
  });

  test('after kill -9 of the service, the next start on the same port and data is ready', async () => {
    const first = await start('node');
    await first.kill();
    await start('node', { port: first.port });
  });

  test.each([
    ['npm', 'SIGKILL'],
    ['npm', 'SIGHUP'],
    ['older Node', 'SIGKILL'],
  ] as const)('%s that dies of %s ends the service', async (through, signal) => {
    const { port, stop } = await start(through);
    await stop(signal);
    await eventually(
      () => isServing(port),
      (serves) => !serves,
    );
  });

  test('a port in use is one sentence on stderr and exit 1', async () => {
    const { port } = await start('node');
    const { code, stdout, stderr } = await run('--port', String(port), '--ephemeral');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(`Port ${port} is in use: stop what listens there, or choose another with --port.\n`);
  });

  test('a running service prints its banner on stdout and nothing on stderr, and logs to a file', async () => {
    const running = await start('node', { args: ['--data', dataDir, '--region', 'us,eu'] });
    await fetch(`${running.origin('eu')}/api/v2/nothing`);
    await until(() => running.stdout().includes('Try:'));
    const text = running.stdout();
    expect(text).toContain(`http://us.localhost:${running.port}/api/v2`);
    expect(text).toContain(`http://127.0.0.1:${running.port + 3}/api/v2`);
    expect(text).not.toContain('au.localhost');
    expect(text.match(/^ {2}curl /gm)).toHaveLength(3);
    expect(text).toMatch(/secret key +svc_sk_/);
    expect(running.stderr()).toBe('');
    const log = join(dataDir, 'service.log');
    await until(() => existsSync(log) && readFileSync(log, 'utf8').includes('"op":"fallback"'));
    const lines = readFileSync(log, 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(expect.objectContaining({ region: 'eu', op: 'fallback', status: 404 }));
  });
});
