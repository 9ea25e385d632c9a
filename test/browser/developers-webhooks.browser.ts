import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { startListener } from '../ops/listener.ts';
import { eventually, type Merchant } from '../support/journey.ts';
import type { Hook } from '../support/receiver.ts';
import { shared } from '../support/shared.ts';
import { soon } from './browser.ts';
import { type DeveloperVisitor, focused, startDevelopers } from './developers.ts';

const developers = shared(startDevelopers);

describe('webhooks', () => {
  let merchant: Merchant;
  let visitor: DeveloperVisitor;
  let hook: Hook;
  beforeEach(async () => {
    merchant = await developers.journey.merchant();
    hook = developers.journey.receiver.hook();
  });
  afterEach(async () => {
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  const register = (url = hook.url) => merchant.act('webhook.create', { url, events: ['expense.created'], description: 'Till' });
  const spend = (description: string) =>
    merchant.call('POST', '/expenses', { amount: 4, date: '2026-11-01', category: 'ingredients', description });
  const endpoints = async () => (await merchant.act('webhook.list')).data as any[];
  const log = async (id: string) => (await merchant.act('delivery.list', { endpoint_id: id })).data as any[];
  const row = () => visitor.page.getByRole('row').filter({ has: visitor.page.getByRole('button', { name: hook.url, exact: true }) });
  const choose = (item: string) => visitor.choose(`Actions for ${hook.url}`, item);
  const rows = () => visitor.page.getByRole('rowheader');

  test('a merchant can add, edit and delete an endpoint', async () => {
    visitor = await developers.open(merchant, 'phone', 'webhooks');
    const { page, look } = visitor;
    await page.getByText('No endpoints yet').waitFor();
    // The service does not run on the port that the command assumes.
    await page.getByText(`npm run --silent ops -- listen --port ${developers.journey.runtime.port}`).waitFor();
    await look('developers/webhooks-none');
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill('ftp://example.com');
    await dialog.getByRole('checkbox', { name: 'order.created' }).check();
    await dialog.getByRole('button', { name: 'Add endpoint' }).click();
    await dialog.getByRole('alert').waitFor();
    await look('developers/webhooks-add');
    await dialog.getByLabel('URL').fill(hook.url);
    await dialog.getByRole('button', { name: 'Add endpoint' }).click();
    await soon(async () => expect(await page.getByRole('textbox', { name: 'Signing secret' }).inputValue()).toMatch(/^whsec_/));
    await page.getByRole('button', { name: 'Done' }).click();
    await choose('Edit');
    await dialog.getByLabel('Description').fill('Kitchen');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row().getByText('Kitchen').waitFor();
    expect(await endpoints()).toEqual([expect.objectContaining({ url: hook.url, description: 'Kitchen', events: ['order.created'] })]);
    await choose('Delete');
    await page.getByRole('button', { name: 'Delete endpoint' }).click();
    await page.getByText('No endpoints yet').waitFor();
    expect(await endpoints()).toEqual([]);
  });

  test('a merchant can send a test event and sees its result', async () => {
    await register();
    visitor = await developers.open(merchant, 'desktop', 'webhooks');
    await choose('Send test');
    await row().getByText('Test delivered').waitFor();
    await soon(async () => expect(await row().getByRole('status').textContent()).toContain('Status 200'));
    hook.respondWith(503);
    await choose('Send test');
    await row().getByText('Test failed').waitFor();
    await soon(async () => expect(await row().getByRole('status').textContent()).toContain('Status 503'));
    // A test is no delivery, so there is nothing to draw yet.
    await soon(async () => expect(await visitor.page.getByRole('figure').count()).toBe(0));
    await visitor.look('developers/webhooks-tested');
    expect(hook.requests).toHaveLength(2);
  });

  test('the endpoint of a running ops listen is marked as temporary', async () => {
    await register();
    const listener = await startListener(developers.journey.runtime.port, '--region', 'us', '--account', merchant.account);
    visitor = await developers.open(merchant, 'desktop', 'webhooks');
    const { page, look } = visitor;
    const temporary = page.getByRole('row').filter({ hasText: 'Temporary until ops listen ends' });
    await temporary.waitFor();
    await soon(async () => expect(await row().getByText('Temporary').count()).toBe(0));
    await look('developers/webhooks-listening');
    await listener.stop();
  });

  test('a rotated secret is shown once with the expiry of the old one, and is then in no URL, log or page', async () => {
    const { secret: old } = await register();
    visitor = await developers.open(merchant, 'desktop', 'webhooks');
    const { page, look, addresses } = visitor;
    await choose('Rotate secret');
    await page.getByRole('dialog').waitFor();
    await look('developers/webhooks-rotate');
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
    const secret = await soon(() => page.getByRole('textbox', { name: 'Signing secret' }).inputValue());
    expect([secret === old, secret.slice(0, 6)]).toEqual([false, 'whsec_']);
    await page
      .getByRole('dialog')
      .getByText(/previous one/)
      .waitFor();
    await look('developers/webhooks-rotated');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.reload();
    await row().waitFor();
    expect(await page.content()).not.toContain(secret);
    expect(addresses.join()).not.toContain(secret);
    expect(developers.lines.join()).not.toContain(secret);
  });

  test('a merchant sees from the fifth failure in a row that the endpoint will be disabled, and its delivery', async () => {
    await register();
    hook.respondWith(503);
    await spend('Yeast'); // five attempts
    await eventually(endpoints, ([endpoint]) => endpoint.delivery_stats.consecutive_failures === 5);
    visitor = await developers.open(merchant, 'desktop', 'webhooks');
    const { page, look } = visitor;
    const banner = page.getByRole('region', { name: `${hook.url} is failing` });
    await banner.getByText('It failed 5 times in a row. At 10 it is disabled').waitFor();
    await look('developers/webhooks-failing');
    await banner.getByRole('button', { name: 'Show deliveries' }).click();
    await rows().waitFor();
    await look('developers/endpoint-failing');
  });

  test('an endpoint has a page with an address, which shows its settings and deliveries and can test, edit and delete it', async () => {
    const { id } = await register();
    await register(developers.journey.receiver.hook().url);
    await spend('Yeast');
    const [{ id: event }] = await eventually(
      () => log(id),
      ([one]) => one?.status === 'delivered',
    );
    visitor = await developers.open(merchant, 'desktop', 'webhooks');
    const { page, look } = visitor;
    const hash = () => new URL(page.url()).hash;
    await row().getByRole('cell', { name: 'Till' }).click();
    await rows().waitFor();
    await soon(async () => expect([hash(), await focused(page)]).toEqual([`#webhooks/${id}`, hook.url]));
    const settings = page.getByRole('region', { name: 'Settings' });
    await soon(async () =>
      expect((await settings.getByRole('definition').allTextContents()).join(' | ')).toMatch(
        new RegExp(`${id} \\| Till \\| 100% in the last 24 hours \\| .* ago \\| None yet \\| .* ago \\| expense.created$`),
      ),
    );
    await page.getByRole('figure').getByText('Delivered 1').waitFor();
    const hours = page.getByRole('slider', { name: 'Deliveries by hour' });
    const chosen = (words: RegExp) => soon(async () => expect(await hours.getAttribute('aria-valuetext')).toMatch(words));
    await hours.focus();
    await chosen(/: 1 delivered, 0 retried, 0 failed$/);
    await look('developers/endpoint');
    await page.keyboard.press('ArrowLeft');
    await chosen(/: 0 delivered, 0 retried, 0 failed$/);
    await page.getByRole('figure').getByText('Delivered 0').waitFor();
    await hours.blur();
    const { width = 0 } = (await hours.boundingBox()) ?? {};
    await hours.hover({ position: { x: 5, y: 20 } });
    await page.getByRole('figure').getByText('Delivered 0').waitFor();
    await hours.hover({ position: { x: width - 5, y: 20 } });
    await page.getByRole('figure').getByText('Delivered 1').waitFor();
    await page.goBack();
    await rows().nth(1).waitFor();
    await page.goForward();
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('Test delivered').waitFor();

    await rows().getByRole('button').click();
    const sheet = page.getByRole('dialog', { name: 'expense.created' });
    await sheet.getByText('"description": "Yeast"').waitFor();
    expect(hash()).toBe(`#webhooks/${id}/${event}`);
    await page.reload();
    await sheet.waitFor();
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await page.getByRole('combobox', { name: 'Status' }).selectOption({ label: 'Failed' });
    await page.getByText('No deliveries').waitFor();
    expect(hash()).toBe(`#webhooks/${id}?status=failed`);

    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('dialog').getByLabel('Description').fill('Kitchen');
    await page.getByRole('button', { name: 'Save' }).click();
    await settings.getByText('Kitchen').waitFor();
    await choose('Delete');
    await page.getByRole('button', { name: 'Delete endpoint' }).click();
    await rows().waitFor();
    expect(hash()).toBe('#webhooks');
    await page.goto(page.url().replace('#webhooks', `#webhooks/${id}`));
    await page.reload();
    await page.getByRole('heading', { name: 'No such endpoint' }).waitFor();
    await page.getByRole('button', { name: 'Show webhooks' }).click();
    await rows().waitFor();
  });

  test('a merchant can enable a disabled endpoint, redeliver one event, and then redeliver all others that failed', async () => {
    const { id } = await register();
    const responseText = '<script>window.ran = true</script><b>Out of flour</b>';
    hook.respondWith({ status: 503, headers: { 'content-type': 'text/html' }, body: responseText });
    await spend('Yeast');
    await spend('Flour');
    await eventually(endpoints, ([endpoint]) => !endpoint.enabled);
    await eventually(
      () => log(id),
      (all) => all.length === 2 && all.every(({ status }) => status === 'failed'),
    );
    hook.respondWith(200);
    const failedRequests = hook.requests.length;

    visitor = await developers.open(merchant, 'desktop', 'webhooks');
    const { page, look } = visitor;
    await row().getByText('Disabled after failures').waitFor();
    await look('developers/webhooks-disabled');
    await page.getByRole('button', { name: 'Enable', exact: true }).click();
    await page.getByRole('region', { name: `${hook.url} was disabled` }).waitFor({ state: 'detached' });
    await row().getByRole('button', { name: hook.url, exact: true }).click();

    await page.getByRole('combobox', { name: 'Status' }).selectOption({ label: 'Failed' });
    await rows().nth(1).waitFor();
    // Failed deliveries name their records too, in the list and in full.
    const recordId = await page.evaluate('[...document.querySelectorAll("td[data-label=Record]")].at(-1).title');
    expect(recordId).toMatch(/^exp_/);
    await look('developers/deliveries-failed');
    await page.getByRole('combobox', { name: 'Event type' }).selectOption('order.created');
    await page.getByText('No deliveries').waitFor();
    await look('developers/deliveries-none');
    await page.getByRole('combobox', { name: 'Event type' }).selectOption('expense.created');
    await page.getByLabel('Since').fill('2099-01-01T00:00');
    await page.getByText('No deliveries').waitFor();
    await page.getByLabel('Since').fill('2020-01-01T00:00');
    await rows().nth(1).waitFor();

    await rows().nth(1).getByRole('button').click();
    const sheet = page.getByRole('dialog');
    await sheet.getByText('"description": "Yeast"').waitFor();
    await sheet.getByRole('definition').getByText(String(recordId), { exact: true }).waitFor();
    await soon(async () => expect(await sheet.getByRole('row').filter({ hasText: '503' }).count()).toBeGreaterThan(0));
    // The endpoint's response is shown as plain text.
    await soon(async () => expect(await sheet.getByRole('region', { name: 'Response to attempt 5' }).textContent()).toBe(responseText));
    await sheet.getByText('(text/html)').waitFor();
    expect(await page.evaluate('window.ran')).toBeUndefined();
    await look('developers/delivery-failed');
    // An earlier attempt can be chosen; its headers are those that the receiver got.
    await sheet.getByRole('button', { name: 'Attempt 2' }).click();
    const attempt = sheet.getByRole('region', { name: 'Attempt 2' });
    const [, second] = hook.requests.filter(({ body }) => body.includes('Yeast'));
    const { 'x-webhook-id': eventId, 'x-webhook-timestamp': seconds } = second?.headers ?? {};
    await attempt.getByText(`t=${seconds},v1=…`).waitFor();
    await soon(async () =>
      expect(await attempt.getByRole('definition').allTextContents()).toEqual(expect.arrayContaining([eventId, seconds])),
    );
    await soon(async () => expect(await attempt.getByRole('heading', { name: /^Response/ }).count()).toBe(0));
    await look('developers/delivery-attempt');
    await sheet.getByRole('button', { name: 'Redeliver' }).click();
    await sheet.getByText('Delivered', { exact: true }).waitFor();
    expect(hook.requests).toHaveLength(failedRequests + 1);
    // The attempts before the redelivery are listed under their own run.
    await sheet.getByRole('columnheader', { name: 'Run' }).waitFor();
    await soon(async () => expect(await sheet.getByRole('row').filter({ hasText: '503' }).count()).toBe(5));
    await soon(async () => expect(await sheet.getByRole('row').last().getByRole('cell').first().textContent()).toBe('2'));
    await soon(async () => expect(await sheet.getByRole('heading', { name: /^Response/ }).count()).toBe(0));
    await look('developers/delivery-redelivered');
    await page.keyboard.press('Escape');
    await rows().nth(1).waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Redeliver failed…' }).click();
    await sheet.waitFor();
    await look('developers/redeliver-failed');
    // The previous delivery's message is not shown for this one.
    await soon(async () => expect(await sheet.getByRole('status').textContent()).toBe(''));
    await sheet.getByRole('button', { name: 'Redeliver' }).click();
    await page.getByText('1 delivery is under way again.').waitFor();
    await eventually(
      () => log(id),
      (all) => all.every(({ status }) => status === 'delivered'),
    );
    expect(hook.requests).toHaveLength(failedRequests + 2);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('No deliveries').waitFor();
  });
});
