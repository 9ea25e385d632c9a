import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { createClient } from '../../clients/typescript/src/index.ts';
import { listen } from '../../clients/typescript/src/listen.ts';
import { run as runOps } from '../ops/command.ts';
import { eventually, startJourney } from '../support/journey.ts';
import { startReceiver } from '../support/receiver.ts';
import { freePorts } from '../support/service.ts';
import { shared } from '../support/shared.ts';

const journey = shared(() => startJourney({ regions: ['us'] }));

let key: string;
let port: number;
beforeEach(async () => {
  key = (await journey.merchant()).key;
  port = await freePorts();
});

const url = () => journey.runtime.urls.us ?? '';
const client = () => createClient({ apiKey: key, baseUrl: `${url()}/api/v2` });
const spend = () => client().expenses.create({ amount: 5, date: '2026-03-01', category: 'rent' });
const urlsOf = async () => (await client().webhooks.list()).data.map((one) => one.url).sort();
/** The test's tunnel leads straight to the port. */
const tunnel = () => `http://127.0.0.1:${port}/`;

const begin = (...args: readonly string[]) => {
  const out = { stdout: '', stderr: '' };
  let stop = () => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const all = ['--url', url(), '--public-url', tunnel(), '--listen', String(port), ...args];
  const ended = listen(all, {
    env: { BAKERY_API_KEY: key },
    stdout: (text) => {
      out.stdout += text;
    },
    stderr: (text) => {
      out.stderr += text;
    },
    stopped,
  });
  ended.catch(() => {});
  const ready = () =>
    eventually(
      () => out.stderr,
      (text) => text.includes('Ready!'),
    );
  return { out, stop, ended, ready };
};

test('bakery-listen prints a line for each verified event, and leaves no endpoint', async () => {
  const run = begin();
  await run.ready();
  await spend();
  await eventually(
    () => run.out.stdout,
    (text) => /expense\.created +evt_\S+ {2}✓ {2}→ 204\n/.test(text),
  );
  run.stop();
  await run.ended;
  expect(await urlsOf()).toEqual([]);
});

test('bakery-listen --print-json prints the JSON of an event with characters beyond the BMP that a terminal does not show', async () => {
  const run = begin('--print-json');
  await run.ready();
  const description = 'Rye \u{f0000}\u{e0061}\u200d';
  await client().expenses.create({ amount: 5, date: '2026-03-01', category: 'rent', description });
  await eventually(
    () => run.out.stdout,
    (text) => text.includes('\n'),
  );
  run.stop();
  await run.ended;
  expect(JSON.parse(run.out.stdout)).toMatchObject({ type: 'expense.created', data: { object: { description } } });
  expect(run.out.stdout).not.toMatch(/\p{Co}|\p{Cf}/u);
});

test("bakery-listen --forward passes a delivery on with a valid signature, and returns the receiver's status", async () => {
  const receiver = await startReceiver();
  try {
    const hook = receiver.hook();
    hook.respondWith(() => 202);
    const run = begin('--forward', hook.url, '--events', 'expense.created');
    await run.ready();
    await spend();
    await eventually(
      () => run.out.stdout,
      (text) => text.includes('✓  → 202'),
    );
    expect(hook.requests[0]?.headers).toMatchObject({
      'x-webhook-signature': expect.stringMatching(/^t=\d+,v1=/),
      'x-webhook-id': expect.stringMatching(/^evt_/),
    });
    run.stop();
    await run.ended;
  } finally {
    await receiver.stop();
  }
});

test('a request with another signature is rejected with 400 and not forwarded', async () => {
  const run = begin();
  await run.ready();
  const response = await fetch(tunnel(), { method: 'POST', body: '{}', headers: { 'x-webhook-signature': `t=1,v1=${'0'.repeat(64)}` } });
  expect(response.status).toBe(400);
  expect(run.out.stdout).toContain('✗ not verified: mismatch');
  run.stop();
  await run.ended;
});

