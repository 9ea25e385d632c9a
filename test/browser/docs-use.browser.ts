import { expect, test } from '@jest/globals';
import { shared } from '../support/shared.ts';
import { runShell } from '../support/shell.ts';
import { bothWidths, soon, widths } from './browser.ts';
import { startDocs } from './docs.ts';

const site = shared(startDocs);

const focused = (property: string) => `document.activeElement.${property}`;

test.each(bothWidths)(
  'the keyboard alone can try an operation at %s width; the key stays out of URLs and logs, errors are shown, and the call copies as curl',
  async (width) => {
    const { page, complaints, addresses, look, close } = await site.visit('reference/expenses/', width);
    const { secretKey = '' } = site.journey.runtime.demo.us ?? {};
    const operation = page.locator('#createExpense');
    await operation.locator('.try > summary').focus();
    await page.keyboard.press('Enter');
    const form = operation.locator('form');
    await soon(async () => expect(await form.getByLabel('API key').inputValue()).toBe(secretKey));
    await form.getByLabel('Example').selectOption('By the label of its category');
    await form.getByLabel('Idempotency-Key').fill(`docs-${width}`);
    await form.getByLabel('Idempotency-Key').press('Enter');
    await form.getByText('201 Created').waitFor();
    const { id } = await soon(async () => JSON.parse((await form.locator('pre.body').textContent()) ?? ''));
    await form.getByRole('button', { name: 'Copy the response' }).click();
    await soon(async () => expect(JSON.parse(String(await page.evaluate('navigator.clipboard.readText()')))).toMatchObject({ id }));
    await look('docs/try');
    const stored = await site.journey.request(`${site.origin}/api/v2/expenses/${id}`, 'GET', { key: secretKey });
    expect([stored.status, stored.body.amount]).toEqual([200, 184.6]);

    await form.getByRole('button', { name: 'Copy as curl' }).click();
    await form.getByText('Copied.').waitFor();
    const command = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(JSON.parse(await runShell(command))).toMatchObject({ id });

    await form.getByLabel('Body').fill('{ "amount": 0 }');
    await form.getByLabel('Idempotency-Key').fill('');
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText('400 Bad Request').waitFor();
    await soon(async () => expect(await form.locator('pre.body').textContent()).toContain('"field": "amount"'));
    // The browser itself logs each blocked request.
    expect(complaints.filter((complaint) => !complaint.includes('status of 400'))).toEqual([]);
    expect(addresses.filter((address) => address.includes(secretKey))).toEqual([]);
    expect(site.lines.filter((line) => line.includes(secretKey))).toEqual([]);
    await close();
  },
);

