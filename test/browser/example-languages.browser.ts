import { beforeEach, expect, test } from '@jest/globals';
import { de } from '../../examples/storefront/page/texts/de.ts';
import { en } from '../../examples/storefront/page/texts/en.ts';
import { fr } from '../../examples/storefront/page/texts/fr.ts';
import { flatTexts } from '../support/flat-texts.ts';
import { actIn } from '../support/journey.ts';
import { shared } from '../support/shared.ts';
import { soon, visitAs } from './browser.ts';
import { startExampleShop } from './example-shop.ts';
import { measureLarge } from './measures.ts';

/** The eu demo, which sells in German. */
const shop = shared(() => startExampleShop({ regions: ['eu'], allowLoopbackWebhooks: true }));
beforeEach(() => shop.clock.advance(60_000));

const at = (path: string) => new URL(path, shop.example.url()).href;
const visitIn = async (accepted: string) => {
  const visitor = await visitAs(shop.browser, 'phone');
  await visitor.page.setExtraHTTPHeaders({ 'accept-language': accepted });
  return visitor;
};
type Page = Awaited<ReturnType<typeof visitIn>>['page'];

/** Every text of the page that a person reads or hears. */
const textsOf = (page: Page) =>
  page.evaluate<
    string[]
  >(`[document.title, document.querySelector('[name=description]').content, ...[...document.body.querySelectorAll('*:not(template, script)')].flatMap(
    (element) => [element.ariaLabel, element.placeholder, ...[...element.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data.trim())]
  )].filter((text) => /\\p{L}/u.test(text ?? ''))`);

const pages: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  '/': (page) => page.locator('.products').waitFor(),
  '/?q=t': (page) => page.locator('.products').waitFor(),
  '/?q=pizza': (page) => page.locator('.empty').waitFor(),
  '/breads': (page) => page.locator('.empty').waitFor(),
  '/thanks': (page) => page.locator('.empty').waitFor(),
  '/cart': (page) => page.locator('.empty').waitFor(),
  '/product?id=prd_0': (page) => page.locator('.empty').waitFor(),
  '/product': async (page) => {
    await page.goto(at(`/product?id=${shop.runtime.demo.eu?.product}`));
    await page.locator('.buy').waitFor();
  },
  'a cart': async (page) => {
    await page.locator('.amount button').first().click();
    await page.goto(at('/cart'));
    await page.getByRole('radio').nth(1).check();
    await page.locator('.sum').nth(2).waitFor();
  },
};

test('no text of the shop is outside its tables: no two languages share one, except what the bakery wrote', async () => {
  const headers = { authorization: `Bearer ${shop.runtime.demo.eu?.publishableKey}` };
  const { data } = (await (await fetch(`${shop.runtime.urls.eu}/api/v2/products`, { headers })).json()) as any;
  const written = `${JSON.stringify(data)} Sauerteigbrot – Backstube am Markt Marktplatz 3, 99084 Erfurt`;
  const tables = Object.entries({ de, en, fr }).map(([lang, texts]) => ({ lang, table: flatTexts(texts) }));
  for (const [path, arrive] of Object.entries(pages)) {
    const read = async ({ lang }: (typeof tables)[number]) => {
      const { page, close } = await visitIn(lang);
      await page.goto(at(path.startsWith('/') ? path : '/'));
      await arrive(page);
      const texts = await textsOf(page);
      await close();
      return texts.filter((text) => !written.includes(text));
    };
    const shown = await Promise.all(tables.map(async (one) => ({ ...one, texts: await read(one) })));
    for (const { lang, texts, table } of shown) {
      expect(texts.length).toBeGreaterThan(4);
      // A word of both languages, such as "Total", is in both tables.
      const others = shown.filter((other) => other.lang !== lang);
      expect(
        texts.filter((text) => others.some((other) => other.texts.includes(text) && !(table.includes(text) && other.table.includes(text)))),
      ).toEqual([]);
    }
  }
});

