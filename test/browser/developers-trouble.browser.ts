import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually, type Merchant } from '../support/journey.ts';
import { shared } from '../support/shared.ts';
import { soon } from './browser.ts';
import { type DeveloperVisitor, focused, startDevelopers } from './developers.ts';

const developers = shared(startDevelopers);

const markup = '<img src=x onerror="window.ran=true"><b>bold</b>';
const actions = '**/developers/actions';

describe('trouble', () => {
  let merchant: Merchant;
  let visitor: DeveloperVisitor;
  beforeEach(async () => {
    merchant = await developers.journey.merchant();
  });
  afterEach(async () => {
    await visitor.close();
  });
  const spend = (description: string) =>
    merchant.call('POST', '/expenses', { amount: 4, date: '2026-11-01', category: 'ingredients', description });
  const register = async (description = 'Till') => {
    const { url } = developers.journey.receiver.hook();
    return merchant.act('webhook.create', { url, events: ['expense.created'], description });
  };
  const rows = () => visitor.page.getByRole('rowheader');
  const rejectActions = () =>
    visitor.page.route(actions, (route) =>
      route.fulfill({ json: { ok: false, body: { error: { message: 'Not today.', code: 'conflict' } } } }),
    );

  test('a value that is shown once stays until Done is pressed; neither Escape nor Back closes it', async () => {
    visitor = await developers.open(merchant, 'desktop', 'webhooks');
    const { page } = visitor;
    await page.getByRole('tab', { name: 'API keys' }).click();
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Kept');
    await page.keyboard.press('Enter');
    const value = page.getByRole('textbox', { name: 'Key “Kept”' });
    await value.waitFor();
    for (let presses = 0; presses < 4; presses++) await page.keyboard.press('Escape');
    await page.goBack();
    await soon(async () => expect([await value.isVisible(), await focused(page)]).toEqual([true, 'Copy']));
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor();
    await soon(async () => expect(await page.getByRole('dialog').count()).toBe(0));
  });

  test('long words do not overflow the window or a dialog', async () => {
    const { url } = developers.journey.receiver.hook();
    await merchant.act('webhook.create', { url: `${url}/${'a'.repeat(300)}`, events: ['expense.created'], description: 'd'.repeat(500) });
    visitor = await developers.open(merchant, 'desktop', 'webhooks');
    const { page, look } = visitor;
    await page.getByText('d'.repeat(500)).waitFor();
    await look('developers/trouble-webhook');
    await page.getByRole('tab', { name: 'API keys' }).click();
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('W'.repeat(100));
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    await look('developers/trouble-key');
    expect(await page.evaluate("(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('dialog'))")).toBe(0);
  });

  test('a delivery shows two lines of a long endpoint URL and copies the whole', async () => {
    const url = `${developers.journey.receiver.hook().url}/${'long-name/'.repeat(40)}end`;
    await merchant.act('webhook.create', { url, events: ['expense.created'], description: 'Till' });
    await spend('Yeast');
    visitor = await developers.open(merchant, 'phone', 'deliveries');
    const { page, look } = visitor;
    await page.getByRole('rowheader').getByRole('button').click();
    const code = page.getByRole('dialog').getByTitle(url, { exact: true });
    await code.waitFor();
    expect((await code.boundingBox())?.height).toBeLessThan(50);
    await look('developers/trouble-delivery');
    await page.getByRole('button', { name: 'Copy endpoint url' }).click();
    await page.getByRole('dialog').getByText('Endpoint URL copied.').waitFor();
    await soon(async () => expect(await page.evaluate('navigator.clipboard.readText()')).toBe(url));
  });

  test('an address of a delivery that does not exist says so and offers no repetition', async () => {
    const { id } = await register();
    visitor = await developers.open(merchant, 'desktop', `deliveries/${id}/evt_unknown`);
    const sheet = visitor.page.getByRole('dialog', { name: 'Delivery' });
    await sheet.getByText('There is no delivery of the event evt_unknown here.').waitFor();
    await soon(async () => expect(await sheet.getByRole('button').allTextContents()).toEqual(['']));
  });

  test('HTML in a value is shown as text', async () => {
    await register(markup);
    await spend(markup);
    visitor = await developers.open(merchant, 'desktop', 'webhooks');
    const { page } = visitor;
    await page.getByText(markup).waitFor();
    await page.getByRole('tab', { name: 'Deliveries' }).click();
    await rows().first().getByRole('button').click();
    await page.getByText(JSON.stringify(markup)).waitFor();
    expect([await page.evaluate('window.ran'), visitor.complaints]).toEqual([undefined, []]);
  });

  test('a failed refresh shows an error and keeps the content', async () => {
    await register();
    await spend('Yeast');
    visitor = await developers.open(merchant, 'desktop', 'deliveries');
    const { page } = visitor;
    await rows().first().waitFor();
    await rejectActions();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('alert').first().waitFor();
    await soon(async () => expect([await rows().count(), await focused(page)]).toEqual([1, 'Refresh']));
    await page.unroute(actions);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('alert').first().waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Webhooks' }).click();
    const row = page.getByRole('button', { name: /^Actions for/ });
    await row.waitFor();
    await rejectActions();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('alert').waitFor();
    await soon(async () => expect(await row.count()).toBe(1));
  });

  test('a list says that it is not live while the service is down, and lives on afterwards', async () => {
    await register();
    visitor = await developers.open(merchant, 'desktop', 'deliveries');
    const { page } = visitor;
    await page.getByText('No deliveries yet').waitFor();
    await page.route(actions, (route) => route.abort());
    await page.getByText('Not live · times in UTC').waitFor();
    await page.getByRole('alert').getByText('The service does not answer.').waitFor();
    await page.unroute(actions);
    await page.getByText(/^Live · times in UTC/).waitFor();
  });

  test('rows that load after a refresh appear once', async () => {
    const { id } = await register();
    const other = await register();
    for (let i = 0; i < 65; i++) await spend(`Number ${i}`);
    for (const endpoint_id of [id, other.id])
      await eventually(
        async () => (await merchant.act('delivery.list', { endpoint_id, limit: 100 })).data as unknown[],
        (all) => all.length === 65,
      );
    visitor = await developers.open(merchant, 'desktop', 'deliveries');
    const { page } = visitor;
    // Short pages, so that more rows need a call, which the test delays.
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let holding = false;
    await page.route(actions, async (route) => {
      const call = route.request().postDataJSON();
      if (call.action === 'delivery.list') call.input.limit = 20;
      if (holding && call.input.cursor) await released;
      await route.continue({ postData: JSON.stringify(call) });
    });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await rows().nth(49).waitFor();
    await page.waitForLoadState('networkidle');
    holding = true;
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByRole('button', { name: 'Loading…' }).waitFor();
    const refreshed = page.waitForResponse(
      (response) => response.url().endsWith('/developers/actions') && !response.request().postData()?.includes('cursor'),
    );
    await page.getByRole('button', { name: 'Refresh' }).click();
    await refreshed;
    release();
    await page.getByRole('button', { name: 'Load more' }).waitFor();
    await page.waitForLoadState('networkidle');
    await soon(async () => expect(await rows().count()).toBe(50));
  });
});
