import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, statSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { verifyWebhook } from '../../clients/typescript/src/index.ts';
import { type Runtime, startRuntime } from '../../local/runtime.ts';
import { actIn, eventually } from '../support/journey.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { serve } from '../support/serve.ts';
import { pretendNode } from '../support/service.ts';
import { startCommand } from './command.ts';
import { startListener, stateHome } from './listener.ts';

let runtime: Runtime;
let receiver: Receiver;
let account: string;
beforeAll(async () => {
  runtime = await startRuntime({ regions: ['us', 'eu'], seed: true, allowLoopbackWebhooks: true, timeScale: 100_000 });
  receiver = await startReceiver();
});
afterAll(() => Promise.all([runtime.stop(), receiver.stop()]));

const act = (action: string, input: unknown = {}) => actIn(runtime, 'us', action, input, account);
beforeEach(async () => {
  account = (await actIn(runtime, 'us', 'account.create', { name: 'Heard', plan: 'business' })).id;
});
const endpoints = async (): Promise<any[]> => (await act('webhook.list')).data;
const spend = (): Promise<{ id: string }> => act('expense.create', { amount: 5, date: '2026-03-01', category: 'rent' });
const start = (...args: string[]) => startListener(runtime.port, '--account', account, ...args);
const untilPrinted = (lines: () => string[], count: number) => eventually(lines, ({ length }) => length >= count);

test("ops listen uses the first region's demo account by default", async () => {
  const listener = await startListener(runtime.port);
  expect(listener.stderr()).toContain(`(us, ${runtime.demo.us?.account})`);
  expect(await listener.stop()).toBe(0);
  const other = await startListener(runtime.port, '--region', 'eu');
  expect(other.stderr()).toContain(`(eu, ${runtime.demo.eu?.account})`);
  expect(await other.stop()).toBe(0);
});

test('ops listen prints its secret once and a line for each verified event, and leaves no endpoint behind', async () => {
  const listener = await start();
  expect(listener.stderr().match(/whsec_/g)).toHaveLength(1);
  expect(await endpoints()).toMatchObject([{ description: 'Temporary: ops listen', enabled: true }]);
  await spend();
  const [line] = await untilPrinted(listener.lines, 1);
  expect(line).toMatch(/^\d\d:\d\d:\d\d {2}expense\.created +evt_\S+ {2}signature verified ✓$/);
  expect(await listener.stop()).toBe(0);
  expect(await endpoints()).toEqual([]);
});

test('ops listen receives only the types of --events, and --print-json prints each body unchanged', async () => {
  const listener = await start('--events', 'expense.updated, quick_sale.created', '--print-json');
  const { id } = await spend();
  await act('expense.update', { id, amount: 6 });
  const [body = ''] = await untilPrinted(listener.lines, 1);
  expect(JSON.parse(body)).toMatchObject({ type: 'expense.updated', tenant_id: account, data: { object: { id, amount: 6 } } });
  expect(listener.stderr()).toMatch(/expense\.updated +evt_\S+ {2}signature verified ✓/);
  expect((await endpoints())[0].events).toEqual(['expense.updated', 'quick_sale.created']);
  await listener.stop();
  expect(listener.lines()).toHaveLength(1);
});

describe('the signing secret', () => {
  const files = () => globSync(`${stateHome.XDG_STATE_HOME}/bakery-commerce/listen/${runtime.port}-us-${account}*`);

  test('the signing secret of ops listen is the same in every run; --fresh replaces it', async () => {
    const secretOf = async (...args: string[]) => {
      const listener = await start(...args);
      await listener.stop();
      return listener.secret();
    };
    const [first, second] = await Promise.all([start(), start()]);
    expect([first.secret(), statSync(files()[0] ?? '').mode & 0o777]).toEqual([second.secret(), 0o600]);
    await Promise.all([first.stop(), second.stop()]);
    expect(await secretOf()).toBe(first.secret());
    const fresh = await secretOf('--fresh');
    expect(fresh).not.toBe(first.secret());
    expect(await secretOf()).toBe(fresh);
    writeFileSync(files()[0] ?? '', 'something else');
    const anew = await secretOf();
    expect(anew).toMatch(/^whsec_/);
    expect([await secretOf(), files()]).toEqual([anew, [expect.stringMatching(/acct_\w+$/)]]);
  });

  test('a signing secret that cannot be stored is for one run, as the output says', async () => {
    const args = ['listen', '--port', String(runtime.port), '--account', account];
    const listener = await startCommand(args, /Ready!/, { XDG_STATE_HOME: '/dev/null' });
    expect(listener.stderr()).toMatch(/for this run only: E[\s\S]*secret is whsec_/);
    expect(await listener.stop()).toBe(0);
  });
});

