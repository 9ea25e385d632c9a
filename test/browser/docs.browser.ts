import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { guides } from '../../pages/docs/guides.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { launch, type Visitor, visitAs, type Width } from './browser.ts';

let browser: Browser;
let journey: Journey;
let origin: string;
const lines: string[] = [];
beforeAll(async () => {
  const starting = startJourney({ regions: ['us'], seed: true, log: (line) => void lines.push(JSON.stringify(line)) });
  [browser, journey] = await Promise.all([launch(), starting]);
  origin = journey.runtime.urls.us;
});
afterAll(async () => {
  await browser.close();
  await journey.stop();
});

const widths: readonly Width[] = ['phone', 'desktop'];
const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 900 } };

const visit = async (path: string, width: Width): Promise<Visitor & { addresses: string[] }> => {
  const visitor = await visitAs(browser, width);
  const addresses: string[] = [];
  visitor.page.on('request', (request) => addresses.push(request.url()));
  await visitor.page.setViewportSize(sizes[width]);
  await visitor.page.goto(`${origin}/docs/${path}`);
  return { ...visitor, addresses };
};

const overflow = 'document.documentElement.scrollWidth - innerWidth';
/** Heads of the tables that show only a part of their columns. */
const cutTables =
  "[...document.querySelectorAll('.table')].filter((table) => table.scrollWidth > table.clientWidth).map((table) => table.querySelector('tr').innerText)";

test.each(guides.flatMap(({ slug, title }) => widths.map((width) => [title, width, slug] as const)))(
  '%s at %s width: nothing inaccessible in light and dark, no table cut, nothing wider than the window, no complaint',
  async (title, width, slug) => {
    const { page, complaints, violations, addresses, picture, close } = await visit(slug, width);
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await violations()).toEqual([]);
    }
    expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);
    expect(await page.evaluate(cutTables)).toEqual([]);
    await picture(`docs-${slug || 'start'}`);
    expect(complaints).toEqual([]);
    expect(addresses.filter((address) => !address.startsWith(origin))).toEqual([]);
    await close();
  },
);

const openReference = async (width: Width) => {
  const visitor = await visit('reference/', width);
  await visitor.page.getByRole('heading', { name: 'Create an expense' }).waitFor();
  return visitor;
};

test.each(widths)(
  'the reference at %s width: nothing inaccessible, nothing from elsewhere, no complaint',
  async (width) => {
    const { page, complaints, violations, addresses, close } = await openReference(width);
    if (width === 'desktop') await page.getByRole('menuitem', { name: 'Expenses', exact: true }).click();
    expect(await violations()).toEqual([]);
    expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);
    await page.screenshot({ path: `.local/browser/docs-reference-${width}.png` });
    expect(complaints).toEqual([]);
    expect(addresses.filter((address) => !address.startsWith(origin) && !address.startsWith(`blob:${origin}`))).toEqual([]);
    await close();
    // The page holds 25 000 elements.
  },
  180_000,
);

test.each(widths)('any operation is tried by keyboard at %s width, with the demo key, which is in no address and no log', async (width) => {
  const { page, complaints, violations, addresses, close } = await openReference(width);
  const { secretKey = '' } = journey.runtime.demo.us ?? {};

  await page.locator('a[href="#try/listExpenseCategories"]').focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  // The test above has judged the 25 000 elements behind it.
  expect(await dialog.getByLabel(/API key/).inputValue()).toBe(secretKey);
  expect(await violations('dialog[open]')).toEqual([]);
  await dialog.getByLabel(/API key/).press('Enter');
  await dialog.getByText('200 OK').waitFor();
  expect(await dialog.getByLabel('Body of the answer').inputValue()).toContain('"id": "bank_fees"');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await page.evaluate('document.activeElement.getAttribute("href")')).toBe('#try/listExpenseCategories');

  await page.locator('a[href="#try/createExpense"]').focus();
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Idempotency-Key').fill(`docs-${width}`);
  await dialog.getByLabel('Example').selectOption('The least there is');
  await dialog.getByLabel('Idempotency-Key').press('Enter');
  await dialog.getByText('201 Created').waitFor();
  const { id } = JSON.parse(await dialog.getByLabel('Body of the answer').inputValue());
  expect(await violations('dialog[open]')).toEqual([]);
  await page.screenshot({ path: `.local/browser/docs-try-${width}.png` });
  const stored = await journey.request(`${origin}/api/v2/expenses/${id}`, 'GET', { key: secretKey });
  expect([stored.status, stored.body.amount]).toEqual([200, 950]);

  expect(complaints).toEqual([]);
  expect(addresses.filter((address) => address.includes(secretKey))).toEqual([]);
  expect(lines.filter((line) => line.includes(secretKey))).toEqual([]);
  await close();
});

test.each(['createCheckout', 'retrieveProduct', 'createOrder', 'createSearchToken'])(
  '%s is ready to be sent as it opens',
  async (operation) => {
    const { page, close } = await visit(`reference/#try/${operation}`, 'desktop');
    await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
    const status = page.getByRole('status').getByRole('paragraph');
    expect(await status.textContent()).toMatch(operation === 'createSearchToken' ? /^503/ : /^20[01]/);
    await close();
  },
);

test('the first sample has the keys of this service, and is copied as it stands', async () => {
  const { page, close } = await visit('', 'desktop');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const { secretKey = '', publishableKey = '' } = journey.runtime.demo.us ?? {};
  await page.getByText(publishableKey).waitFor();
  await page.getByRole('button', { name: 'Copy Shell' }).first().click();
  await page.getByText('Copied').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
    `export BAKERY_API=${origin}/api/v2\nexport BAKERY_KEY=${secretKey}\nexport BAKERY_PUBLISHABLE_KEY=${publishableKey}`,
  );
  await close();
});

test('the pages of a phone are reached by keyboard: list, page, content', async () => {
  const { page, close } = await visit('errors', 'phone');
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
  await page.locator('.pages summary').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Guides' }).getByRole('link', { name: 'Webhooks' }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
  await close();
});

test('strangers get neither pages nor keys: another name, another page, another method', async () => {
  const ask = (path: string, method: string, headers: Record<string, string>) =>
    journey.request(`${origin}/docs/${path}`, method, { headers });
  for (const path of ['', 'reference/', 'demo.json', 'openapi.json'])
    expect((await ask(path, 'GET', { host: 'evil.example' })).status).toBe(403);
  for (const site of ['cross-site', 'same-site', 'none'])
    expect((await ask('demo.json', 'GET', { 'sec-fetch-site': site })).status).toBe(403);
  expect((await ask('demo.json', 'POST', {})).status).toBe(405);
  const { headers } = await ask('demo.json', 'GET', { origin: 'https://evil.example' });
  expect([headers['access-control-allow-origin'], headers['cache-control'], headers['cross-origin-resource-policy']]).toEqual([
    undefined,
    'no-store',
    'same-origin',
  ]);
  for (const path of ['', 'reference/']) {
    const policy = (await ask(path, 'GET', {})).headers['content-security-policy'];
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
  }
});
