import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { shared } from '../support/shared.ts';
import { bothWidths, soon, type Visitor, visitAs, type Width } from './browser.ts';
import { startExampleShop } from './example-shop.ts';
import type { State } from './screens.ts';

const shop = shared(() => startExampleShop({ allowLoopbackWebhooks: true }));
// Each test has a minute of its own, because all its requests come from one address.
beforeEach(() => shop.clock.advance(60_000));

let visitor: Visitor;
afterEach(async () => {
  await visitor.close();
});

/** Opens a page as a new visitor. */
const visit = async (width: Width): Promise<Page> => {
  visitor = await visitAs(shop.browser, width);
  return visitor.page;
};
const enter = async (width: Width, { example } = shop): Promise<Page> => {
  const page = await visit(width);
  await page.goto(example.url());
  await page.getByRole('button', { name: 'Add to cart: Sourdough loaf' }).waitFor();
  return page;
};
const orders = async (): Promise<any[]> => {
  const headers = { authorization: `Bearer ${shop.runtime.demo.us?.secretKey}` };
  const { data } = (await (await fetch(`${shop.runtime.urls.us}/api/v2/orders?limit=100`, { headers })).json()) as { data: any[] };
  return data.filter(({ source }) => source === 'checkout');
};

test.each(bothWidths)('a shopper chooses products, pays on the hosted page and returns to the order at %s width', async (width) => {
  const before = (await orders()).length;
  const page = await enter(width);
  const look = async (state: State) => {
    if (width === 'phone') await visitor.look(state);
  };
  await page.getByRole('button', { name: 'Add to cart: Sourdough loaf' }).click();
  await page.getByRole('button', { name: 'One more: Sourdough loaf' }).click();
  await look('shop/products');

  await page.getByRole('link', { name: 'Choose a size: Lemon tart' }).click();
  await page.getByRole('radio', { name: 'Large, 8 slices $32.00' }).check();
  await page.getByRole('button', { name: 'Add to cart: Lemon tart, Large, 8 slices' }).click();
  await look('shop/product');

  await page.getByRole('link', { name: 'Cart 3' }).click();
  await page.getByText('$49.00').waitFor();
  await soon(async () => expect(await page.locator('main').innerText()).not.toMatch(/fee|at checkout/i));
  await page.getByLabel('Note for the bakery').fill('For Grace, “Happy birthday”');
  await look('shop/cart');

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
  await look('shop/thanks');
  expect((await orders()).slice(0, -before || undefined)).toMatchObject([
    { total: 49, items: expect.any(Array), notes: 'For Grace, “Happy birthday”' },
  ]);

  await page.getByRole('link', { name: 'Cart' }).click();
  await page.getByRole('heading', { name: 'Your cart is empty' }).waitFor();
});

test('the search shows matching products, and its URL can be shared', async () => {
  const page = await enter('phone');
  const names = () => page.getByRole('heading', { level: 2 }).allTextContents();
  await page.getByRole('searchbox', { name: 'Search products' }).fill('wedding cake');
  await soon(async () => expect(await names()).toEqual(['Celebration cake']));
  await page.getByRole('heading', { name: 'Results for “wedding cake”' }).waitFor();
  await page.getByRole('status').getByText('1 product', { exact: true }).waitFor();
  await visitor.look('shop/search');
  await page.goto(page.url());
  await page.getByRole('heading', { name: 'Celebration cake' }).waitFor();
  await soon(async () => expect(await names()).toEqual(['Celebration cake']));
  await page.getByRole('searchbox', { name: 'Search products' }).fill('pizza');
  await page.getByRole('heading', { name: 'Nothing matches “pizza”' }).waitFor();
  await visitor.look('shop/nothing-found');
  await page.getByRole('link', { name: 'Show all products' }).click();
  await page.getByRole('heading', { name: 'Lemon tart' }).waitFor();
});

test('a search on any other page opens the products page', async () => {
  const page = await enter('phone');
  await page.goto(new URL('cart', shop.example.url()).href);
  await page.getByRole('searchbox', { name: 'Search products' }).fill('butter');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Butter croissant' }).waitFor();
});

test('the cart shows that it is empty after its last line is removed', async () => {
  const page = await enter('phone');
  await page.getByRole('button', { name: 'Add to cart: Butter croissant' }).click();
  await page.getByRole('link', { name: 'Cart 1' }).click();
  await page.getByRole('button', { name: 'One fewer: Butter croissant' }).click();
  await page.getByRole('heading', { name: 'Your cart is empty' }).waitFor();
  await visitor.look('shop/cart-empty');
});

