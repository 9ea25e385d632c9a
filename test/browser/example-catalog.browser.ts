import { beforeEach, expect, test } from '@jest/globals';
import { shared } from '../support/shared.ts';
import { bothWidths, soon, visitAs, widths } from './browser.ts';
import { startExampleShop } from './example-shop.ts';
import { measure } from './measures.ts';

const shop = shared(() => startExampleShop({ allowLoopbackWebhooks: true }));
beforeEach(() => shop.clock.advance(60_000));

const at = (path: string) => new URL(path, shop.example.url()).href;
const bread = ['Baguette', 'Country rye', 'Sourdough loaf'];

test("a category shows its products, and its URL can be shared, and the browser's back button leaves it", async () => {
  const { page, look, complaints, close } = await visitAs(shop.browser, 'phone');
  const names = async () => (await page.locator('.products h2:visible').allTextContents()).toSorted();
  const category = (name: string) => page.getByRole('navigation', { name: 'Kinds of products' }).getByRole('link', { name });
  await page.goto(at('/'));
  await soon(async () => expect(await names()).toHaveLength(8));
  await category('Bread').click();
  await page.getByRole('heading', { level: 1, name: 'Bread' }).waitFor();
  await page.getByRole('status').getByText('3 products').waitFor();
  await soon(async () => expect(await names()).toEqual(bread));
  await soon(async () => expect(await category('Bread').getAttribute('aria-current')).toBe('page'));
  await look('shop/category');
  await page.reload();
  await soon(async () => expect(await names()).toEqual(bread));
  await category('Cakes').click();
  await soon(async () => expect(await names()).toEqual(['Celebration cake', 'Chocolate cake', 'Lemon tart']));
  await page.goBack();
  await soon(async () => expect(await names()).toEqual(bread));
  await category('All').click();
  await soon(async () => expect(await names()).toHaveLength(8));
  expect(complaints).toEqual([]);
  await close();
});

test.each([
  ['/', 8],
  ['/?category=bread', 3],
  ['/?q=rye+week', 1],
])('%s shows its %i products and their prices without scripts, and says that an order needs them', async (path, count) => {
  const context = await shop.browser.newContext({ javaScriptEnabled: false, viewport: widths.phone });
  const page = await context.newPage();
  await page.goto(at(path));
  await page.locator('noscript p').waitFor();
  await page.getByRole('listitem').filter({ hasText: 'Country rye' }).getByText('$9.20').waitFor();
  await soon(async () => expect(await page.getByRole('listitem').count()).toBe(count));
  expect(await measure(page, {})).toEqual([]);
  await page.getByRole('link', { name: 'Country rye' }).click();
  await page.getByRole('heading', { level: 1, name: 'Country rye' }).waitFor();
  await page.getByText('Contains gluten.').waitFor();
  expect(await measure(page, {})).toEqual([]);
  await context.close();
});

test("markup in a product's description stays text before a script runs", async () => {
  const own = await startExampleShop();
  try {
    const { account = '', product = '' } = own.runtime.demo.us ?? {};
    const input = { id: product, description: '<i>Best</i> bread' };
    expect(await own.runtime.invokeAction('us', { action: 'product.update', account, input })).toMatchObject({ ok: true });
    for (const path of ['', `product?id=${product}`]) {
      const text = await (await fetch(new URL(path, own.example.url()))).text();
      expect(text).toContain('&lt;i&gt;Best&lt;/i&gt; bread');
      expect(text).not.toContain('<i>Best');
    }
  } finally {
    await own.stop();
  }
});

test('a product shows all its pictures beside each other, and other products, those of its category first', async () => {
  const { page, complaints, close } = await visitAs(shop.browser, 'phone');
  const images = ['one', 'two', 'three'].map((name) => `https://pictures.example/${name}.svg`);
  await page.route('https://pictures.example/**', (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>' }),
  );
  await page.route('**/api/v2/products/*', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), images } });
  });
  await page.goto(at(`/product?id=${shop.runtime.demo.us?.product}`));
  const gallery = page.getByRole('group', { name: '3 pictures' });
  const shown = () => gallery.locator('img').evaluateAll((elements) => elements.map((element) => (element as HTMLImageElement).src));
  await soon(async () => expect(await shown()).toEqual(images));
  await gallery.focus();
  await page.keyboard.press('ArrowRight');
  await soon(async () => expect(await gallery.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0));
  const others = () => page.locator('.others + .products h2').allTextContents();
  await soon(async () => expect((await others()).slice(0, 2).toSorted()).toEqual(['Baguette', 'Country rye']));
  await soon(async () => expect(await others()).toHaveLength(4));
  expect(await measure(page, {})).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
});

test('the cart says that the fee of a delivery comes later if no session can be created', async () => {
  const { page, close } = await visitAs(shop.browser, 'phone');
  await page.route('**/api/v2/checkout', (route) => route.fulfill({ status: 403, json: { error: { code: 'limit_reached' } } }));
  await page.goto(at('/'));
  await page.getByRole('button', { name: 'Add to cart: Baguette' }).click();
  await page.goto(at('/cart'));
  await page.getByRole('radio', { name: 'Delivery' }).check();
  await page.getByText('Delivery at checkout').waitFor();
  await page.getByRole('button', { name: 'Go to checkout' }).click();
  await page.getByRole('alert').getByText('The bakery takes no more orders this month.').waitFor();
  await close();
});

test.each(bothWidths)('a name of one long word fits on every page at %s width', async (width) => {
  const { page, close } = await visitAs(shop.browser, width);
  const name = 'Donaudampfschifffahrtskapitänsgeburtstagstorte';
  const rename = (product: object) => ({ ...product, name, category: name, description: name, variants: [{ id: 'one', name, price: 9 }] });
  await page.route('**/api/v2/products**', async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    await route.fulfill({ response, json: body.data ? { ...body, data: body.data.map(rename) } : rename(body) });
  });
  await page.goto(at('/'));
  await page
    .getByRole('link', { name: `Choose a size: ${name}` })
    .first()
    .waitFor();
  expect(await measure(page, {})).toEqual([]);
  await page.goto(at(`/product?id=${shop.runtime.demo.us?.product}`));
  await page.getByRole('button', { name: `Add to cart: ${name}` }).click();
  await page.locator('.others').waitFor();
  expect(await measure(page, {})).toEqual([]);
  await page.goto(at('/cart'));
  await page.getByRole('button', { name: 'Go to checkout' }).waitFor();
  expect(await measure(page, {})).toEqual([]);
  await close();
});
