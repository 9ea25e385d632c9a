import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { shared } from '../support/shared.ts';
import { bothWidths, soon, type Visitor, visitAs, widths } from './browser.ts';
import { measure, measureLarge } from './measures.ts';
import { servePictures, startShop } from './shop.ts';

const shop = shared(startShop);

describe('the texts of the checkout page', () => {
  let visitor: Visitor;
  beforeEach(async () => {
    visitor = await visitAs(shop.browser, 'phone');
    await servePictures(visitor.page.context());
  });
  afterEach(async () => {
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  const open = async (fields?: Record<string, unknown>) => {
    const { page } = visitor;
    await page.goto(await shop.checkout(fields));
    return page;
  };
  const pickup = { delivery_type: 'pickup', delivery_time: '08:00' };

  test.each(bothWidths)(
    'a receipt prints without buttons, and a long email breaks only before a dot or its domain at %s width',
    async (width) => {
      await visitor.page.setViewportSize(widths[width]);
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
      await page.evaluate('window.print = () => { document.body.dataset.printed = true }');
      await page.getByRole('button', { name: 'Print the receipt' }).click();
      await page.locator('[data-printed]').waitFor();
      await page.emulateMedia({ media: 'print' });
      await soon(async () => expect(await page.getByRole('link', { name: 'Continue to the shop' }).count()).toBe(0));
      await soon(async () => expect(await page.getByText('Order number').isVisible()).toBe(true));
    },
  );

  test.each(bothWidths)('the longest address of a shop fits on the receipt at %s width', async (width) => {
    await visitor.page.setViewportSize(widths[width]);
    const host = `${'a'.repeat(63)}.${'b'.repeat(63)}.example.com`;
    const customer = { email: 'ada@example.com', last_name: 'Baker' };
    const page = await open({ ...pickup, customer, success_url: `https://${host}/thanks` });
    const form = { token: await soon(() => page.locator('[name=token]').inputValue()), card_number: '4242 4242 4242 4242' };
    await page.request.post(`${page.url()}/pay`, { form, maxRedirects: 0 });
    await page.reload();
    await page.getByRole('link', { name: host }).waitFor();
    expect(await measure(page, {})).toEqual([]);
  });

  test.each(bothWidths)('text of twice the size fits on the form, its errors and a pending payment at %s width', async (width) => {
    await visitor.page.setViewportSize(widths[width]);
    const { page } = visitor;
    await page.setExtraHTTPHeaders({ 'accept-language': 'fr' });
    await open();
    await page.getByRole('button', { name: 'Payer' }).click();
    await page.getByText('Saisissez la ville.').waitFor();
    expect(await measureLarge(page)).toEqual([]);
    const name = await soon(() => page.locator('header p').evaluate((element) => element.getBoundingClientRect().width));
    expect(name).toBeGreaterThan(200);
    await open({ customer: { email: 'ada@example.com', last_name: 'Baker' }, delivery_address: '1 Mill Lane' });
    await page.getByLabel('Numéro de carte').fill('4000 0000 0000 3220');
    await page.getByRole('button', { name: 'Payer' }).click();
    await page.getByRole('heading', { name: 'Votre paiement est en cours' }).waitFor();
    expect(await measureLarge(page)).toEqual([]);
  });

  test('the accessibility tree has the order with its time, address and note, the known email and one field for the payment', async () => {
    const page = await open({ ...pickup, customer: { email: 'ada@example.com', last_name: 'Baker' }, notes: 'Ring twice' });
    await page.getByText('Your order (3 items)').click();
    const tree = await page.locator('main').ariaSnapshot();
    for (const line of [
      '- heading "Checkout" [level=1]',
      '- complementary "Order summary":',
      '- paragraph: Thursday, March 14, 2030 8:00 – 11:00 AM · Morning',
      '- paragraph: 7 Mill Lane, Oldtown, NY 10001',
      '- heading "Note" [level=2]',
      '- paragraph: Ring twice',
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
    await visitor.look('checkout/german');
    await page.getByLabel('Nachname').fill('Becker');
    await page.getByLabel('E-Mail').fill('becker@example.com');
    await page.getByLabel('Kartennummer').fill('4242 4242 4242 4242');
    await page.getByRole('button', { name: 'Für 71,00 $ kaufen' }).click();
    await page.waitForURL(`${shop.storefront.origin}/thanks`);
    await page.goBack();
    await page.getByRole('heading', { name: 'Vielen Dank für Ihre Bestellung' }).waitFor();
    await visitor.look('checkout/german-paid');
    await page.setExtraHTTPHeaders({ 'accept-language': 'fr' });
    await open();
    await page.getByText('Rien n’est débité').click();
    await visitor.look('checkout/french');
  });
});