test('a request that is longer than every event is rejected with 413', async () => {
  const run = begin();
  await run.ready();
  expect((await fetch(tunnel(), { method: 'POST', body: new Uint8Array(2 * 1024 * 1024) })).status).toBe(413);
  expect(run.out.stderr).toContain('Rejected a request that is longer than every event.');
  run.stop();
  await run.ended;
});

test('the next start removes the endpoint of a killed run, and no other', async () => {
  const others = ['http://127.0.0.1:9/a', 'http://127.0.0.1:9/b'];
  await client().webhooks.create({ url: others[0] ?? '', events: ['order.created'], description: 'Temporary: bakery-listen' });
  await client().webhooks.create({ url: others[1] ?? '', events: ['order.created'] });
  await client().webhooks.create({ url: tunnel(), events: ['order.created'], description: 'Temporary: bakery-listen' });
  const run = begin();
  await run.ready();
  expect(run.out.stderr).toContain('Removed the endpoint of an earlier run that was killed.');
  run.stop();
  await run.ended;
  expect(await urlsOf()).toEqual(others);
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('the program leaves no endpoint when two %s end it', async (signal) => {
  const args = ['clients/typescript/src/listen.ts', '--url', url(), '--public-url', tunnel(), '--listen', String(port)];
  const child = spawn(process.execPath, args, { env: { BAKERY_API_KEY: key }, stdio: ['ignore', 'ignore', 'pipe'] });
  const exit = once(child, 'exit');
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk);
  });
  await eventually(
    () => stderr,
    (text) => text.includes('Ready!'),
  );
  expect(await urlsOf()).toEqual([tunnel()]);
  child.kill(signal);
  child.kill(signal);
  expect(await exit).toEqual([0, null]);
  expect(await urlsOf()).toEqual([]);
});

describe('errors of bakery-listen', () => {
  test('bakery-listen fails with a sentence at the limit of ten endpoints', async () => {
    for (let i = 0; i < 10; i++) await client().webhooks.create({ url: `http://127.0.0.1:9/${i}`, events: ['order.created'] });
    await expect(begin().ended).rejects.toThrow('has 10 webhook endpoints, which is the limit');
    expect(await urlsOf()).toHaveLength(10);
  });

  test('bakery-listen fails with a sentence if another endpoint has the address', async () => {
    await client().webhooks.create({ url: tunnel(), events: ['order.created'] });
    await expect(begin().ended).rejects.toThrow('Another endpoint of the account has this URL.');
    expect(await urlsOf()).toEqual([tunnel()]);
  });

  test('bakery-listen fails with a sentence if the key lacks the scope', async () => {
    const { act } = await journey.merchant();
    ({ key } = await act('key.create', { type: 'secret', group: 'readOnly', name: 'Reader' }));
    await expect(begin().ended).rejects.toThrow('The key needs the scope webhooks:manage.');
  });

  test.each([
    ['without a public address', ['--url', 'http://x.test'], '--public-url is missing'],
    ['without a key', ['--url', 'http://x.test', '--public-url', 'http://y.test'], 'Set BAKERY_API_KEY'],
    ['with an invalid port', ['--url', 'http://x.test', '--public-url', 'http://y.test', '--listen', 'x'], '--listen must be'],
    ['with an invalid address', ['--url', 'x'], '--url must be an address'],
    ['with the address after an equals sign', ['--url=x'], '--url must be an address'],
    ['with a public address alone', ['--public-url=http://y.test'], '--url is missing'],
    [
      'with a receiver of another scheme',
      ['--url', 'http://x.test', '--public-url', 'http://y.test', '--forward', 'ftp://z'],
      '--forward must be',
    ],
  ])('bakery-listen and ops listen reject a call %s', async (_name, args, sentence) => {
    const silent = { env: {}, stdout: () => {}, stderr: () => {}, stopped: Promise.resolve() };
    await expect(listen(args, silent)).rejects.toThrow(sentence);
    const { code, stderr } = await runOps(['listen', ...args]);
    expect({ code, ...JSON.parse(stderr).error }).toMatchObject({ code: 'invalid_value', message: expect.stringContaining(sentence) });
  });
});