describe('forwarding', () => {
  /** A receiver that keeps headers and bytes unchanged, unlike `fetch` and frameworks. */
  const startRaw = async () => {
    const requests: { request: IncomingMessage; body: Buffer<ArrayBuffer> }[] = [];
    const { port, stop } = await serve((request, response, body) => {
      requests.push({ request, body });
      response.end();
    });
    return { stop, url: `127.0.0.1:${port}/hook?x=1`, requests };
  };

  test('ops listen forwards headers and body byte for byte: they verify with the printed secret', async () => {
    const { stop, url, requests } = await startRaw();
    const listener = await start('--forward', url, '--print-json');
    await act('expense.create', { amount: 5, date: '2026-03-01', category: 'rent', description: 'Röstkaffee ☕ "fein"' });
    const [printed] = await untilPrinted(listener.lines, 1);
    await listener.stop();
    await stop();
    const [{ request, body } = { request: undefined, body: Buffer.alloc(0) }] = requests;
    expect(body.toString()).toBe(printed);
    expect(request?.url).toBe('/hook?x=1');
    expect(request?.headers).toMatchObject({
      host: url.split('/')[0],
      'content-type': 'application/json',
      'user-agent': 'BakeryCommerce-Webhooks/1.0',
      'idempotency-key': request?.headers['x-webhook-id'],
    });
    const event = await verifyWebhook({ rawBody: body, headers: request?.headers ?? {}, secrets: listener.secret() });
    expect(event.type).toBe('expense.created');
    expect(listener.stderr()).toMatch(/→ 200 \(\d+ ms\)/);
  });

  test('a request that the service did not sign is passed on unchanged, without a new signature', async () => {
    const { stop, url, requests } = await startRaw();
    const listener = await start('--forward', url);
    const [{ url: way }] = await endpoints();
    await fetch(way, { method: 'POST', body: '{}', headers: { 'x-webhook-signature': 't=1,v1=00' } });
    await untilPrinted(listener.lines, 1);
    await listener.stop();
    await stop();
    expect(requests[0]?.request.headers['x-webhook-signature']).toBe('t=1,v1=00');
  });

  test("ops listen responds with the receiver's status, so that the service retries", async () => {
    const hook = receiver.hook();
    hook.respondWith((count) => (count === 1 ? 503 : 200));
    const listener = await start('--forward', hook.url);
    await spend();
    const lines = await untilPrinted(listener.lines, 2);
    expect(lines.map((line) => /→ (\d+)/.exec(line)?.[1])).toEqual(['503', '200']);
    const [first, second] = hook.requests;
    expect(first?.body).toEqual(second?.body);
    const stats = await eventually(
      async () => (await endpoints())[0].delivery_stats,
      ({ success_count }) => success_count === 1,
    );
    expect(stats).toMatchObject({ success_count: 1, failure_count: 1 });
    await listener.stop();
  });

  test('a receiver that is not there is a 502 that says why; after ten in a row the endpoint is enabled again', async () => {
    const { stop, url } = await startRaw();
    await stop();
    const listener = await start('--forward', url);
    await spend();
    await spend();
    const [line] = await untilPrinted(listener.lines, 1);
    expect(line).toMatch(/→ 502, ECONNREFUSED at 127\.0\.0\.1:\d+ \(\d+ ms\)$/);
    await eventually(listener.stderr, (text) => text.includes('enabled again'));
    expect(await endpoints()).toMatchObject([{ enabled: true, disabled_reason: null }]);
    await listener.stop();
  });
});

test('a deleted endpoint ends it, with a reason', async () => {
  const listener = await start();
  const [{ id }] = await endpoints();
  await act('webhook.delete', { id });
  expect(await listener.ended).toBe(1);
  expect(listener.stderr()).toContain('The endpoint is gone');
});

test('ops listen rejects a request that does not have the secret path', async () => {
  const listener = await start();
  const [{ url }] = await endpoints();
  const stranger = { method: 'POST', body: '{"type":"order.created"}' };
  expect((await fetch(new URL('/', url), stranger)).status).toBe(404);
  expect((await fetch(url, stranger)).status).toBe(204);
  const [line] = await untilPrinted(listener.lines, 1);
  expect(line).toContain('signature NOT verified: missing ✗');
  await listener.stop();
  expect(listener.stderr()).toMatch(/\nEndpoint removed\. 1 event\.\n$/);
});

