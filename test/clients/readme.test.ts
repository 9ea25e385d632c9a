import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { hangUp, statusOfEndlessBody } from '../support/hang-up.ts';
import { eventually, type Journey, type Merchant, startJourney } from '../support/journey.ts';
import { freePorts } from '../support/service.ts';

const blocks = [...readFileSync('clients/typescript/README.md', 'utf8').matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code);
const [firstHour = '', errors = '', receiver = ''] = blocks;

let folder: string;
let journey: Journey;
let merchant: Merchant;
beforeAll(async () => {
  [folder, journey] = await Promise.all([mkdtemp(join(tmpdir(), 'readme-')), startJourney({ regions: ['us'] })]);
  merchant = await journey.merchant();
});
afterAll(async () => {
  await journey.stop();
  await rm(folder, { recursive: true });
});

/** Returns a sample as printed, with the package's path and the given replacements. */
const start = async (
  name: string,
  sample: string,
  replacements: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>>,
) => {
  let code = sample.replaceAll("'@bakery-commerce/client'", JSON.stringify(resolve('clients/typescript/src/index.ts')));
  for (const [printed, here] of Object.entries(replacements)) {
    expect(code).toContain(printed);
    code = code.replace(printed, here);
  }
  const file = join(folder, `${name}.mts`);
  await writeFile(file, code);
  const child = spawn(process.execPath, [file], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { text: '', errors: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    output.text += String(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    output.errors += String(chunk);
  });
  return { child, output };
};

test('every sample of the page is one of those tested here', () => {
  expect(blocks).toHaveLength(3);
});

test('the first hour and the errors run as printed, twice', async () => {
  const replacements = { 'http://us.localhost:4000/api/v2': `${journey.runtime.urls.us}/api/v2` };
  const sample = firstHour + errors;
  const outputs: string[] = [];
  for (const name of ['once', 'again']) {
    const { child, output } = await start(name, sample, replacements, { BAKERY_API_KEY: merchant.key });
    await once(child, 'close');
    expect(output.errors).toBe('');
    outputs.push(output.text);
  }
  expect(outputs).toEqual([expect.stringMatching(/^#\d+ 48\n$/), expect.stringMatching(/^#\d+ 48\n#\d+ 48\nWe know Ada already\.\n$/)]);
});

test('the receiver accepts a real order, and rejects unsigned and endless requests', async () => {
  const port = await freePorts();
  const url = `http://127.0.0.1:${port}/`;
  const { secret } = await merchant.api.webhooks.create({ url, events: ['order.created'] });
  const { child, output } = await start(
    'receiver',
    receiver,
    { '.listen(8080)': `.listen(${port}, '127.0.0.1')` },
    { BAKERY_WEBHOOK_SECRET: secret },
  );
  try {
    const forged = await eventually(
      () => fetch(url, { method: 'POST', body: '{}' }).catch(() => undefined),
      (response) => response !== undefined,
    );
    expect(forged?.status).toBe(400);
    for (let i = 0; i < 5; i++) {
      await hangUp(url);
      expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(400);
    }
    expect(await statusOfEndlessBody(url, 'Content-Length: 10000000000')).toBe(413);
    expect(await statusOfEndlessBody(url, 'Transfer-Encoding: chunked')).toBe(413);
    const { friendly_order_number } = await merchant.api.orders.create({ items: [{ name: 'Cake', quantity: 1, unit_price: 30 }] });
    await eventually(
      () => output.text,
      (text) => text !== '',
    );
    expect(output.text).toBe(`${friendly_order_number}\n`);
  } finally {
    child.kill();
    await once(child, 'close');
  }
});
