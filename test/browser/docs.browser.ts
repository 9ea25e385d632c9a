import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { buildDocs } from '../../pages/docs/build.ts';
import { guides } from '../../pages/docs/guides.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { runShell } from '../support/shell.ts';
import { launch, visitAs, type Width, widths } from './browser.ts';

const types: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript', css: 'text/css', json: 'application/json' };

/** A static file server that knows only the site's folder. */
const serveFiles = async (folder: string, below: string): Promise<Server> => {
  const server = createServer(async ({ url = '' }, response) => {
    const { pathname } = new URL(url, 'http://any');
    const name = pathname.slice(below.length) + (pathname.endsWith('/') ? 'index.html' : '');
    const bytes = await readFile(join(folder, name)).catch(() => undefined);
    response.writeHead(bytes ? 200 : 404, { 'content-type': types[name.split('.').at(-1) ?? ''] ?? 'text/plain' }).end(bytes);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
};

let browser: Browser;
let journey: Journey;
let origin: string;
let folder: string;
let fileServer: Server;
let elsewhere: string;
const lines: string[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docs-'));
  const starting = startJourney({ regions: ['us'], seed: true, log: (line) => void lines.push(JSON.stringify(line)) });
  [browser, journey] = await Promise.all([launch(), starting, buildDocs(folder)]);
  origin = journey.runtime.urls.us;
  fileServer = await serveFiles(folder, '/some/where/');
  elsewhere = `http://127.0.0.1:${(fileServer.address() as AddressInfo).port}/some/where/`;
});
afterAll(async () => {
  await browser.close();
  fileServer.close();
  await Promise.all([journey.stop(), rm(folder, { recursive: true })]);
});

const visit = async (path: string, width: Width) => {
  const visitor = await visitAs(browser, width);
  const addresses: string[] = [];
  visitor.page.on('request', (request) => addresses.push(request.url()));
  await visitor.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const go = (to: string) => visitor.page.goto(/^http/.test(to) ? to : `${origin}/docs/${to}`);
  await go(path);
  return { ...visitor, addresses, go };
};

const overflow = 'document.documentElement.scrollWidth - innerWidth';
/** Returns the headers of tables that scroll sideways. */
const cutTables =
  "[...document.querySelectorAll('.table')].filter((table) => table.scrollWidth > table.clientWidth).map((table) => table.querySelector('tr').innerText)";
const focused = (property: string) => `document.activeElement.${property}`;

/** Sample pages that together contain every kind of content. */
const telling = ['webhooks/', 'reference/expenses/', 'events/order.status_changed/'];
const places = [
  ...guides.map(({ slug }) => (slug === '' ? '' : `${slug}/`)),
  ...['reference/', 'events/', ...telling.slice(1)],
  ...['checkout', 'customers', 'orders', 'products', 'reference-data', 'webhooks'].map((slug) => `reference/${slug}/`),
];

test.each([
  ['phone', 'light', ['', 'getting-started/', 'go-live/', 'reference/', 'events/', ...telling]],
  ['desktop', 'dark', telling],
] as const)('pages at %s width (%s) have no accessibility violation and log no problem', async (width, colorScheme, judged) => {
  const { page, go, complaints, violations, close } = await visit('', width);
  await page.emulateMedia({ colorScheme });
  for (const place of judged) {
    await go(place);
    expect([place, await violations()]).toEqual([place, []]);
  }
  expect(complaints).toEqual([]);
  await close();
});

test.each(['phone', 'desktop'] as const)('screenshots are saved at %s width', async (width) => {
  const { page, go, picture, close } = await visit('', width);
  const places = {
    start: '',
    'getting-started': 'getting-started/',
    webhooks: 'webhooks/',
    'reference-expenses': 'reference/expenses/',
    'events-order.status_changed': 'events/order.status_changed/',
    'not-found': 'nothing/here/',
  };
  for (const [state, place] of Object.entries(places)) {
    await go(place);
    await picture(`docs/${state as keyof typeof places}`);
  }
  await go('');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('combobox').fill('rotate secret');
  await page.locator('[role=option][aria-selected=true]').waitFor();
  await picture('docs/search');
  await close();
});

test.each(['phone', 'desktop'] as const)(
  'guides and resources at %s width clip no table, do not overflow, load from no other host and log no problem',
  async (width) => {
    const { page, go, complaints, addresses, close } = await visit('', width);
    for (const place of places) {
      await go(place);
      expect([place, await page.evaluate(overflow), await page.evaluate(cutTables)]).toEqual([place, 0, []]);
    }
    expect(complaints).toEqual([]);
    expect(addresses.filter((address) => !address.startsWith(origin))).toEqual([]);
    await close();
  },
);

/**
 * Returns the width of the narrowest code column (as wide as the page if it has none), and the
 * longest line of prose in em, which holds two characters.
 */
const measured = `(() => {
  const prose = [...document.querySelectorAll('main :is(p, dd, li:not(.index *))')].filter((one) => one.checkVisibility());
  const lines = prose.flatMap((one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    const ends = new Map();
    for (const { bottom, left, right } of one.querySelector('pre, li') ? [] : range.getClientRects()) {
      const [from, to] = ends.get(Math.round(bottom / 8)) ?? [left, right];
      ends.set(Math.round(bottom / 8), [Math.min(from, left), Math.max(to, right)]);
    }
    return [...ends.values()].map(([from, to]) => (to - from) / parseFloat(getComputedStyle(one).fontSize));
  });
  const columns = [...document.querySelectorAll('.shown')].map((one) => one.clientWidth);
  return { code: Math.min(innerWidth, ...columns), prose: Math.max(...lines) };
})()`;
const kinds = ['', 'webhooks/', 'go-live/', 'reference/', 'reference/webhooks/', 'events/', 'events/order.created/', 'nothing/here/'];

test.each([
  [390, 350],
  [1440, 500],
  [1920, 600],
  [2560, 600],
])('a page of %i px has a code column of at least %i px and lines of at most 45 em, and nothing overflows', async (width, least) => {
  const { page, go, close } = await visit('', width < 1000 ? 'phone' : 'desktop');
  await page.setViewportSize({ width, height: 900 });
  for (const place of kinds) {
    await go(place);
    const { code, prose } = (await page.evaluate(measured)) as { code: number; prose: number };
    expect([place, code >= least, prose > 10 && prose <= 45, await page.evaluate(overflow)]).toEqual([place, true, true, 0]);
  }
  await close();
});

/** Colors of both schemes, for every kind of content. */
test.each([
  ['phone', 'dark'],
  ['desktop', 'light'],
] as const)('colors at %s width (%s) have enough contrast', async (width, colorScheme) => {
  const { page, go, violations, close } = await visit('webhooks/', width);
  await page.emulateMedia({ colorScheme });
  for (const place of ['webhooks/', 'reference/checkout/']) {
    await go(place);
    expect(await violations(':root', ['color-contrast'])).toEqual([]);
  }
  await close();
});

test.each(['phone', 'desktop'] as const)(
  'the keyboard alone can try an operation at %s width; the key stays out of URLs and logs, errors are shown, and the call copies as curl',
  async (width) => {
    const { page, complaints, violations, addresses, picture, close } = await visit('reference/expenses/', width);
    const { secretKey = '' } = journey.runtime.demo.us ?? {};
    const operation = page.locator('#createExpense');
    await operation.getByText('Try it').focus();
    await page.keyboard.press('Enter');
    const form = operation.locator('form');
    expect(await form.getByLabel('API key').inputValue()).toBe(secretKey);
    await form.getByLabel('Example').selectOption('By the label of its category');
    await form.getByLabel('Idempotency-Key').fill(`docs-${width}`);
    await form.getByLabel('Idempotency-Key').press('Enter');
    await form.getByText('201 Created').waitFor();
    const { id } = JSON.parse((await form.locator('pre.body').textContent()) ?? '');
    expect(await violations('#createExpense')).toEqual([]);
    await picture('docs/try');
    const stored = await journey.request(`${origin}/api/v2/expenses/${id}`, 'GET', { key: secretKey });
    expect([stored.status, stored.body.amount]).toEqual([200, 184.6]);

    await form.getByRole('button', { name: 'Copy as curl' }).click();
    await form.getByText('Copied.').waitFor();
    const command = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(JSON.parse(await runShell(command))).toMatchObject({ id });

    await form.getByLabel('Body').fill('{ "amount": 0 }');
    await form.getByLabel('Idempotency-Key').fill('');
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText('400 Bad Request').waitFor();
    expect(await form.locator('pre.body').textContent()).toContain('"field": "amount"');
    // The browser itself logs each blocked request.
    expect(complaints.filter((complaint) => !complaint.includes('status of 400'))).toEqual([]);
    expect(addresses.filter((address) => address.includes(secretKey))).toEqual([]);
    expect(lines.filter((line) => line.includes(secretKey))).toEqual([]);
    await close();
  },
);

test('the search finds guides, operations and events by keyboard, and Escape returns the focus', async () => {
  const { page, complaints, violations, close } = await visit('', 'desktop');
  const option = page.locator('[role=option][aria-selected=true]');
  const find = async (words: string) => {
    await page.keyboard.press('/');
    await page.getByRole('combobox').fill(words);
    await option.waitFor();
  };
  await page.getByRole('button', { name: 'Search' }).focus();
  await find('rotate secret');
  expect(await violations('dialog')).toEqual([]);
  expect(await page.evaluate("getComputedStyle(document.querySelector('[aria-selected=true]')).outlineStyle")).toBe('solid');
  await page.keyboard.press('Escape');
  expect(await page.evaluate(focused('className'))).toBe('find');

  for (const [words, address] of [
    ['order.status_changed', 'events/order.status_changed/'],
    ['createCheckout', 'reference/checkout/#createCheckout'],
    ['constant time', 'webhooks/#verify-the-signature'],
  ] as const) {
    await find(words);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.href.startsWith(`${origin}/docs/${address}`));
  }
  await find('expense');
  const first = await option.textContent();
  await page.keyboard.press('ArrowDown');
  expect(await option.textContent()).not.toBe(first);
  await page.getByRole('combobox').fill('zzzz');
  await page.getByText('No results.').waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('a language choice applies to all samples, a sample copies unchanged, and old links to the reference work', async () => {
  const { page, go, complaints, close } = await visit('reference/#operation/listOrders', 'desktop');
  await page.waitForURL(`${origin}/docs/reference/orders/#listOrders`);
  await page.locator('#listOrders').getByRole('radio', { name: 'Python' }).check();
  await go('reference/customers/');
  const samples = page.locator('#createCustomer .samples');
  await samples.locator('pre.python').waitFor();
  await samples.getByRole('button', { name: 'Copy the sample' }).click();
  await samples.getByText('Copied').waitFor();
  const copied = String(await page.evaluate('navigator.clipboard.readText()'));
  expect(copied).toMatch(/^from bakery_commerce import BakeryCommerce\n/);
  expect(copied).toContain(journey.runtime.demo.us?.secretKey ?? 'a key');
  expect(complaints).toEqual([]);
  await close();
});

test('the keyboard on a phone reaches the list of pages, a page and its contents', async () => {
  const { page, close } = await visit('errors/', 'phone');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(focused('textContent'))).toBe('Skip to content');
  await page.locator('.pages summary').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Guides' }).getByRole('link', { name: 'Webhooks' }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
  await close();
});

test("a page on another host tries operations at the reader's URL, and explains if that host rejects browsers", async () => {
  const { page, go, complaints, close } = await visit(`${elsewhere}events/`, 'desktop');
  await page.keyboard.press('/');
  await page.getByRole('combobox').fill('list products');
  await page.locator('[role=option]').first().waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`${elsewhere}reference/products/#listProducts`);
  const tried = async (operation: string) => {
    const place = page.locator(`#${operation}`);
    await place.getByText('Try it').click();
    await place.getByLabel('Address of the service').fill(origin);
    await place.getByLabel('API key').fill(journey.runtime.demo.us?.publishableKey ?? '');
    await place.getByRole('button', { name: 'Send' }).click();
    return place.getByRole('status').getByRole('paragraph').textContent();
  };
  expect(await tried('listProducts')).toBe('200 OK');
  expect(complaints).toEqual([]);
  await go(`${elsewhere}reference/orders/`);
  expect(await tried('listOrders')).toContain('as curl');
  await close();
});

test('all content is readable without JavaScript, and controls that need it are hidden', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: widths.desktop });
  const page = await context.newPage();
  await page.goto(`${elsewhere}reference/expenses/`);
  const operation = page.locator('#createExpense');
  expect(await operation.getByText('invalid_idempotency_key', { exact: true }).isVisible()).toBe(true);
  expect(await page.getByRole('navigation', { name: 'Reference' }).getByRole('link', { name: 'Webhooks' }).isVisible()).toBe(true);
  await operation.getByRole('radio', { name: 'TypeScript' }).check();
  expect(await operation.locator('pre.ts').getByText('client.expenses.create').isVisible()).toBe(true);
  expect(await operation.locator('pre.bash').isVisible()).toBe(false);
  expect(await operation.getByText('Try it').isVisible()).toBe(false);
  expect(await page.getByRole('button', { name: 'Search' }).isVisible()).toBe(false);
  await context.close();
});
