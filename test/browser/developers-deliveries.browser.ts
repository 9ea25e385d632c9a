import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Request } from 'playwright-core';
import { eventually, type Merchant } from '../support/journey.ts';
import { shared } from '../support/shared.ts';
import { bothWidths, soon } from './browser.ts';
import { type DeveloperVisitor, focused, startDevelopers } from './developers.ts';

const developers = shared(startDevelopers);

describe('deliveries', () => {
  let merchant: Merchant;
  let visitor: DeveloperVisitor;
  beforeEach(async () => {
    merchant = await developers.journey.merchant();
  });
  afterEach(async () => {
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });
  const spend = async (): Promise<string> =>
    (await merchant.call('POST', '/expenses', { amount: 4, date: '2026-11-01', category: 'ingredients' })).body.id;
  const register = async (status = 200) => {
    const hook = developers.journey.receiver.hook(status);
    return { hook, endpoint: await merchant.act('webhook.create', { url: hook.url, events: ['expense.created'] }) };
  };
  const logOf = async (endpoint_id: string) => (await merchant.act('delivery.list', { endpoint_id, limit: 100 })).data as any[];
  const rows = () => visitor.page.locator('tbody tr');
  const show = (state: 'hidden' | 'visible') =>
    visitor.page.evaluate(`Object.defineProperty(document, 'visibilityState', { get: () => '${state}', configurable: true })`);

  test('a new delivery appears by itself with its record, and has an address that opens it', async () => {
    const { endpoint } = await register();
    visitor = await developers.open(merchant, 'phone', 'deliveries');
    const { page } = visitor;
    await page.getByText('No deliveries yet').waitFor();
    await page.getByText('Live · times in UTC').waitFor();
    const first = await spend();
    await rows().first().getByTitle(first).waitFor();
    const second = await spend();
    await rows().nth(1).waitFor();
    await soon(async () => expect(await rows().first().textContent()).toContain(second.slice(-8)));
    await rows().first().getByText('Delivered').waitFor();
    await visitor.look('developers/deliveries-live');

    const [{ id: event }] = await logOf(endpoint.id);
    await rows().first().getByRole('button').click();
    await page.getByText(`"id": "${second}"`).waitFor();
    await soon(async () => expect(new URL(page.url()).hash).toBe(`#deliveries/${endpoint.id}/${event}`));
    await page.reload();
    await page.getByRole('dialog', { name: 'expense.created' }).getByText(`"id": "${second}"`).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await soon(async () => expect(new URL(page.url()).hash).toBe('#deliveries'));
    const tree = await page.getByRole('table').ariaSnapshot();
    expect(tree).toContain('- columnheader "Record"');
    expect(tree.match(/- rowheader "expense.created"/g)).toHaveLength(2);
  });

  test('the search finds an event at each of its endpoints, and the events of a record; the address has the id', async () => {
    const [{ endpoint }] = [await register(), await register()];
    const [record] = [await spend(), await spend()];
    const [, { id: event }] = await eventually(
      () => logOf(endpoint.id),
      (all) => all.length === 2,
    );
    visitor = await developers.open(merchant, 'phone', 'deliveries');
    const { page } = visitor;
    const field = page.getByLabel('Event or record id');
    const search = async (id: string) => {
      await field.fill(id);
      await field.press('Enter');
    };
    await rows().nth(3).waitFor();
    for (const id of [event, record]) {
      await search(` ${id} `);
      await rows().nth(3).waitFor({ state: 'detached' });
      await rows().nth(1).getByTitle(record).waitFor();
      await page.reload();
      await rows().nth(1).waitFor();
      await soon(async () => expect([await rows().count(), await field.inputValue()]).toEqual([2, id]));
    }
    for (const id of ['evt_unknown', 'exp_unknown']) {
      await search(id);
      await page.getByRole('heading', { name: 'No deliveries' }).waitFor();
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await rows().nth(3).waitFor();
    }
  });

  test('a hidden page reads nothing, also while an open delivery is pending, and a visible page reads again', async () => {
    const { endpoint } = await register();
    await spend();
    const [{ id: event }] = await eventually(
      () => logOf(endpoint.id),
      (all) => all.length > 0,
    );
    visitor = await developers.open(merchant, 'desktop', 'deliveries');
    const { page, addresses } = visitor;
    const result = { ...(await merchant.act('delivery.get', { endpoint_id: endpoint.id, event_id: event })), status: 'pending' };
    const isOpened = (request: Request) => request.postDataJSON()?.action === 'delivery.get';
    await page.route('**/developers/actions', (route) =>
      isOpened(route.request()) ? route.fulfill({ json: { ok: true, result } }) : route.continue(),
    );
    await page.clock.install();
    await page.goto(`${page.url()}/${endpoint.id}/${event}`);
    await page.reload();
    await page.getByRole('dialog').getByRole('heading', { name: 'Attempts' }).waitFor();
    await rows().first().waitFor({ state: 'attached' });
    await show('hidden');
    const before = addresses.length;
    await page.clock.runFor(30_000);
    expect(addresses.length).toBe(before);
    await show('visible');
    const read = page.waitForRequest(isOpened);
    await page.clock.runFor(2_000);
    await read;
  });

  test('a page that was hidden during more deliveries than one call returns lists all of them', async () => {
    const { endpoint } = await register();
    await spend();
    visitor = await developers.open(merchant, 'desktop', 'deliveries');
    await visitor.page.route('**/developers/actions', (route) => {
      const call = route.request().postDataJSON();
      if (call.action === 'delivery.list') call.input.limit = 20;
      return route.continue({ postData: JSON.stringify(call) });
    });
    await rows().first().waitFor();
    await show('hidden');
    for (let i = 0; i < 55; i++) await spend();
    await eventually(
      () => logOf(endpoint.id),
      (all) => all.length === 56,
    );
    await show('visible');
    await visitor.page.getByRole('button', { name: 'Load more' }).click();
    await rows().nth(55).waitFor({ state: 'attached' });
  });

  test('Redeliver failed begins with the endpoint that has failures, and enables it if it is disabled', async () => {
    const [{ hook, endpoint }, healthy] = [await register(503), await register()];
    for (let i = 0; i < 12; i++) await spend();
    await eventually(
      async () => (await merchant.act('webhook.list')).data as any[],
      (all) => all.some(({ id, enabled }) => id === endpoint.id && !enabled),
    );
    const failed = await eventually(
      () => logOf(endpoint.id),
      (all) => all.every(({ status }) => status === 'failed'),
    );
    hook.respondWith(200);
    visitor = await developers.open(merchant, 'desktop', 'deliveries');
    const { page } = visitor;
    // An event that was not retried, because the endpoint had failed ten times in a row.
    await page
      .getByText(/^503, then disabled$/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Redeliver failed…' }).click();
    const dialog = page.getByRole('dialog');
    const chosen = dialog.getByRole('combobox', { name: 'Endpoint' }).locator('option:checked');
    await soon(async () => expect(await chosen.textContent()).toBe(`${hook.url} – disabled`));
    await dialog.getByRole('option', { name: `${healthy.hook.url} – nothing failed` }).waitFor({ state: 'attached' });
    await visitor.look('developers/redeliver-disabled');
    await dialog.getByRole('button', { name: 'Enable and redeliver' }).click();
    await page.getByText(`${failed.length} deliveries are under way again.`).waitFor();
    await eventually(
      () => logOf(endpoint.id),
      (all) => all.every(({ status }) => status === 'delivered'),
    );
  });

  test('deliveries of all endpoints are one paginated list, newest first', async () => {
    const { endpoint } = await register();
    await register();
    for (let i = 0; i < 30; i++) await spend();
    await eventually(
      () => logOf(endpoint.id),
      (all) => all.length === 30,
    );
    visitor = await developers.open(merchant, 'desktop', 'deliveries');
    const { page } = visitor;
    await rows().nth(49).waitFor();
    await soon(async () => expect(await rows().count()).toBe(50));
    await page.getByRole('button', { name: 'Load more' }).click();
    await rows().nth(59).waitFor();
    await soon(async () => expect(await page.getByRole('button', { name: 'Load more' }).count()).toBe(0));
    const times = await page.evaluate('[...document.querySelectorAll("td[data-label=Happened] time")].map((one) => one.dateTime)');
    expect(times).toEqual((times as string[]).toSorted().toReversed());
  });

  test.each(bothWidths)(
    'the keyboard alone opens, redelivers and closes a delivery, and the focus returns to its row at %s width',
    async (width) => {
      const { hook, endpoint } = await register();
      await spend();
      await eventually(
        () => logOf(endpoint.id),
        ([one]) => one?.status === 'delivered',
      );
      visitor = await developers.open(merchant, width, 'deliveries');
      const { page, tabTo } = visitor;
      await rows().first().waitFor();
      await tabTo('expense.created');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Payload' }).waitFor();
      await tabTo('Redeliver');
      await page.keyboard.press('Enter');
      await eventually(
        () => hook.requests.length,
        (count) => count === 2,
      );
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await soon(async () => expect(await focused(page)).toBe('expense.created'));
    },
  );
});
