import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Merchant } from '../support/journey.ts';
import { shared } from '../support/shared.ts';
import { bothWidths, soon, widths } from './browser.ts';
import { type DeveloperVisitor, focused, startDevelopers } from './developers.ts';

const developers = shared(startDevelopers);

describe('keys', () => {
  let merchant: Merchant;
  let visitor: DeveloperVisitor;
  beforeEach(async () => {
    merchant = await developers.journey.merchant();
    visitor = await developers.open(merchant, 'desktop', 'keys');
  });
  afterEach(async () => {
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });
  const keys = async () => (await merchant.act('key.list')).data as { name: string; group: string; revoked_at: string | null }[];

  test('a key created with a name, a type and a scope group can call the API', async () => {
    await visitor.page.setViewportSize(widths.phone);
    const { page, look } = visitor;
    await page.getByRole('row', { name: /journey/ }).waitFor();
    await look('developers/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await look('developers/keys-create');
    await dialog.getByLabel('Name').fill('Accounting');
    await dialog.getByRole('combobox', { name: 'Group' }).selectOption({ label: 'Inventory management' });
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const value = await soon(() => page.getByRole('textbox', { name: 'Key “Accounting”' }).inputValue());
    expect(value).toMatch(/^svc_sk_live_us_/);
    await look('developers/keys-shown-once');
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    // Screen readers ignore content behind a modal dialog.
    await soon(async () => expect(await page.getByRole('dialog').getByRole('status').textContent()).toBe('Key “Accounting” copied.'));
    await soon(async () => expect(await page.evaluate('navigator.clipboard.readText()')).toBe(value));
    expect((await keys()).at(-1)).toMatchObject({ name: 'Accounting', group: 'inventoryManagement' });
    const { status } = await developers.journey.request(`${developers.journey.runtime.urls.us}/api/v2/expenses`, 'GET', { key: value });
    expect(status).toBe(200);
  });

  test('a key shows its last use and its expiry and can be renamed; the heading links to the guides', async () => {
    const { page, look } = visitor;
    const row = page.getByRole('row', { name: /journey/ });
    await soon(async () => expect(await row.textContent()).toContain('Never'));
    await merchant.call('GET', '/expenses');
    const { id } = (await merchant.act('key.list'))['data'][0];
    await merchant.act('key.update', { id, expires_at: '2031-05-01T10:00:00Z' });
    await page.reload();
    await row
      .locator(`time[datetime="${new Date().toISOString().slice(0, 10)}"]`)
      .first()
      .waitFor();
    await row.locator('time[datetime^="2031-05-01"]').waitFor();
    await visitor.choose('Actions for journey', 'Rename');
    await page.getByRole('dialog').getByLabel('Name').fill('Till');
    await look('developers/keys-rename');
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /Till/ }).waitFor();
    expect((await keys())[0]?.name).toBe('Till');
    await soon(async () => expect(await page.getByRole('link', { name: 'Guides and API reference' }).getAttribute('href')).toBe('/docs/'));
    await look('developers/keys-used');
    await visitor.choose('Actions for Till', 'Requests');
    await page.getByRole('rowheader', { name: 'GET /api/v2/expenses' }).waitFor();
    await soon(async () => expect(await page.getByRole('combobox', { name: 'Key' }).inputValue()).toBe(id));
  });

  test('rolling a key shows the new value once, and the old key expires in an hour', async () => {
    const { page, look } = visitor;
    await visitor.choose('Actions for journey', 'Replace');
    await page
      .getByRole('dialog')
      .getByRole('radio', { name: /^In an hour|1 hour/i })
      .check();
    await look('developers/keys-replace');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Replace/ })
      .click();
    await page.getByRole('textbox', { name: /journey/ }).waitFor();
    const [first, second] = (await merchant.act('key.list')).data;
    expect([first, second].map(({ expires_at }) => expires_at === null).sort()).toEqual([false, true]);
  });

  test.each(['response', 'request'])('replacing with another choice after a lost %s makes one key, and the page shows it', async (lost) => {
    const { page } = visitor;
    await visitor.choose('Actions for journey', 'Replace');
    const dialog = page.getByRole('dialog');
    const replace = dialog.getByRole('button', { name: /^Replace/ });
    const calls = '**/developers/actions';
    await page.route(calls, async (route) => {
      if (lost === 'response') await route.fetch();
      await route.abort();
    });
    await replace.click();
    await dialog.getByRole('alert').waitFor();
    await page.unroute(calls);
    await dialog.getByRole('radio', { name: /^Now/ }).check();
    await replace.click();
    const value = await soon(() => page.getByRole('textbox', { name: /journey/ }).inputValue());
    const all = await keys();
    expect(all).toHaveLength(2);
    const { status } = await developers.journey.request(`${developers.journey.runtime.urls.us}/api/v2/expenses`, 'GET', { key: value });
    expect(status).toBe(200);
    // The choice that took effect counts: the first one if only its response was lost.
    expect((await merchant.call('GET', '/expenses')).status).toBe(lost === 'response' ? 200 : 401);
    visitor.complaints.length = 0; // the browser logs the failed call
  });

  test('the form for a publishable key offers no scope group', async () => {
    const { page } = visitor;
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Web shop');
    await dialog.getByRole('radio', { name: /^Publishable/ }).check();
    await soon(async () => expect(await dialog.getByLabel('Group').count()).toBe(0));
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await soon(async () => expect(await page.getByRole('textbox', { name: 'Key “Web shop”' }).inputValue()).toMatch(/^svc_pk_live_us_/));
  });

  test("a key's value, once dismissed, is not on the page, in a URL, in browser storage or in a log", async () => {
    const { page, addresses } = visitor;
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Secret one');
    await page.keyboard.press('Enter');
    const value = await soon(() => page.getByRole('textbox', { name: 'Key “Secret one”' }).inputValue());
    const secret = value.slice('svc_sk_live_us_'.length);
    await page.keyboard.press('Escape');
    await soon(async () => expect(await page.getByRole('dialog').count()).toBe(1));
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const everything = async () =>
      `${await page.content()} ${await page.evaluate('[...document.querySelectorAll("input, textarea")].map((one) => one.value).join()')}`;
    expect(await everything()).not.toContain(secret);
    await page.reload();
    await page.getByRole('row', { name: /Secret one/ }).waitFor();
    expect(await everything()).not.toContain(secret);
    expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie, history.state])')).not.toContain(secret);
    expect(await page.evaluate('caches.keys()')).toEqual([]);
    expect(addresses.length).toBeGreaterThan(4);
    expect(addresses.join()).not.toContain(secret);
    expect(developers.lines.some((line) => line.includes('key.create'))).toBe(true);
    expect(developers.lines.join()).not.toContain(secret);
  });

  test('revoking a key asks for confirmation, and the key stays in the list', async () => {
    const { page, look } = visitor;
    await visitor.choose('Actions for journey', 'Revoke');
    await page.getByRole('dialog').waitFor();
    await look('developers/keys-revoke');
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect((await keys())[0]?.revoked_at).toBeNull();
    await visitor.choose('Actions for journey', 'Revoke');
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByRole('row', { name: /journey.*Revoked/ }).waitFor();
    expect((await keys())[0]?.revoked_at).not.toBeNull();
    expect((await merchant.call('GET', '/expenses')).status).toBe(401);
    await look('developers/keys-revoked');
  });

  test.each(bothWidths)('every action works with the keyboard alone, and the focus is never lost at %s width', async (width) => {
    await visitor.page.setViewportSize(widths[width]);
    const { page, tabTo } = visitor;
    await page.getByRole('row', { name: /journey/ }).waitFor();
    await tabTo('API keys');
    await page.keyboard.press('ArrowRight');
    await soon(async () => expect([await focused(page), page.url()]).toEqual(['Webhooks', expect.stringContaining('#webhooks')]));
    await page.keyboard.press('Home');
    await tabTo('Create key');
    await page.keyboard.press('Enter');
    await soon(async () => expect(await focused(page)).toBe('Name'));
    await page.keyboard.press('Escape');
    await soon(async () => expect(await focused(page)).toBe('Create key'));
    await page.keyboard.press('Enter');
    await page.keyboard.type('By hand');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Key “By hand”' }).waitFor();
    await soon(async () => expect(await focused(page)).toBe('Copy'));
    await tabTo('Done');
    await page.keyboard.press('Enter');
    await soon(async () => expect(await focused(page)).toBe('Create key'));
    await page.getByRole('row', { name: /By hand/ }).waitFor();
    await tabTo('Actions for By hand');
    await page.keyboard.press('ArrowUp');
    await page.getByRole('menuitem', { name: 'Revoke' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await soon(async () => expect(await focused(page)).toBe('Cancel'));
    await page.keyboard.press('Shift+Tab');
    await soon(async () => expect(await focused(page)).toBe('Revoke key'));
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /By hand.*Revoked/ }).waitFor();
    await page.getByText('By hand is revoked.').waitFor();
    await soon(async () => expect(await focused(page)).toBe('API keys'));
  });

  test('an error of the service is shown as its message', async () => {
    const { page, look } = visitor;
    await page.goto(`${developers.origin}/developers/?region=us&account=acct_nobody#keys`);
    await page.reload();
    await page.getByRole('alert').waitFor();
    await look('developers/keys-refused');
    await soon(async () => expect(await page.getByRole('alert').textContent()).toContain('Account'));
  });
});
