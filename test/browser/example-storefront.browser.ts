import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { type Runtime, startRuntime } from '../../local/runtime.ts';
import { type Example, openExample } from '../examples/example.ts';
import { launch, type Visitor, visitAs, type Width } from './browser.ts';
import type { states } from './screens.ts';

const start = (runtime: Runtime): Promise<Example> =>
  openExample(process.execPath, 'examples/storefront/server.ts', { PORT: '0', BAKERY_PORT: String(runtime.port) });

let browser: Browser;
let runtime: Runtime;
let example: Example;
beforeAll(async () => {
  [browser, runtime] = await Promise.all([launch(), startRuntime({ regions: ['us'], seed: true, allowLoopbackWebhooks: true })]);
  example = await start(runtime);
});
afterAll(async () => {
  await browser.close();
  await example.stop();
  await runtime.stop();
});

const enter = async (width: Width, url = example.url()): Promise<Visitor> => {
  const visitor = await visitAs(browser, width);
  await visitor.page.goto(url);
  await visitor.page.getByRole('heading', { name: 'Sourdough loaf' }).waitFor();
  return visitor;
};
const pictureOf = ({ page }: Visitor, name: string) => page.getByRole('listitem').filter({ hasText: name }).locator('img');
const look = async (visitor: Visitor, name: (typeof states.shop)[number]) => {
  expect(await visitor.violationsInBoth()).toEqual([]);
  expect(await visitor.cutOff()).toEqual([]);
  expect(await visitor.page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  await visitor.picture(`shop/${name}`);
};
const orders = async (): Promise<any[]> => {
  const headers = { authorization: `Bearer ${runtime.demo.us?.secretKey}` };
  const { data } = (await (await fetch(`${runtime.urls.us}/api/v2/orders?limit=100`, { headers })).json()) as { data: any[] };
  return data.filter(({ source }) => source === 'checkout');
};

describe.each<Width>(['phone', 'desktop'])('the storefront at %s width', (width) => {
  test('a shopper chooses products, pays on the hosted page and returns to the order', async () => {
    const before = (await orders()).length;
    const visitor = await enter(width);
    const { page } = visitor;
    await page.getByRole('button', { name: 'Add to cart: Sourdough loaf' }).click();
    await page.getByRole('button', { name: 'One more: Sourdough loaf' }).click();
    await look(visitor, 'products');

    await page.getByRole('link', { name: 'Choose a size: Lemon tart' }).click();
    await page.getByRole('radio', { name: 'Large, 8 slices $32.00' }).check();
    await page.getByRole('button', { name: 'Add to cart: Lemon tart, Large, 8 slices' }).click();
    await look(visitor, 'product');

    await page.getByRole('link', { name: 'Cart 3' }).click();
    await page.getByText('$49.00').waitFor();
    expect(await page.locator('main').innerText()).not.toMatch(/fee|at checkout/i);
    await page.getByLabel('Note for the bakery').fill('For Grace, “Happy birthday”');
    await look(visitor, 'cart');

    await page.getByRole('button', { name: 'Go to checkout' }).click();
    await page.getByLabel('Card number').fill('4242 4242 4242 4242');
    await page.getByLabel('Last name').fill('Miller');
    await page.getByLabel('Email').fill('grace@example.com');
    await page.getByRole('button', { name: 'Pay $49.00' }).click();
    await page.waitForURL('**/thanks?session=*');
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    for (const text of ['Sourdough loaf', 'Lemon tart, Large, 8 slices', '$17.00', '$32.00', '$49.00'])
      await page.getByText(text, { exact: true }).waitFor();
    await page.getByText(/^Pick up on .* 8:00 – 11:00 AM$/).waitFor();
    await page.getByText('Your note: For Grace, “Happy birthday”').waitFor();
    await look(visitor, 'thanks');
    expect((await orders()).slice(0, -before || undefined)).toMatchObject([
      { total: 49, items: expect.any(Array), notes: 'For Grace, “Happy birthday”' },
    ]);

    await page.getByRole('link', { name: 'Cart' }).click();
    await page.getByRole('heading', { name: 'Your cart is empty' }).waitFor();
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  test('the search shows matching products, and its URL can be shared', async () => {
    const visitor = await enter(width);
    const { page } = visitor;
    const names = () => page.getByRole('heading', { level: 2 }).allTextContents();
    await page.getByRole('searchbox', { name: 'Search products' }).fill('birthday cake');
    expect(await names()).toEqual(['Celebration cake']);
    await page.getByRole('heading', { name: 'Results for “birthday cake”' }).waitFor();
    await page.getByRole('status').getByText('1 product', { exact: true }).waitFor();
    await look(visitor, 'search');
    await page.goto(page.url());
    await page.getByRole('heading', { name: 'Celebration cake' }).waitFor();
    expect(await names()).toEqual(['Celebration cake']);
    await page.getByRole('searchbox', { name: 'Search products' }).fill('pizza');
    await page.getByRole('heading', { name: 'Nothing matches “pizza”' }).waitFor();
    await look(visitor, 'nothing-found');
    await page.getByRole('link', { name: 'Show all products' }).click();
    await page.getByRole('heading', { name: 'Lemon tart' }).waitFor();
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });
});

test('a search on any other page opens the products page', async () => {
  const visitor = await enter('phone');
  const { page } = visitor;
  await page.goto(new URL('cart', example.url()).href);
  await page.getByRole('searchbox', { name: 'Search products' }).fill('butter');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Butter croissant' }).waitFor();
  expect(visitor.complaints).toEqual([]);
  await visitor.close();
});

test('the cart shows that it is empty after its last line is removed', async () => {
  const visitor = await enter('phone');
  const { page } = visitor;
  await page.getByRole('button', { name: 'Add to cart: Butter croissant' }).click();
  await page.getByRole('link', { name: 'Cart 1' }).click();
  await page.getByRole('button', { name: 'One fewer: Butter croissant' }).click();
  await page.getByRole('heading', { name: 'Your cart is empty' }).waitFor();
  await look(visitor, 'cart-empty');
  await visitor.close();
  const wide = await enter('desktop', example.url());
  await wide.page.getByRole('link', { name: 'Cart' }).click();
  await wide.page.getByRole('heading', { name: 'Your cart is empty' }).waitFor();
  await look(wide, 'cart-empty');
  await wide.close();
});

test("a product shows its category's drawing if its picture fails to load", async () => {
  const visitor = await visitAs(browser, 'phone');
  const { page } = visitor;
  await page.route('**/api/v2/products**', async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    for (const product of body.data) product.images = ['https://pictures.example/lost.jpg'];
    await route.fulfill({ response, json: body });
  });
  await page.route('https://pictures.example/**', (route) => route.abort());
  await page.goto(example.url());
  await pictureOf(visitor, 'Sourdough loaf').and(page.locator('[src="/pictures/bread.svg"]')).waitFor();
  await visitor.close();
});

test('delivery has its own slots, and only bookable days are offered', async () => {
  const visitor = await enter('desktop');
  const { page } = visitor;
  await page.getByRole('button', { name: 'Add to cart: Sourdough loaf' }).click();
  await page.getByRole('link', { name: 'Cart 1' }).click();
  await page.getByRole('button', { name: 'Go to checkout' }).waitFor();
  const days = () => page.getByLabel('Day').locator('option').allTextContents();
  expect((await days()).filter((day) => day.startsWith('Sunday'))).toEqual([]);
  await page.getByRole('radio', { name: 'Delivery' }).check();
  await page.getByRole('option', { name: 'Midday, 11:00 AM – 2:00 PM' }).waitFor({ state: 'attached' });
  expect((await page.getByLabel('Time').locator('option').allTextContents()).filter((slot) => slot.startsWith('Morning'))).toEqual([]);
  await page.getByText('Delivery at checkout').waitFor();
  await page.getByRole('button', { name: 'Go to checkout' }).click();
  await page.getByText('Delivery fee').first().waitFor();
  await page.getByRole('link', { name: 'Back to the shop' }).click();
  await page.getByRole('radio', { name: 'Delivery' }).check();
  await page.getByText('Delivery $6.00').waitFor();
  await page.getByRole('radio', { name: 'Pick up' }).check();
  expect(await page.getByText('Delivery $6.00').isVisible()).toBe(false);
  expect(visitor.complaints).toEqual([]);
  await visitor.close();
});

test('the shop names the first day that availability gives, its hours and its address, or nothing', async () => {
  const visitor = await visitAs(browser, 'desktop');
  const { page } = visitor;
  const query = new URL(`${runtime.urls.us}/api/v2/availability`);
  const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
  for (const [name, value] of Object.entries({ from: day(1), to: day(14), type: 'pickup' })) query.searchParams.set(name, value);
  const headers = { authorization: `Bearer ${runtime.demo.us?.secretKey}` };
  const { availability } = (await (await fetch(query, { headers })).json()) as any;
  const { date } = availability.find(({ bookable, time_slots }: any) => bookable && time_slots.length > 0);
  const first = new Date(date).toLocaleDateString('en-US', { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' });
  await page.goto(example.url());
  await page.locator('.intro').getByText(`Pickup or delivery from ${first}.`).waitFor();
  const footer = page.getByRole('contentinfo');
  for (const text of ['Mon – Sat, 8:00 – 11:00 AM', '12 Maple Street, Burlington, VT 05401']) await footer.getByText(text).waitFor();
  await page.route('**/availability?*', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { availability: [] } });
  });
  await page.goto(example.url());
  await page.getByRole('heading', { name: 'Sourdough loaf' }).waitFor();
  expect(await page.locator('body').innerText()).not.toMatch(/tomorrow|midnight|delivery from/i);
  await visitor.close();
});

test('a path that does not exist has a page with the status 404', async () => {
  const visitor = await visitAs(browser, 'desktop');
  const response = await visitor.page.goto(new URL('breads', example.url()).href);
  await visitor.page.getByRole('heading', { name: 'This page does not exist' }).waitFor();
  expect(response?.status()).toBe(404);
  await look(visitor, 'not-found');
  await visitor.close();
  const phone = await visitAs(browser, 'phone');
  await phone.page.goto(new URL('breads', example.url()).href);
  await phone.page.getByRole('link', { name: 'See what we bake' }).waitFor();
  await look(phone, 'not-found');
  await phone.close();
});

test('the keyboard alone is enough, and returning from the checkout keeps the cart and the session', async () => {
  const visitor = await enter('desktop');
  const { page } = visitor;
  /** URLs of the hosted page. */
  const sessions: string[] = [];
  const focused = () => page.evaluate('document.activeElement.ariaLabel ?? document.activeElement.textContent');
  const tabTo = async (name: string) => {
    for (let presses = 0; presses < 30; presses++) {
      await page.keyboard.press('Tab');
      if ((await focused()) === name) return;
    }
    throw new Error(`Tab never came to ${name}.`);
  };
  const buy = async () => {
    await page.getByText('$11.70').first().waitFor();
    await tabTo('Go to checkout');
    await page.keyboard.press('Enter');
    await page.getByLabel('Card number').waitFor();
    sessions.push(page.url());
  };
  await tabTo('Add to cart: Butter croissant');
  await page.keyboard.press('Enter');
  expect(await focused()).toBe('One more: Butter croissant');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.goto(new URL('cart', example.url()).href);
  await buy();
  await page.getByRole('link', { name: 'Back to the shop' }).first().click();
  await buy();
  expect(sessions).toHaveLength(2);
  expect(new Set(sessions).size).toBe(1);
  expect(visitor.complaints).toEqual([]);
  await visitor.close();
});

test.each(['?session=cs_other', ''])(
  '/thanks%s, which is no order of the shopper, says where the receipt is and leaves the cart',
  async (query) => {
    const visitor = await enter('phone');
    const { page } = visitor;
    await page.getByRole('button', { name: 'Add to cart: Sourdough loaf' }).click();
    await page.goto(new URL(`thanks${query}`, example.url()).href);
    await page.getByRole('heading', { name: 'Have you just paid?' }).waitFor();
    await page.getByRole('link', { name: 'Cart 1' }).waitFor();
    expect(await page.locator('main').innerText()).not.toMatch(/thank you|your order/i);
    await page.getByRole('link', { name: 'Back to the shop' }).click();
    await page.getByRole('link', { name: 'Sourdough loaf' }).first().waitFor();
    await visitor.close();
  },
);

test.each<Width>(['phone', 'desktop'])(
  'a service that rejects loopback addresses is explained to the developer, and not to the shopper, at %s width',
  async (width) => {
    const strict = await startRuntime({ regions: ['us'], seed: true });
    const shop = await start(strict);
    try {
      const visitor = await enter(width, shop.url());
      await visitor.page.getByRole('button', { name: 'Add to cart: Sourdough loaf' }).click();
      await visitor.page.getByRole('link', { name: 'Cart 1' }).click();
      await visitor.page.getByRole('button', { name: 'Go to checkout' }).click();
      await visitor.page.getByRole('alert').getByText('The checkout is closed at the moment.').waitFor();
      expect(await visitor.page.locator('body').innerText()).not.toMatch(/npm|loopback/);
      expect(visitor.complaints).toContainEqual(expect.stringContaining('npm start -- --allow-loopback-webhooks'));
      await look(visitor, 'refused');
      await visitor.close();
    } finally {
      await shop.stop();
      await strict.stop();
    }
  },
);

test('no response of the shop contains the secret key', async () => {
  for (const path of ['', 'shop.js', 'shop.css', 'config.json', 'thanks', 'product', 'cart']) {
    const text = await (await fetch(new URL(path, example.url()))).text();
    // Matches any key's value, but not the client's message about the format of a key.
    expect(text).not.toMatch(/svc_sk_[a-z]+_[a-z]+_\w/);
    expect(text).not.toContain(runtime.demo.us?.secretKey);
  }
});