test("a product shows its category's drawing if its picture fails to load", async () => {
  const page = await visit('phone');
  await page.route('**/api/v2/products**', async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    for (const product of body.data) product.images = ['https://pictures.example/lost.jpg'];
    body.data.find(({ name }: any) => name === 'Sourdough loaf').name = 'constructor';
    await route.fulfill({ response, json: body });
  });
  await page.route('https://pictures.example/**', (route) => route.abort());
  await page.goto(shop.example.url());
  const sourdough = page.getByRole('listitem').filter({ hasText: 'constructor' });
  await sourdough.locator('img[src="/pictures/bread.svg"]').waitFor();
  expect(visitor.complaints.splice(0)).toContainEqual(expect.stringContaining('Failed to load'));
});

test('delivery has its own slots on bookable days and shows their fee, and the checkout leads back to the choice', async () => {
  const page = await enter('desktop');
  /** Keys of the sessions. The same key has the same session. */
  const keys = new Set<string | undefined>();
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/checkout')) keys.add(request.headers()['idempotency-key']);
  });
  await page.getByRole('button', { name: 'Add to cart: Sourdough loaf' }).click();
  await page.getByRole('link', { name: 'Cart 1' }).click();
  await page.getByRole('button', { name: 'Go to checkout' }).waitFor();
  const days = () => page.getByLabel('Day').locator('option').allTextContents();
  await soon(async () => expect((await days()).filter((day) => day.startsWith('Sunday'))).toEqual([]));
  await page.getByRole('radio', { name: 'Delivery' }).check();
  await page.getByRole('option', { name: 'Midday, 11:00 AM – 2:00 PM' }).waitFor({ state: 'attached' });
  await soon(async () =>
    expect((await page.getByLabel('Time').locator('option').allTextContents()).filter((slot) => slot.startsWith('Morning'))).toEqual([]),
  );
  await page.getByText('Delivery $6.00').waitFor();
  await page.getByText('Total $14.50').waitFor();
  const [dayField, slotField] = [page.locator('[name=date]'), page.locator('[name=slot]')];
  const offered = await page.evaluate<string[]>('[...document.querySelectorAll("[name=date] option")].map(({ value }) => value)');
  // Thursdays and Fridays have an evening.
  const [before = '', day = ''] = offered.filter((date) => [4, 5].includes(new Date(date).getUTCDay()));
  await dayField.selectOption(before);
  await slotField.selectOption('ds_evening');
  await page.getByText('Total $17.50').waitFor();
  await dayField.selectOption(day);
  await page.getByRole('button', { name: 'Go to checkout' }).click();
  await page.getByText('Delivery fee').first().waitFor();
  await page.getByRole('link', { name: 'Back to the shop' }).click();
  await page.getByText('Total $17.50').waitFor();
  await soon(async () => expect(await page.getByRole('radio', { name: 'Delivery' }).isChecked()).toBe(true));
  await soon(async () => expect([await dayField.inputValue(), await slotField.inputValue()]).toEqual([day, 'ds_evening']));
  await page.getByRole('radio', { name: 'Pick up' }).check();
  await page.getByText('Total $8.50').waitFor();
  await soon(async () => expect(await page.getByText('Delivery $9.00').isVisible()).toBe(false));
  // One for the fee of each slot, and one for the other day.
  expect(keys.size).toBe(3);
});

test('the shop names the first day that availability gives, its hours and its address, or nothing', async () => {
  const page = await visit('desktop');
  const query = new URL(`${shop.runtime.urls.us}/api/v2/availability`);
  const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
  for (const [name, value] of Object.entries({ from: day(1), to: day(14), type: 'pickup' })) query.searchParams.set(name, value);
  const headers = { authorization: `Bearer ${shop.runtime.demo.us?.secretKey}` };
  const { availability } = (await (await fetch(query, { headers })).json()) as any;
  const { date } = availability.find(({ bookable, time_slots }: any) => bookable && time_slots.length > 0);
  const first = new Date(date).toLocaleDateString('en-US', { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' });
  await page.goto(shop.example.url());
  await page.locator('.intro').getByText(`Pickup or delivery from ${first}.`).waitFor();
  const footer = page.getByRole('contentinfo');
  for (const text of ['Mon – Sat, 8:00 – 11:00 AM', '12 Maple Street, Burlington, VT 05401']) await footer.getByText(text).waitFor();
  await page.route('**/availability?*', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { availability: [] } });
  });
  await page.evaluate('sessionStorage.clear()');
  await page.goto(shop.example.url());
  await page.getByRole('heading', { name: 'Sourdough loaf' }).waitFor();
  await soon(async () => expect(await page.locator('body').innerText()).not.toMatch(/tomorrow|midnight|delivery from/i));
});

