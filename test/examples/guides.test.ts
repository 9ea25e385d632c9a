import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { systemClock } from '../../shared/core/clock.ts';
import { signatureHeader } from '../../shared/webhooks/signing.ts';
import { hangUp, statusOfEndlessBody } from '../support/hang-up.ts';
import { eventually, type Journey, startJourney } from '../support/journey.ts';
import { freePorts } from '../support/service.ts';
import { runShell } from '../support/shell.ts';
import { printedDifferences, type Sample, samplesOf } from './samples.ts';

const run = promisify(execFile);

/** Skips the Python samples and their output: `npm run test:python` runs those. */
const withoutPython = (page: readonly Sample[]): readonly Sample[] =>
  page.filter(
    ({ language, marks }, at) =>
      language !== 'python' && !(language === 'text' && !marks.includes('listen') && page[at - 1]?.language === 'python'),
  );

// The sample that reaches a rate limit runs first, right after a window has begun.
const pages = ['rate-limits.md', ...readdirSync('docs/guides').filter((name) => name !== 'rate-limits.md'), '../SKILL.md'];
const samples = new Map(pages.map((name) => [name, withoutPython(samplesOf(join('docs/guides', name)))]));

const windowMs = 60_000;
const intoWindowMs = Date.now() % windowMs;
const clock = { ...systemClock, now: () => Date.now() + -intoWindowMs };

let journey: Journey;
let folder: string;
let hookPort: number;
beforeAll(async () => {
  [journey, folder, hookPort] = await Promise.all([
    startJourney({ regions: ['us'], seed: true, clock }),
    mkdtemp(join(tmpdir(), 'guides-')),
    freePorts(),
  ]);
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
});
afterAll(async () => {
  await journey.stop();
  await rm(folder, { recursive: true });
});

/** A key of the demo account for each page, with its own rate limits. */
const environment = async (): Promise<NodeJS.ProcessEnv> => {
  const demo = journey.runtime.demo.us;
  const made = await journey.runtime.invokeAction('us', {
    action: 'key.create',
    account: demo?.account ?? '',
    input: { type: 'secret', group: 'fullAccess', name: 'guides' },
  });
  const { result } = made as { result: { key: string } };
  return {
    ...process.env,
    BAKERY_URL: `${journey.runtime.urls.us}/api/v2`,
    BAKERY_API_KEY: result.key,
    BAKERY_PUBLISHABLE_KEY: demo?.publishableKey ?? '',
  };
};

/**
 * Samples as printed, with this test's ports and the repository's path to the command instead of
 * npm's.
 */
const here = (text: string): string =>
  text
    .replaceAll('http://127.0.0.1:8080', `http://127.0.0.1:${hookPort}`)
    .replace(/npm run --silent ops -- (\S+)/g, `${process.execPath} ${resolve('bin/ops.mjs')} $1 --port ${journey.runtime.port}`);

const interpreters: Readonly<Record<string, string>> = { js: process.execPath, ts: process.execPath };

/** The client's source, from which its package is built. */
const program = (text: string): string =>
  text.replaceAll("'@bakery-commerce/client'", JSON.stringify(resolve('clients/typescript/src/index.ts')));

interface Listener {
  readonly child: ChildProcess;
  readonly printed: () => string;
}

const startServer = async (sample: Sample, secret: string): Promise<Listener> => {
  await writeFile(join(folder, sample.file ?? ''), sample.text);
  const child = spawn(interpreters[sample.language] ?? '', [sample.file ?? ''], {
    cwd: folder,
    env: { ...process.env, BAKERY_WEBHOOK_SECRET: secret, PORT: String(hookPort) },
    stdio: ['ignore', 'pipe', 'ignore'], // it complains of senders that hang up
  });
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    output += String(chunk);
  });
  return { child, printed: () => output };
};

const stop = async (child: ChildProcess) => {
  child.kill();
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
};

