import { writeFile } from 'node:fs/promises';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { type Runtime, startRuntime } from '../../local/runtime.ts';
import { run } from '../ops/command.ts';
import { stateHome } from '../ops/listener.ts';
import { launch, type Visitor, visitAs } from './browser.ts';
import { columns, htmlOf, quoted, rows, runOnTerminal, terminalPage } from './pseudo-terminal.ts';
import { recordingFile, type states } from './screens.ts';

let browser: Browser;
let runtime: Runtime;
let visitor: Visitor;
beforeAll(async () => {
  [browser, runtime] = await Promise.all([launch(), startRuntime({ regions: ['us'], seed: true, allowLoopbackWebhooks: true })]);
});
afterAll(async () => {
  await browser.close();
  await runtime.stop();
});
beforeEach(async () => {
  visitor = await visitAs(browser, 'desktop');
});
afterEach(() => visitor.close());

const port = () => ['--port', String(runtime.port)];
const account = () => ['--region', 'us', '--account', String(runtime.demo.us?.account)];

/**
 * Saves the output with colours, as text and as pictures. Expects that no line breaks at 80
 * columns.
 */
const record = async (name: (typeof states.terminal)[number], args: readonly string[], ansi: string): Promise<string> => {
  const command = `bakery-ops ${args.map(quoted).join(' ')}`;
  const text = stripVTControlCharacters(ansi);
  await writeFile(await recordingFile(name, 'ans'), `$ ${command}\n${ansi}`);
  await writeFile(await recordingFile(name, 'txt'), `$ ${command}\n${text}`);
  const { page } = visitor;
  await page.setViewportSize({ width: 800, height: 120 });
  await page.setContent(terminalPage(command, ansi));
  await visitor.look(`terminal/${name}`);
  expect(text.split('\n').filter((line) => [...line].length > columns)).toEqual([]);
  return text;
};
const ended = async (name: (typeof states.terminal)[number], ...args: readonly string[]): Promise<string> =>
  record(name, args, await runOnTerminal(args).output());
type Running = ReturnType<typeof runOnTerminal>;
const interrupted = async (name: (typeof states.terminal)[number], args: readonly string[], running: Running): Promise<string> => {
  running.interrupt();
  return record(name, args, await running.output());
};

test('the help fits one screen and has a line for each noun', async () => {
  const text = await ended('help', '--help');
  expect(text).toMatch(/^ +key +\S/m);
  expect(text.split('\n').length).toBeLessThanOrEqual(rows);
});

test('the help of a noun lists its verbs', async () => {
  expect(await ended('help-noun', 'key', '--help')).toMatch(/create/);
});

test('the help of an action lists its fields and one example', async () => {
  expect(await ended('help-action', 'key.create', '--help')).toContain(`--json '{"type":"secret"`);
});

test('an unknown name suggests the most similar known one', async () => {
  expect(await ended('unknown-name', 'key.creat')).toContain('key.create');
});

test('a list prints as a table', async () => {
  expect(await ended('table', 'key.list', ...account(), ...port())).toContain('Demo server key');
});

test('one record prints as a list of its fields', async () => {
  expect(await ended('record', 'account.get', ...account(), ...port())).toContain('Maple Street Bakery');
});

test('an error prints as a sentence', async () => {
  expect(await ended('error', 'webhook.delete', '--json', '{"id":"whe_none"}', ...account(), ...port())).toContain(
    'Webhook endpoint not found. Check the id.',
  );
});

test('a service that does not run is reported in one sentence', async () => {
  expect(await ended('unreachable', 'account.get', '--port', '9')).toContain('Start it with npm start');
});

test('ops listen prints an event as one line', async () => {
  const args = ['listen', ...port()];
  const running = runOnTerminal(args, stateHome);
  await running.shows(/Ready!/);
  for (const type of ['expense.created', 'order.status_changed', 'payment.completed']) {
    expect(await run(['trigger', type, ...port()])).toMatchObject({ code: 0 });
    await running.shows(new RegExp(`${type} +(exp|ord|pay)_.*✓`));
  }
  expect(await interrupted('listen', args, running)).toMatch(/^Endpoint removed\. \d+ events\.$/m);
});

test('ops tail prints a request as one line', async () => {
  const args = ['tail', ...port()];
  const running = runOnTerminal(args);
  await running.shows(/Following/);
  const headers = { authorization: `Bearer ${runtime.demo.us?.secretKey}` };
  for (const path of ['/orders', '/customers/cus_none', '/reference/expense-categories'])
    await fetch(`${runtime.urls.us}/api/v2${path}`, { headers });
  await running.shows(/expense-categories +200/);
  await interrupted('tail', args, running);
});

test('a recording fails on a control sequence that is not a style', () => {
  expect(htmlOf('\x1b[31m<b>\x1b[0m')).toBe('<span class="s31">&lt;b&gt;</span>');
  expect(() => htmlOf('\x1b[2J')).toThrow(/unknown control sequence/);
});