test('a path that does not exist has a page with the status 404', async () => {
  const page = await visit('desktop');
  const response = await page.goto(new URL('breads', shop.example.url()).href);
  await page.getByRole('heading', { name: 'This page does not exist' }).waitFor();
  expect(response?.status()).toBe(404);
  await visitor.look('shop/not-found');
  expect(visitor.complaints.splice(0)).toEqual([expect.stringContaining('404')]);
});

test('the keyboard alone is enough, and returning from the checkout keeps the cart and the session', async () => {
  const page = await enter('desktop');
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
  await soon(async () => expect(await focused()).toBe('One more: Butter croissant'));
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.goto(new URL('cart', shop.example.url()).href);
  await buy();
  await page.getByRole('link', { name: 'Back to the shop' }).first().click();
  await buy();
  expect(sessions).toHaveLength(2);
  expect(new Set(sessions).size).toBe(1);
});

test.each(['?session=cs_other', ''])(
  '/thanks%s, which is no order of the shopper, says where the receipt is and leaves the cart',
  async (query) => {
    const page = await enter('phone');
    await page.getByRole('button', { name: 'Add to cart: Sourdough loaf' }).click();
    await page.goto(new URL(`thanks${query}`, shop.example.url()).href);
    await page.getByRole('heading', { name: 'Have you just paid?' }).waitFor();
    await page.getByRole('link', { name: 'Cart 1' }).waitFor();
    await soon(async () => expect(await page.locator('main').innerText()).not.toMatch(/thank you|your order/i));
    await page.getByRole('link', { name: 'Back to the shop' }).click();
    await page.getByRole('link', { name: 'Sourdough loaf' }).first().waitFor();
  },
);

test('a service that rejects loopback addresses is explained to the developer, and not to the shopper', async () => {
  const strict = await startExampleShop();
  try {
    const page = await enter('phone', strict);
    await page.getByRole('button', { name: 'Add to cart: Sourdough loaf' }).click();
    await page.getByRole('link', { name: 'Cart 1' }).click();
    await page.getByRole('button', { name: 'Go to checkout' }).click();
    await page.getByRole('alert').getByText('The checkout is closed at the moment.').waitFor();
    await soon(async () => expect(await page.locator('body').innerText()).not.toMatch(/npm|loopback/));
    expect(visitor.complaints.splice(0)).toContainEqual(expect.stringContaining('npm start -- --allow-loopback-webhooks'));
    await visitor.look('shop/refused');
  } finally {
    await strict.stop();
  }
});

test('the shop reads products, days and hours once a minute in a tab', async () => {
  const page = await visit('phone');
  const reads: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/v2/')) reads.push(pathname.slice('/api/v2/'.length));
  });
  const openAt = async (ms: number) => {
    await page.clock.setFixedTime(ms);
    await page.goto(shop.example.url());
    await page.getByRole('heading', { name: 'Sourdough loaf' }).waitFor();
    await page.getByRole('contentinfo').getByText('Mon – Sat').waitFor();
    return reads.splice(0).toSorted();
  };
  const start = shop.clock.now();
  const all = ['availability', 'availability', 'products', 'reference/time-slots'];
  expect([await openAt(start), await openAt(start + 59_999), await openAt(start + 60_000)]).toEqual([all, [], all]);
});

test('no response of the shop contains the secret key', async () => {
  for (const path of ['', 'shop.js', 'shop.css', 'config.json', 'thanks', 'product', 'cart']) {
    const text = await (await fetch(new URL(path, shop.example.url()))).text();
    // Matches any key's value, but not the client's message about the format of a key.
    expect(text).not.toMatch(/svc_sk_[a-z]+_[a-z]+_\w/);
    expect(text).not.toContain(shop.runtime.demo.us?.secretKey);
  }
});