/** Starts a background command of the page and waits until it says that it is ready. */
const startListener = async (command: string, env: NodeJS.ProcessEnv): Promise<Listener> => {
  const child = spawn('sh', ['-c', `exec ${command}`], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    output.out += String(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    output.err += String(chunk);
  });
  await eventually(
    () => output.err,
    (text) => text.includes('Ready!'),
  );
  return { child, printed: () => output.out };
};

/** Starts the page's listener, or waits until it has printed the page's text. */
const listenTo = async (sample: Sample, listener: Listener | undefined, env: NodeJS.ProcessEnv): Promise<Listener> => {
  if (!listener) return startListener(here(sample.text), env);
  await eventually(listener.printed, (printed) => printedDifferences(sample, printed).length === 0);
  return listener;
};

/** Runs a page's samples in order and returns the differences from the printed output. */
const play = async (page: readonly Sample[]): Promise<string[]> => {
  const env = await environment();
  const wrong: string[] = [];
  const shown: string[] = [];
  let output = '';
  let listener: Listener | undefined;
  for (const sample of page) {
    const { language, file, marks, text } = sample;
    if (['server', 'shape', 'verify', 'framework', 'recipe'].some((mark) => marks.includes(mark))) continue;
    if (marks.includes('setup')) {
      expect(text).toMatch(
        /^(export BAKERY_(URL=(http:\/\/127\.0\.0\.1:4001|https:\/\/us\.api\.example\.com)\/api\/v2|API_KEY=svc_sk_live_us_…|PUBLISHABLE_KEY=svc_pk_live_us_…)\n){3}$/,
      );
    } else if (marks.includes('listen')) {
      listener = await listenTo(sample, listener, env);
    } else if (language === 'bash') {
      // A sample's exports are available to the next sample, as in one shell.
      shown.push(...(text.startsWith('export ') ? [here(text)] : []));
      output = await runShell(`${shown.join('\n')}\n${here(text)}`, { cwd: folder, env });
    } else if (interpreters[language]) {
      await writeFile(join(folder, file ?? ''), program(text));
      ({ stdout: output } = await run(interpreters[language], [file ?? ''], { cwd: folder, env }));
    } else {
      wrong.push(...printedDifferences({ ...sample, text: here(text) }, output));
    }
  }
  if (listener) await stop(listener.child);
  return wrong;
};

test.each(pages.filter((name) => name !== 'webhooks.md'))('%s: every sample runs and prints what the page says', async (name) => {
  expect(await play(samples.get(name) ?? [])).toEqual([]);
});

