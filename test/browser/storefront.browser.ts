import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { launch, type Visitor, visitAs } from './browser.ts';
import { type BrowserShop, servePictures, startShop } from './shop.ts';

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