test('the eu demo sells in German, with the formats of the browser', async () => {
  const { page, look, complaints, close } = await visitIn('de-DE,de;q=0.9,en;q=0.5');
  await page.goto(at('/'));
  await page.getByRole('button', { name: 'In den Warenkorb: Sauerteigbrot' }).click();
  await look('shop/german');
  await page.goto(at('/cart'));
  await page.getByText('8,50 €', { exact: true }).first().waitFor();
  await page.getByRole('option', { name: 'Vormittag, 08:00–11:00 Uhr' }).waitFor({ state: 'attached' });
  await page.getByText('Abholung: Marktplatz 3, 99084 Erfurt').waitFor();
  await look('shop/german-cart');
  await page.getByRole('button', { name: 'Zur Kasse' }).click();
  await page.getByLabel('Nachname').fill('Müller');
  await page.getByLabel('E-Mail').fill('mueller@example.com');
  await page.getByLabel('Kartennummer').fill('4242 4242 4242 4242');
  await page.getByRole('button', { name: 'Für 8,50 € kaufen' }).click();
  await page.getByText(/^Abholung am .*, Vormittag, 08:00–11:00 Uhr$/).waitFor();
  await soon(async () => expect(await page.title()).toBe('Ihre Bestellung – Backstube am Markt'));
  expect(complaints).toEqual([]);
  await close();
});

test.each([
  ['/', 200, 'Backstube am Markt', 'Backstube am Markt', 'website'],
  ['/cart', 200, 'Votre panier – Backstube am Markt', 'Votre panier', 'website'],
  ['/product?id=PRODUCT', 200, 'Sauerteigbrot – Backstube am Markt', 'Sauerteigbrot', 'product'],
  ['/product?id=prd_0', 404, 'Nous ne vendons plus ce produit – Backstube am Markt', 'Nous ne vendons plus ce produit', 'website'],
])('a link to %s has a preview, before any script runs', async (path, status, title, shared, type) => {
  const url = at(path.replace('PRODUCT', shop.runtime.demo.eu?.product ?? ''));
  const response = await fetch(url, { headers: { 'accept-language': 'nl, fr;q=0.5' } });
  const text = await response.text();
  expect(response.status).toBe(status);
  expect(text).toContain('<html lang="fr">');
  expect(text).toContain(`<title>${title}</title>`);
  expect(text).toContain(`<meta property="og:title" content="${shared}">`);
  expect(text).toContain(`<meta property="og:type" content="${type}">`);
  const image = /og:image" content="([^"]+)"/.exec(text)?.[1] ?? '';
  expect((await fetch(image)).headers.get('content-type')).toBe('image/png');
});

test('a product that the server does not know yet has its name as title once it is shown', async () => {
  const { page, close } = await visitIn('de');
  // The server lists the products once a minute.
  await fetch(at('/product?id=prd_0'));
  const { id } = await actIn(shop.runtime, 'eu', 'product.create', { name: 'Brezel', price: 1.2 }, shop.runtime.demo.eu?.account);
  await page.goto(at(`/product?id=${id}`));
  await page.getByRole('heading', { name: 'Brezel' }).waitFor();
  await soon(async () => expect(await page.title()).toBe('Brezel – Backstube am Markt'));
  await close();
});

test('a shop that does not respond says so in its heading and title, and can be tried again', async () => {
  const { page, complaints, close } = await visitIn('en');
  await page.route('**/api/v2/**', (route) => route.fulfill({ status: 400, json: {} }));
  await page.goto(at('/'));
  await page.getByRole('alert').getByRole('heading', { name: 'The bakery cannot be reached just now' }).waitFor();
  await soon(async () => expect(await page.title()).toBe('The bakery cannot be reached just now – Backstube am Markt'));
  // A developer reads the cause.
  expect(complaints).toContainEqual(expect.stringContaining('ApiError: 400'));
  await page.unroute('**/api/v2/**');
  await page.getByRole('link', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Sauerteigbrot' }).waitFor();
  await close();
});

test('text of twice the size fits in the shop on a phone', async () => {
  const { page, close } = await visitIn('de');
  await page.goto(at('/'));
  await page.getByRole('button', { name: 'In den Warenkorb: Sauerteigbrot' }).click();
  expect(await measureLarge(page)).toEqual([]);
  await page.goto(at('/cart'));
  await page.getByRole('button', { name: 'Zur Kasse' }).waitFor();
  expect(await measureLarge(page)).toEqual([]);
  await close();
});