describe('invalid arguments', () => {
  const errorOf = async (...args: string[]) => {
    const listener = await startListener(runtime.port, ...args);
    expect(await listener.ended).toBe(1);
    expect(listener.lines()).toEqual([]);
    return JSON.parse(listener.stderr()).error;
  };
  test.each([
    ['a stack', ['--stack'], { field: 'stack' }],
    ['a region that does not run', ['--region', 'au'], { field: 'region', message: expect.stringContaining('These do: us, eu') }],
    ['an unknown account', ['--account', 'acct_none'], { code: 'not_found' }],
    ['an unknown type', ['--events', 'order.created,order.eaten'], { field: 'events.1' }],
    ['an account without the form of an id', ['--account', 'bakery'], { code: 'invalid_value', field: 'account' }],
    ...['http://', 'ftp://x', 'file:/x', '//x', ':8080', 'localhost:http'].map(
      (url) => [`the receiver ${url}`, ['--forward', url], { field: 'forward' }] as const,
    ),
    ['a word too much', ['order.created'], { field: 'listen' }],
    ['an unknown option', ['--loud'], { code: 'invalid_value' }],
  ])('ops listen rejects %s', async (_, args, expected) => {
    expect(await errorOf(...args)).toMatchObject(expected);
  });

  test('ops listen says how to start the service if it runs without --allow-loopback-webhooks', async () => {
    const strict = await startRuntime({ regions: ['us'], seed: true });
    try {
      const listener = await startListener(strict.port);
      expect(await listener.ended).toBe(1);
      expect(listener.stderr()).toContain('npm start -- --allow-loopback-webhooks');
    } finally {
      await strict.stop();
    }
  });
});

describe('the program', () => {
  const starters = {
    node: [process.execPath, 'bin/ops.mjs'],
    'older Node': [process.execPath, ...pretendNode('18.20.0'), 'bin/ops.mjs'],
    npm: ['npm', 'run', '--silent', 'ops', '--'],
  } as const;
  const startProgram = async (stdin: 'pipe' | 'ignore', through: keyof typeof starters = 'node') => {
    const [command, ...args] = [...starters[through], 'listen', '--port', String(runtime.port), '--account', account];
    // A group of its own, like a command in a terminal.
    const child = spawn(command, args, { stdio: [stdin, 'ignore', 'pipe'], env: { ...process.env, ...stateHome }, detached: true });
    const exit = once(child, 'exit');
    let stderr = '';
    child.stderr?.on('data', (chunk) => {
      stderr += String(chunk);
    });
    await eventually(
      () => stderr,
      (text) => text.includes('Ready!'),
    );
    return { child, exit };
  };

  test('the end of its input ends it with 0, and its endpoint is removed', async () => {
    const { child, exit } = await startProgram('pipe');
    expect(await endpoints()).toHaveLength(1);
    child.stdin?.end();
    expect(await exit).toEqual([0, null]);
    expect(await endpoints()).toEqual([]);
  });

  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  test.each((['node', 'older Node'] as const).flatMap((through) => signals.map((signal) => [through, signal] as const)))(
    'ops listen, started by %s, exits 0 after %s and removes its endpoint',
    async (through, signal) => {
      const { child, exit } = await startProgram('ignore', through);
      expect(await endpoints()).toHaveLength(1);
      child.kill(signal);
      expect(await exit).toEqual([0, null]);
      expect(await endpoints()).toEqual([]);
    },
  );

  test.each<[keyof typeof starters, string, NodeJS.Signals, (pid: number) => number]>([
    ['older Node', '^C of a terminal, which reaches every process,', 'SIGINT', (pid) => -pid],
    ['npm', '^C of a terminal, which reaches every process,', 'SIGINT', (pid) => -pid],
    ['older Node', 'its death', 'SIGKILL', (pid) => pid],
    ['npm', 'its death', 'SIGKILL', (pid) => pid],
    ['npm', 'SIGHUP', 'SIGHUP', (pid) => pid],
  ])('ops listen, started by %s, removes its endpoint after %s', async (through, _, signal, target) => {
    const { child, exit } = await startProgram('ignore', through);
    expect(await endpoints()).toHaveLength(1);
    process.kill(target(Number(child.pid)), signal);
    await exit;
    await eventually(endpoints, ({ length }) => length === 0);
  });

  test('ops listen removes the endpoint of a killed run, and leaves the endpoint of a running one', async () => {
    const running = await start();
    const [{ id: runningId }] = await endpoints();
    const { child, exit } = await startProgram('ignore');
    child.kill('SIGKILL');
    await exit;
    expect(await endpoints()).toHaveLength(2);
    const next = await start();
    expect(next.stderr()).toContain('Removed 1 endpoint(s) of an earlier run that was killed.');
    expect((await endpoints()).map(({ id }) => id)).toContain(runningId);
    expect(await endpoints()).toHaveLength(2);
    await Promise.all([running.stop(), next.stop()]);
  });
});