test("webhooks.md: every sample runs and prints the page's output, with a receiver that accepts everything", async () => {
  const receiver = spawn(
    process.execPath,
    ['-e', `require('http').createServer((q, s) => s.writeHead(204).end()).listen(${hookPort}, '127.0.0.1', () => console.log('ready'))`],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(receiver.stdout, 'data');
  try {
    expect(await play(samples.get('webhooks.md') ?? [])).toEqual([]);
  } finally {
    await stop(receiver);
  }
});

test('the guides leave no endpoint without a receiver', async () => {
  const response = await journey.runtime.invokeAction('us', { action: 'webhook.list', account: journey.runtime.demo.us?.account ?? '' });
  expect((response as { result: { data: unknown[] } }).result.data).toEqual([]);
});

const servers = [...samples.values()].flat().filter(({ marks }) => marks.includes('server'));

test('the page has receivers for Node and with the library of Stripe', () => {
  expect(servers.map(({ file }) => file)).toEqual(['receiver.mjs', 'stripe-receiver.mjs']);
});

test.each(servers.map((sample) => [sample.file, sample] as const))(
  '%s takes a real delivery, and turns away what is forged, altered or stale',
  async (_file, sample) => {
    const merchant = await journey.merchant();
    const url = `http://127.0.0.1:${hookPort}/`;
    const { id, secret } = (await merchant.call('POST', '/webhooks', { url, events: ['expense.created'] })).body;
    const { child, printed } = await startServer(sample, secret);
    const post = async (body: string, headers: Record<string, string> = {}) => (await fetch(url, { method: 'POST', body, headers })).status;
    try {
      await eventually(
        () => post('{}').catch(() => 0),
        (status) => status !== 0,
      );
      await merchant.call('POST', '/expenses', { amount: 12.5, date: '2026-03-01', category: 'ingredients', currency: 'USD' });
      await eventually(printed, (text) => text.includes('expense.created'));
      expect(printed().trim()).toBe('expense.created');

      const now = Math.floor(Date.now() / 1000);
      const body = '{"type":"forged"}';
      const signed = (key: string, seconds: number) => ({ 'x-webhook-signature': signatureHeader(key, seconds, body) });
      expect(await post(body, signed(secret, now))).toBe(204);
      // A tunnel sends chunks, without a Content-Length.
      const chunks = new Blob([body]).stream();
      const chunked = { method: 'POST', body: chunks, headers: signed(secret, now), duplex: 'half' } as RequestInit;
      expect((await fetch(url, chunked)).status).toBe(204);
      expect(await post(body)).toBe(400);
      expect(await post(body, { 'x-webhook-signature': 'nonsense' })).toBe(400);
      expect(await post(body, signed('whsec_other', now))).toBe(400);
      expect(await post(`${body} `, signed(secret, now))).toBe(400);
      expect(await post(body, signed(secret, now - 600))).toBe(400);
      expect(await post(body, { 'x-webhook-signature': `t=${'9'.repeat(5000)},v1=${'a'.repeat(64)}` })).toBe(400);
    } finally {
      await stop(child);
      await merchant.call('DELETE', `/webhooks/${id}`);
    }
  },
);

test.each(servers.map((sample) => [sample.file, sample] as const))(
  '%s outlives a sender that hangs up in the middle',
  async (_file, sample) => {
    const url = `http://127.0.0.1:${hookPort}/`;
    const { child } = await startServer(sample, 'whsec_any');
    const post = () => fetch(url, { method: 'POST', body: '{}' }).then(({ status }) => status);
    try {
      await eventually(
        () => post().catch(() => 0),
        (status) => status !== 0,
      );
      for (let i = 0; i < 5; i++) {
        await hangUp(url);
        expect(await post()).toBe(400);
      }
      expect(child.exitCode).toBeNull();
    } finally {
      await stop(child);
    }
  },
);

test.each(servers.map((sample) => [sample.file, sample] as const))('%s reads no body without end', async (_file, sample) => {
  const url = `http://127.0.0.1:${hookPort}/`;
  const { child } = await startServer(sample, 'whsec_any');
  try {
    await eventually(
      () => fetch(url, { method: 'POST', body: '{}' }).catch(() => undefined),
      (response) => response !== undefined,
    );
    expect(await statusOfEndlessBody(url, 'Content-Length: 10000000000')).toBe(413);
    expect([400, 413]).toContain(await statusOfEndlessBody(url, 'Transfer-Encoding: chunked'));
  } finally {
    await stop(child);
  }
});

test('the receiver of our own takes the previous signature while a rotation lasts', async () => {
  for (const sample of servers.filter(({ file }) => file !== 'stripe-receiver.mjs')) {
    const merchant = await journey.merchant();
    const url = `http://127.0.0.1:${hookPort}/`;
    const { id, secret } = (await merchant.call('POST', '/webhooks', { url, events: ['expense.created'] })).body;
    await merchant.call('POST', `/webhooks/${id}/rotate-secret`);
    const { child, printed } = await startServer(sample, secret);
    try {
      await eventually(
        () =>
          fetch(url, { method: 'POST', body: '{}' }).then(
            () => true,
            () => false,
          ),
        (isUp) => isUp,
      );
      expect((await merchant.call('POST', `/webhooks/${id}/test`)).body).toMatchObject({ success: true, status_code: 204 });
      await eventually(printed, (text) => text.includes('webhook.test'));
    } finally {
      await stop(child);
    }
  }
});
