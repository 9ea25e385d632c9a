import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { launch, type Visitor, visitAs, type Width, widths } from './browser.ts';
import type { states } from './screens.ts';
import { type BrowserShop, servePictures, startShop } from './shop.ts';

let browser: Browser;
let shop: BrowserShop;
beforeAll(async () => {
  [browser, shop] = await Promise.all([launch(), startShop()]);
});
afterAll(async () => {
  await browser.close();
  await shop.stop();
});

describe.each(Object.keys(widths) as Width[])('the texts of the checkout page on a %s', (width) => {
  let visitor: Visitor;
  beforeEach(async () => {
    visitor = await visitAs(browser, width);
    await servePictures(visitor.page.context());
  });
  afterEach(async () => {
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  /** Expects an accessible page without clipped content, and saves a screenshot. */
  const look = async (name: (typeof states.checkout)[number]) => {
    expect(await visitor.violationsInBoth()).toEqual([]);
    expect(await visitor.cutOff()).toEqual([]);
    await visitor.picture(`checkout/${name}`);
  };
  const open = async (fields?: Record<string, unknown>) => {
    const { page } = visitor;
    await page.goto(await shop.checkout(fields));
    return page;
  };
  const pickup = { delivery_type: 'pickup', delivery_time: '08:00' };

  test('a receipt prints without buttons, and a long email breaks only before a dot or its domain', async () => {
    const [local, domain] = ['maximiliana.von.hohenstein', '@backstubealtermarkt.example.com'];
    const page = await open({ ...pickup, customer: { email: local + domain, last_name: 'Baker' } });
    await page.getByLabel('Card number').fill('4242 4242 4242 4242');
    await page.getByRole('button', { name: /^Pay / }).click();
    await page.waitForURL(`${shop.storefront.origin}/thanks`);
    await page.goBack();
    const lines = await page.locator('dd', { hasText: local }).evaluate((element) =>
      [...element.childNodes].map((node) => {
        const range = element.ownerDocument.createRange();
        range.selectNodeContents(node);
        return range.getClientRects().length;
      }),
    );
    expect(Math.max(...lines)).toBe(1);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('link', { name: 'Continue to the shop' }).count()).toBe(0);
    expect(await page.getByText('Order number').isVisible()).toBe(true);
  });

  test('the longest address of a shop fits on the receipt', async () => {
    const host = `${'a'.repeat(63)}.${'b'.repeat(63)}.example.com`;
    const customer = { email: 'ada@example.com', last_name: 'Baker' };
    const page = await open({ ...pickup, customer, success_url: `https://${host}/thanks` });
    const form = { token: await page.locator('[name=token]').inputValue(), card_number: '4242 4242 4242 4242' };
    await page.request.post(`${page.url()}/pay`, { form, maxRedirects: 0 });
    await page.reload();
    await page.getByRole('link', { name: host }).waitFor();
    expect(await visitor.cutOff()).toEqual([]);
  });

  test('the accessibility tree has the order with its address, the known email and one field for the payment', async () => {
    const page = await open({ ...pickup, customer: { email: 'ada@example.com', last_name: 'Baker' } });
    if (width === 'phone') await page.getByText('Your order (3 items)').click();
    const tree = await page.locator('main').ariaSnapshot();
    for (const line of [
      '- heading "Checkout" [level=1]',
      '- complementary "Order summary":',
      '- paragraph: 7 Mill Lane, Oldtown, NY 10001',
      '- heading "Your details" [level=2]',
      '- paragraph: Email ada@example.com',
      '- textbox "Card number"',
      '- button "Pay $71.00"',
    ])
      expect(tree).toContain(line);
  });

  test('a shopper reads the page and the receipt in German or French', async () => {
    const { page } = visitor;
    await page.setExtraHTTPHeaders({ 'accept-language': 'de-DE,de;q=0.9,en;q=0.5' });
    await open(pickup);
    await page.getByRole('button', { name: 'Für 71,00 $ kaufen' }).click();
    await page.getByText('Bitte geben Sie Ihren Nachnamen ein.').waitFor();
    await look('german');
    await page.getByLabel('Nachname').fill('Becker');
    await page.getByLabel('E-Mail').fill('becker@example.com');
    await page.getByLabel('Kartennummer').fill('4242 4242 4242 4242');
    await page.getByRole('button', { name: 'Für 71,00 $ kaufen' }).click();
    await page.waitForURL(`${shop.storefront.origin}/thanks`);
    await page.goBack();
    await page.getByRole('heading', { name: 'Vielen Dank für Ihre Bestellung' }).waitFor();
    await look('german-paid');
    await page.setExtraHTTPHeaders({ 'accept-language': 'fr' });
    await open();
    await page.getByText('Rien n’est débité').click();
    await look('french');
  });
});
