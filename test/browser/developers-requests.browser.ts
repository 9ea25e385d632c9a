import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Merchant } from '../support/journey.ts';
import { shared } from '../support/shared.ts';
import { bothWidths, soon } from './browser.ts';
import { type DeveloperVisitor, focused, startDevelopers } from './developers.ts';

const developers = shared(startDevelopers);

describe('requests', () => {
  let merchant: Merchant;
  let visitor: DeveloperVisitor;
  beforeEach(async () => {
    merchant = await developers.journey.merchant();
  });
  afterEach(async () => {
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  test('an empty list says that there are no requests and which period it searched', async () => {
    visitor = await developers.open(merchant, 'desktop', 'requests');
    await visitor.page.getByRole('heading', { name: 'No requests' }).waitFor();
    await visitor.page.getByText('Searched up to').waitFor();
    await visitor.look('developers/requests-none');
  });

  test('a rejected request can be found by status and by id, and the URL keeps the filters', async () => {
    await merchant.call('GET', '/expenses');
    await merchant.call('POST', '/expenses', { amount: 'much' });
    const { headers } = await merchant.call('GET', '/customers/cus_unknown');
    visitor = await developers.open(merchant, 'desktop', 'requests');
    const { page, look } = visitor;
    const rows = page.locator('tbody tr');
    await rows.nth(2).waitFor();
    await soon(async () => expect(await rows.first().textContent()).toContain('GET /api/v2/customers/{id}'));
    await look('developers/requests');

    await page.getByLabel('Status').selectOption('400 Bad request');
    const only = () => page.locator('tbody tr:only-child').waitFor();
    await only();
    await soon(async () =>
      expect(await rows.allTextContents()).toEqual([expect.stringMatching(/POST \/api\/v2\/expenses.*invalid_value: amount.*journey/)]),
    );
    await page.reload();
    await only();

    await page.getByLabel('Status').selectOption('Any status');
    await rows.nth(2).waitFor();
    await page.getByLabel('Request id').fill(String(headers['x-request-id']));
    await page.keyboard.press('Enter');
    await only();
    await soon(async () => expect(await rows.first().textContent()).toContain('404 Not found'));
  });

  test("the browser's Back button returns to the tab before, and Forward to the last filter", async () => {
    visitor = await developers.open(merchant, 'desktop', 'keys');
    const { page } = visitor;
    await page.getByRole('tab', { name: 'Requests' }).click();
    await page.getByLabel('Status').selectOption('400 Bad request');
    await page.getByLabel('Status').selectOption('404 Not found');
    await page.goBack();
    await page.getByRole('heading', { name: 'API keys', exact: true }).waitFor();
    await page.goForward();
    await page.getByRole('heading', { name: 'Requests', exact: true }).waitFor();
    await soon(async () => expect(await page.getByLabel('Status').inputValue()).toBe('404'));
  });

  test.each(bothWidths)('the field Since is wide enough for a date and a time at %s width', async (width) => {
    visitor = await developers.open(merchant, width, 'requests');
    const lacking = `(() => {
      const input = document.querySelector('.period input');
      const has = input.offsetWidth;
      input.style.width = 'max-content';
      return input.offsetWidth - has;
    })()`;
    expect(await visitor.page.evaluate(lacking)).toBeLessThanOrEqual(0);
  });

  test('a request opens with the keyboard and shows its error, key, id and remedy; the focus returns to its row', async () => {
    const { headers } = await merchant.call('GET', '/customers/cus_unknown');
    visitor = await developers.open(merchant, 'phone', 'requests');
    const { page, look, tabTo } = visitor;
    await page.getByRole('rowheader').waitFor();
    await soon(async () => expect(await page.getByRole('row').last().textContent()).not.toContain(headers['x-request-id']));
    await tabTo('GET /api/v2/customers/{id}');
    await page.keyboard.press('Enter');
    const sheet = page.getByRole('dialog', { name: 'GET /api/v2/customers/{id}' });
    const facts = async () => (await sheet.getByRole('definition').allTextContents()).join(' | ');
    await soon(async () => expect(await facts()).toMatch(/404 Not found \| not_found \| .* \| [\d,]+ ms \| journey \| /));
    await soon(async () => expect(await facts()).toContain(headers['x-request-id']));
    await sheet.getByRole('region', { name: 'What to do' }).getByText('Check the id, the key and the path.').waitFor();
    await look('developers/request');
    await sheet.getByRole('button', { name: 'Copy request id' }).click();
    await sheet.getByText('Request id copied.').waitFor();
    await soon(async () => expect(await page.evaluate('navigator.clipboard.readText()')).toBe(headers['x-request-id']));
    await sheet.getByRole('link', { name: 'All error codes' }).click();
    await page.getByRole('heading', { level: 1, name: 'Errors' }).waitFor();
    // The address names the open request.
    await page.goBack();
    await sheet.waitFor();
    await soon(async () => expect(page.url()).toContain(`#requests/${encodeURIComponent(String(headers['x-request-id']))}`));
    await page.keyboard.press('Escape');
    await page.getByRole('rowheader').getByRole('button').press('Enter');
    await sheet.waitFor();
    await page.keyboard.press('Escape');
    await soon(async () => expect(await focused(page)).toBe('GET /api/v2/customers/{id}'));
  });

  test('a request leads to the deliveries of its time, and a delivery to its endpoint, its record and the requests of its time', async () => {
    const { url } = developers.journey.receiver.hook();
    const { id: endpoint } = await merchant.act('webhook.create', { url, events: ['expense.created'] });
    const { body } = await merchant.call('POST', '/expenses', { amount: 4, date: '2026-11-01', category: 'ingredients' });
    visitor = await developers.open(merchant, 'desktop', 'requests');
    const { page } = visitor;
    const sheet = page.getByRole('dialog');
    const open = (name: string) => page.getByRole('rowheader').getByRole('button', { name }).click();
    const filters = () => [...new URLSearchParams(page.url().split('?').at(-1))].map(([name]) => name);
    await open('POST /api/v2/expenses');
    await sheet.getByRole('button', { name: 'Deliveries at that time' }).click();
    await soon(async () => expect(await focused(page)).toBe('Deliveries'));
    await open('expense.created');
    expect(filters()).toEqual(['since', 'until']);
    await sheet.getByRole('button', { name: 'Requests at that time' }).click();
    await page.getByRole('rowheader', { name: 'POST /api/v2/expenses' }).waitFor();
    expect(filters()).toEqual(['since', 'until']);
    await page.getByLabel('Since').fill('2020-01-01T00:00');
    await page.getByLabel('Until').fill('2020-01-02T00:00');
    await page.getByRole('heading', { name: 'No requests' }).waitFor();
    await page.getByRole('tab', { name: 'Deliveries' }).click();
    await open('expense.created');
    await sheet.getByRole('button', { name: 'All its events' }).click();
    await page.getByRole('rowheader', { name: 'expense.created' }).waitFor();
    await soon(async () => expect(await page.getByLabel('Event or record id').inputValue()).toBe(body.id));
    await open('expense.created');
    await sheet.getByRole('button', { name: 'Show endpoint' }).click();
    await soon(async () => expect([new URL(page.url()).hash, await focused(page)]).toEqual([`#webhooks/${endpoint}`, url]));
  });

  test('a filter of the address that no list offers is shown and can be cleared', async () => {
    await merchant.call('GET', '/expenses');
    visitor = await developers.open(merchant, 'desktop', 'requests?status=418&key=key_gone');
    const { page } = visitor;
    await page.getByRole('heading', { name: 'No requests' }).waitFor();
    const values = () => Promise.all(['Status', 'Key'].map((label) => page.getByRole('combobox', { name: label }).inputValue()));
    await soon(async () => expect(await values()).toEqual(['418', 'key_gone']));
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('rowheader').waitFor();
    await soon(async () => expect(await values()).toEqual(['', '']));
  });
});