test('the search finds guides, operations and events by keyboard, and Escape returns the focus', async () => {
  const { page, complaints, violations, close } = await site.visit('', 'desktop');
  const option = page.locator('[role=option][aria-selected=true]');
  const find = async (words: string) => {
    await page.keyboard.press('/');
    await page.getByRole('combobox').fill(words);
    await option.waitFor();
  };
  await page.getByRole('button', { name: 'Search' }).focus();
  await find('rotate secret');
  expect(await violations('dialog')).toEqual([]);
  await soon(async () =>
    expect(await page.evaluate("getComputedStyle(document.querySelector('[aria-selected=true]')).outlineStyle")).toBe('solid'),
  );
  await page.keyboard.press('Escape');
  await soon(async () => expect(await page.evaluate(focused('className'))).toBe('find'));

  for (const [words, address] of [
    ['order.status_changed', 'events/order.status_changed/'],
    ['createCheckout', 'reference/checkout/#createCheckout'],
    ['constant time', 'webhooks/#verify-the-signature'],
  ] as const) {
    await find(words);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.href.startsWith(`${site.origin}/docs/${address}`));
  }
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('24 hours');
  await soon(async () => expect(await option.locator('.snippet mark').allTextContents()).toEqual(expect.arrayContaining(['24', 'hours'])));
  await find('expense');
  await soon(async () => expect(await option.textContent()).toMatch(/expense/i));
  const first = await soon(() => option.textContent());
  await page.keyboard.press('ArrowDown');
  await soon(async () => expect(await option.textContent()).not.toBe(first));
  await page.keyboard.press('ArrowUp');
  await soon(async () => expect(await option.textContent()).toBe(first));
  await page.getByRole('combobox').fill('zzzz');
  await page.getByText('No results for “zzzz”.').waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('a language choice applies to all samples, a sample and a page copy unchanged, and old links to the reference work', async () => {
  const { page, go, complaints, close } = await site.visit('reference/#operation/listOrders', 'desktop');
  await page.waitForURL(`${site.origin}/docs/reference/orders/#listOrders`);
  await page.locator('#listOrders').getByRole('radio', { name: 'Python' }).check();
  await go('reference/customers/');
  const samples = page.locator('#createCustomer .samples');
  await samples.locator('pre.python').waitFor();
  await samples.getByRole('button', { name: 'Copy the sample' }).click();
  await samples.getByText('Copied').waitFor();
  const copied = String(await page.evaluate('navigator.clipboard.readText()'));
  expect(copied).toMatch(/^from bakery_commerce import BakeryCommerce\n/);
  expect(copied).toContain(site.journey.runtime.demo.us?.secretKey ?? 'a key');
  await page.locator('#createCustomer').getByRole('button', { name: 'Copy Response, 201' }).click();
  await soon(async () => expect(JSON.parse(String(await page.evaluate('navigator.clipboard.readText()')))).toHaveProperty('id'));
  await go('getting-started/');
  await page.reload();
  await page.locator('.samples pre.python').first().waitFor();
  await page.getByRole('button', { name: 'Copy page' }).click();
  await page.getByRole('button', { name: 'Copied page' }).waitFor();
  const markdown = await (await fetch(`${site.origin}/docs/getting-started.md`)).text();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(markdown);
  expect(complaints).toEqual([]);
  await close();
});

test('in a browser that forbids storage a language choice applies to the page, and the search works', async () => {
  const { page, go, complaints, close } = await site.visit('', 'desktop');
  await page.addInitScript("Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('', 'SecurityError'); } })");
  await go('reference/orders/');
  await page.locator('#listOrders').getByRole('radio', { name: 'Python' }).check();
  await page.locator('#createOrder pre.python').waitFor();
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('combobox').waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('on a phone the keyboard reaches the list of pages, a page and its contents', async () => {
  const { page, close } = await site.visit('errors/', 'phone');
  await page.keyboard.press('Tab');
  await soon(async () => expect(await page.evaluate(focused('textContent'))).toBe('Skip to content'));
  await page.locator('.pages summary').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Guides' }).getByRole('link', { name: 'Webhooks' }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
  await close();
});

test("on another host the page tries operations at the reader's URL, and explains if that host rejects browsers", async () => {
  const { page, go, complaints, close } = await site.visit(`${site.elsewhere}events/`, 'desktop');
  await page.keyboard.press('/');
  await page.getByRole('combobox').fill('list products');
  await page.locator('[role=option]').first().waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`${site.elsewhere}reference/products/#listProducts`);
  const tryOut = async (operation: string) => {
    const section = page.locator(`#${operation}`);
    await section.getByText('Try it').click();
    await section.getByLabel('Address of the service').fill(site.origin);
    await section.getByLabel('API key').fill(site.journey.runtime.demo.us?.publishableKey ?? '');
    await section.getByRole('button', { name: 'Send' }).click();
    return () => section.getByRole('status').getByRole('paragraph').textContent();
  };
  const products = await tryOut('listProducts');
  await soon(async () => expect(await products()).toBe('200 OK'));
  expect(complaints).toEqual([]);
  await go(`${site.elsewhere}reference/orders/`);
  const orders = await tryOut('listOrders');
  await soon(async () => expect(await orders()).toContain('as curl'));
  await close();
});

test('without JavaScript all content is readable, and controls that need it are hidden', async () => {
  const context = await site.browser.newContext({ javaScriptEnabled: false, viewport: widths.desktop });
  const page = await context.newPage();
  await page.goto(`${site.elsewhere}reference/expenses/`);
  const operation = page.locator('#createExpense');
  await soon(async () => expect(await operation.getByText('invalid_idempotency_key', { exact: true }).isVisible()).toBe(true));
  await soon(async () =>
    expect(await page.getByRole('navigation', { name: 'Reference' }).getByRole('link', { name: 'Webhooks' }).isVisible()).toBe(true),
  );
  await operation.getByRole('radio', { name: 'TypeScript' }).check();
  await soon(async () => expect(await operation.locator('pre.ts').getByText('client.expenses.create').isVisible()).toBe(true));
  await soon(async () => expect(await operation.locator('pre.bash').isVisible()).toBe(false));
  await soon(async () => expect(await operation.getByText('Try it').isVisible()).toBe(false));
  await soon(async () => expect(await page.getByRole('button', { name: 'Search' }).isVisible()).toBe(false));
  await context.close();
});

test('the page of an unknown address has a search field, which opens the first result with Enter', async () => {
  const { page, violations, close } = await site.visit('nothing/here/', 'phone');
  const field = page.getByRole('main').getByRole('combobox', { name: 'Search guides, operations and events' });
  await field.fill('rotate secret');
  await page.locator('[role=option][aria-selected=true]').waitFor();
  expect(await violations()).toEqual([]);
  await field.press('Enter');
  await page.waitForURL(`${site.origin}/docs/webhooks/#rotate-the-secret`);
  await close();
});

test('the list of events is grouped, and only the group of the page is open', async () => {
  const { page, close } = await site.visit('events/payment.failed/', 'desktop');
  const events = page.getByRole('navigation', { name: 'Reference' });
  await soon(async () => expect(await events.getByRole('link', { name: 'payment.failed' }).isVisible()).toBe(true));
  await soon(async () => expect(await events.getByRole('link', { name: 'order.created' }).isVisible()).toBe(false));
  await events.getByText('Order events').press('Enter');
  await events.getByRole('link', { name: 'order.created' }).click();
  await page.getByRole('heading', { level: 1, name: 'order.created' }).waitFor();
  await close();
});

test('the form to try an operation names the required field that is empty, and sends nothing', async () => {
  const { page, addresses, close } = await site.visit('reference/orders/', 'desktop');
  const section = page.locator('#listOrders');
  await section.locator('.try > summary').click();
  await section.getByLabel('API key').fill('');
  await section.getByRole('button', { name: 'Send' }).click();
  await soon(async () => expect(await section.getByRole('status').textContent()).toBe('Enter a value: API key.'));
  await soon(async () => expect(await page.evaluate(focused('name'))).toBe('key'));
  expect(addresses.filter((address) => address.includes('/api/v2/'))).toEqual([]);
  await close();
});
