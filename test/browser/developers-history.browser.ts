import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually, type Merchant } from '../support/journey.ts';
import { shared } from '../support/shared.ts';
import { soon } from './browser.ts';
import { type DeveloperVisitor, startDevelopers } from './developers.ts';

const developers = shared(startDevelopers);

describe('history', () => {
  let merchant: Merchant;
  let visitor: DeveloperVisitor;
  let url: string;
  /** Addresses of what can be open. */
  let items: Readonly<Record<'deliveries' | 'webhooks' | 'endpoint' | 'requests', string>>;
  beforeEach(async () => {
    merchant = await developers.journey.merchant();
    url = developers.journey.receiver.hook().url;
    const { id } = await merchant.act('webhook.create', { url, events: ['expense.created'] });
    const { headers } = await merchant.call('POST', '/expenses', { amount: 4, date: '2026-11-01', category: 'ingredients' });
    const [{ id: event }] = await eventually(
      async () => (await merchant.act('delivery.list', { endpoint_id: id })).data as any[],
      ([one]) => one?.status === 'delivered',
    );
    const request = encodeURIComponent(String(headers['x-request-id']));
    items = {
      deliveries: `#deliveries/${id}/${event}`,
      webhooks: `#webhooks/${id}`,
      endpoint: `#webhooks/${id}/${event}`,
      requests: `#requests/${request}`,
    };
  });
  afterEach(async () => {
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });
  const start = async (view: string) => {
    visitor = await developers.open(merchant, 'desktop', view);
  };
  const hash = () => new URL(visitor.page.url()).hash;
  const isAt = (expected: string) => soon(async () => expect(hash()).toBe(expected));
  const sheet = () => visitor.page.getByRole('dialog');
  const shows = async (expected: string, heading: string) => {
    await isAt(expected);
    await visitor.page.getByRole('heading', { name: heading, exact: true }).waitFor();
    await sheet().waitFor({ state: 'detached' });
  };
  const openRow = (name: string | RegExp) => visitor.page.getByRole('rowheader').getByRole('button', { name }).click();
  const close = {
    Escape: () => visitor.page.keyboard.press('Escape'),
    Close: () => sheet().getByRole('button', { name: 'Close' }).click(),
    Back: () => visitor.page.goBack(),
  };

  test.each([
    ['a delivery', 'Deliveries', 'deliveries', /expense/, 'Escape'],
    ['a delivery', 'Deliveries', 'deliveries', /expense/, 'Close'],
    ['a delivery', 'Deliveries', 'deliveries', /expense/, 'Back'],
    ['a request', 'Requests', 'requests', /POST/, 'Escape'],
    ['a request', 'Requests', 'requests', /POST/, 'Back'],
  ] as const)(
    'once %s of the tab %s is closed, Back returns to the tab before (#%s, %s, closed by %s)',
    async (_item, tab, view, row, how) => {
      await start('keys');
      const { page } = visitor;
      await page.getByRole('tab', { name: tab }).click();
      await openRow(row);
      await sheet().waitFor();
      await isAt(items[view]);
      // The list stays as it is, with its loaded rows.
      await page.evaluate("document.querySelector('tbody tr').classList.add('first-seen')");
      await close[how]();
      await shows(`#${view}`, tab);
      await page.locator('tr.first-seen').waitFor();
      await page.goBack();
      await shows('#keys', 'API keys');
      await page.goForward();
      await page.goForward();
      if (how === 'Back') await sheet().waitFor();
      await isAt(items[view]);
    },
  );

  test.each(['Escape', 'Back'] as const)(
    'once a delivery of an endpoint is closed by %s, Back returns to the endpoints, also after a reload',
    async (how) => {
      await start('webhooks');
      const { page } = visitor;
      await openRow(url);
      await openRow('expense.created');
      await sheet().waitFor();
      await isAt(items.endpoint);
      await page.reload();
      await sheet().waitFor();
      await close[how]();
      await shows(items.webhooks, url);
      await page.goBack();
      await shows('#webhooks', 'Webhooks');
    },
  );

  test.each(['deliveries', 'endpoint', 'requests'] as const)(
    'a shared link to %s opens it, and Back leaves the page once it is closed',
    async (item) => {
      await start(items[item].slice(1));
      const { page } = visitor;
      await sheet().getByRole('heading', { level: 3 }).waitFor();
      await close.Escape();
      await isAt(item === 'endpoint' ? items.webhooks : `#${item}`);
      await sheet().waitFor({ state: 'detached' });
      await page.goBack();
      expect(page.url()).toBe('about:blank');
      await page.goForward();
      await sheet().waitFor({ state: 'detached' });
    },
  );

  test('Back returns from a link to the page that has it: an open delivery, an endpoint', async () => {
    await start('deliveries');
    const { page } = visitor;
    for (const link of ['All its events', 'Show endpoint', 'Requests at that time']) {
      await openRow('expense.created');
      await sheet().getByRole('button', { name: link }).click();
      await sheet().waitFor({ state: 'detached' });
      await page.goBack();
      await sheet().getByRole('button', { name: link }).waitFor();
      await isAt(items.deliveries);
      await close.Escape();
      await shows('#deliveries', 'Deliveries');
    }
    await page.getByRole('tab', { name: 'Webhooks' }).click();
    await openRow(url);
    await page.getByRole('tabpanel').getByRole('button', { name: 'Webhooks', exact: true }).click();
    await shows('#webhooks', 'Webhooks');
    await page.goBack();
    await shows(items.webhooks, url);
  });

  test('a tab that is chosen twice is one step of Back, and so is a list with changed filters', async () => {
    await start('keys');
    const { page } = visitor;
    const tab = page.getByRole('tab', { name: 'Deliveries' });
    await tab.click();
    await tab.click();
    await page.getByRole('combobox', { name: 'Status' }).selectOption({ label: 'Delivered' });
    await openRow('expense.created');
    await isAt(`${items.deliveries}?status=delivered`);
    await close.Escape();
    await shows('#deliveries?status=delivered', 'Deliveries');
    await page.goBack();
    await shows('#keys', 'API keys');
  });

  test('another account opens nothing of the account before, to which Back returns', async () => {
    const other = await developers.journey.merchant();
    await start(items.webhooks.slice(1));
    await visitor.page.getByLabel('Account').selectOption(other.account);
    await visitor.page.getByRole('heading', { name: 'No endpoints yet' }).waitFor();
    await isAt('#webhooks');
    await visitor.page.goBack();
    await shows(items.webhooks, url);
  });

  test('Back does not return to an endpoint that was deleted', async () => {
    await start('keys');
    const { page } = visitor;
    await page.getByRole('tab', { name: 'Webhooks' }).click();
    await openRow(url);
    await visitor.choose(`Actions for ${url}`, 'Delete');
    await page.getByRole('button', { name: 'Delete endpoint' }).click();
    await page.getByRole('heading', { name: 'No endpoints yet' }).waitFor();
    await isAt('#webhooks');
    await page.goBack();
    await shows('#keys', 'API keys');
  });
});
