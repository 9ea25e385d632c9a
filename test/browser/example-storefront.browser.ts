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
  await visitor.page.getByRole('button', { name: 'Go to checkout' }).waitFor();
  return visitor;
};
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

describe.each<Width>(['phone', 'desktop'])('at %s width', (width) => {
  test('a shopper chooses, pays on the hosted page and comes back: one paid order', async () => {
    const before = (await orders()).length;
    const visitor = await enter(width);
    const { page } = visitor;
    await page.getByLabel('Sourdough loaf: how many').fill('2');
    await page.getByLabel('Lemon tart: size').selectOption({ label: 'Large, 8 slices, $32.00' });
    await page.getByLabel('Lemon tart: how many').fill('1');
    await page.getByText('$49.00').waitFor();
    await look(visitor, 'products');

    await page.getByRole('button', { name: 'Go to checkout' }).click();
    await page.getByLabel('Card number').fill('4242 4242 4242 4242');
    for (const [label, value] of [
      ['Last name', 'Miller'],
      ['Email', 'grace@example.com'],
    ] as const) {
      const field = page.getByLabel(label);
      if ((await field.count()) > 0) await field.fill(value);
    }
    await page.getByRole('button', { name: 'Pay $49.00' }).click();
    await page.waitForURL('**/thanks');
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    await look(visitor, 'thanks');
    expect((await orders()).slice(0, -before || undefined)).toMatchObject([{ total: 49, items: expect.any(Array) }]);

    await page.getByRole('link', { name: 'Back to the shop' }).click();
    await expect(page.getByLabel('Sourdough loaf: how many').inputValue()).resolves.toBe('0');
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });
});

test('delivery has its own slots, and only days that are bookable are offered', async () => {
  const visitor = await enter('desktop');
  const { page } = visitor;
  const days = () => page.getByLabel('Day').locator('option').allTextContents();
  expect((await days()).filter((day) => day.startsWith('Sunday'))).toEqual([]);
  await page.getByRole('radio', { name: 'Delivery' }).check();
  await page.getByRole('option', { name: 'Midday, 11:00 – 14:00' }).waitFor({ state: 'attached' });
  expect(await page.getByLabel('Time').locator('option').allTextContents()).not.toContain('Morning, 08:00 – 11:00');
  expect(visitor.complaints).toEqual([]);
  await visitor.close();
});

test('the keyboard alone is enough; the way back from the checkout keeps the cart and the session', async () => {
  const visitor = await enter('desktop');
  const { page } = visitor;
  /** URLs of the hosted page. */
  const sessions: string[] = [];
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const tabTo = async (name: string) => {
    for (let presses = 0; presses < 30; presses++) {
      await press('Tab');
      if ((await page.evaluate('document.activeElement.ariaLabel ?? document.activeElement.textContent')) === name) return;
    }
    throw new Error(`Tab never came to ${name}.`);
  };
  const buy = async () => {
    await tabTo('Go to checkout');
    await press('Enter');
    await page.getByLabel('Card number').waitFor();
    sessions.push(page.url());
  };
  await tabTo('Butter croissant: how many');
  await press('ArrowUp', 'ArrowUp', 'ArrowUp');
  await page.getByText('$11.70').waitFor();
  await buy();
  await page.goto(example.url());
  await page.getByText('$11.70').waitFor();
  expect(await page.getByLabel('Butter croissant: how many').inputValue()).toBe('3');
  await buy();
  expect(sessions).toHaveLength(2);
  expect(new Set(sessions).size).toBe(1);
  expect(visitor.complaints).toEqual([]);
  await visitor.close();
});

test('nothing chosen is said, and nothing is sent', async () => {
  const visitor = await enter('phone');
  const asked: string[] = [];
  visitor.page.on('request', (request) => asked.push(request.url()));
  await visitor.page.getByRole('button', { name: 'Go to checkout' }).click();
  await visitor.page.getByRole('alert').getByText('Choose something first.').waitFor();
  await look(visitor, 'nothing-chosen');
  expect(asked).toEqual([]);
  expect(visitor.complaints).toEqual([]);
  await visitor.close();
});

test('a service that rejects loopback addresses is recognized, and the message says what to do', async () => {
  const strict = await startRuntime({ regions: ['us'], seed: true });
  const shop = await start(strict);
  try {
    const visitor = await enter('phone', shop.url());
    await visitor.page.getByLabel('Sourdough loaf: how many').fill('1');
    await visitor.page.getByRole('button', { name: 'Go to checkout' }).click();
    await visitor.page.getByRole('alert').getByText('npm start -- --allow-loopback-webhooks').waitFor();
    await look(visitor, 'refused');
    await visitor.close();
  } finally {
    await shop.stop();
    await strict.stop();
  }
});

test('the secret key is nowhere in what the shop gives out', async () => {
  for (const path of ['', 'shop.js', 'shop.css', 'config.json', 'thanks']) {
    const text = await (await fetch(new URL(path, example.url()))).text();
    // Matches any key's value, but not the client's message about the format of a key.
    expect(text).not.toMatch(/svc_sk_[a-z]+_[a-z]+_\w/);
    expect(text).not.toContain(runtime.demo.us?.secretKey);
  }
});
