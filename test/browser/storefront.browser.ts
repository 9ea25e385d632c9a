import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { launch, type Visitor, visitAs } from './browser.ts';
import { type BrowserShop, day, servePictures, startShop } from './shop.ts';

let browser: Browser;
let shop: BrowserShop;
let visitor: Visitor;
beforeAll(async () => {
  [browser, shop] = await Promise.all([launch(), startShop()]);
});
afterAll(async () => {
  await browser.close();
  await shop.stop();
});
beforeEach(async () => {
  visitor = await visitAs(browser, 'desktop');
  await servePictures(visitor.page.context());
  await visitor.page.goto(`${shop.storefront.origin}/`);
});
afterEach(() => visitor.close());

interface Call {
  readonly method?: string;
  readonly body?: unknown;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Reply {
  readonly status: number;
  readonly body: any;
  readonly requestId: string | null;
  readonly limit: string | null;
  readonly replayed: string | null;
}

/**
 * Sends a request from a script on the shop's page to the service on another origin. Returns the
 * response.
 */
const call = (path: string, { method = 'GET', body, key = shop.publishableKey, headers = {} }: Call = {}): Promise<Reply> => {
  const url = `${shop.journey.runtime.urls.us}/api/v2${path}`;
  const init = {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  return visitor.page.evaluate(
    `fetch(${JSON.stringify(url)}, ${JSON.stringify(init)}).then(async (response) => ({
      status: response.status,
      body: await response.json(),
      requestId: response.headers.get('x-request-id'),
      limit: response.headers.get('x-ratelimit-limit'),
      replayed: response.headers.get('idempotent-replayed'),
    }))`,
  ) as Promise<Reply>;
};

test('a storefront in a browser lists products, opens a checkout and gets a paid order', async () => {
  const products = await call('/products');
  expect(products.body.data.map(({ name }: { name: string }) => name).sort()).toEqual(['Hazelnut layer cake with cherries', 'Sourdough']);
  const slots = await call('/reference/time-slots');
  expect(slots.body.time_slots.map(({ label }: { label: string }) => label)).toEqual(['Morning', 'Midday']);
  const availability = await call(`/availability?date=${day}`);
  expect(availability).toMatchObject({ status: 200, limit: '300', requestId: expect.any(String) });
  const body = {
    items: [{ product_id: shop.product, quantity: 1 }],
    customer: { email: 'grace@example.com', last_name: 'Miller' },
    delivery_date: day,
    delivery_time: '08:00',
    success_url: `${shop.storefront.origin}/thanks`,
    cancel_url: `${shop.storefront.origin}/cart`,
  };
  const headers = { 'Idempotency-Key': 'cart-1' };
  const session = await call('/checkout', { method: 'POST', body, headers });
  expect(session).toMatchObject({ status: 201, body: { status: 'open', total: 6.5 }, replayed: null });
  expect(await call('/checkout', { method: 'POST', body, headers })).toMatchObject({ body: session.body, replayed: 'true' });
  const { page } = visitor;
  await page.evaluate(`location.assign(${JSON.stringify(session.body.url)})`);
  await page.getByLabel('Card number').fill('4242 4242 4242 4242');
  await page.getByRole('button', { name: 'Pay $6.50' }).click();
  await page.waitForURL(`${shop.storefront.origin}/thanks`);
  expect(await shop.orders()).toMatchObject([{ source: 'checkout', total: 6.5, customer_email: 'grace@example.com' }]);
  expect(visitor.complaints).toEqual([]);
});

test.each<[string, string, () => Call, number, object]>([
  ['a product that is not there', '/products/prd_none', () => ({}), 404, { error: { code: 'not_found' } }],
  ['an invalid key', '/products', () => ({ key: 'nonsense' }), 401, { error: { code: 'invalid_api_key' } }],
  [
    'a body that says nothing',
    '/checkout',
    () => ({ method: 'POST', body: {} }),
    400,
    { error: { code: 'invalid_value', field: 'items' } },
  ],
  ['an invalid range', '/availability', () => ({}), 400, { error: { type: 'validation_error' } }],
])('a storefront can read the error of %s', async (_, path, options, status, body) => {
  const reply = await call(path, options());
  expect(reply).toMatchObject({ status, body, requestId: expect.any(String) });
});

test('a storefront cannot call endpoints that need a secret key', async () => {
  await expect(call('/orders')).rejects.toThrow(/Failed to fetch/);
});
