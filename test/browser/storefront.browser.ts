import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { shared } from '../support/shared.ts';
import { type Visitor, visitAs } from './browser.ts';
import { day, servePictures, startShop } from './shop.ts';

const shop = shared(startShop);
let visitor: Visitor;
beforeEach(async () => {
  visitor = await visitAs(shop.browser, 'desktop');
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

test('the client in a browser lists products and slots, opens a checkout session and reads an error', async () => {
  const entry = 'clients/typescript/src/index.ts';
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'bakery',
    platform: 'browser',
  });
  await visitor.page.addScriptTag({ content: outputFiles[0]?.text ?? '' });
  const options = { apiKey: shop.publishableKey, baseUrl: `${shop.journey.runtime.urls.us}/api/v2` };
  const seen = await visitor.page.evaluate(`(async () => {
      const replays = [];
      const onResponse = ({ headers }) => replays.push(headers.get('idempotent-replayed'));
      const client = bakery.createClient({ ...${JSON.stringify(options)}, onResponse });
      const names = [];
      for await (const { name } of client.products.listAll({ limit: 1 })) names.push(name);
      const { availability } = await client.availability.retrieve({ date: '${day}' });
      const cart = {
        items: [{ product_id: '${shop.product}', quantity: 1 }], delivery_date: '${day}', delivery_time: '08:00',
        success_url: location.origin + '/thanks', cancel_url: location.origin + '/cart',
      };
      replays.length = 0;
      const one = await client.checkout.create(cart, { idempotencyKey: 'cart-9' });
      const two = await client.checkout.create(cart, { idempotencyKey: 'cart-9' });
      const rejection = await client.products.retrieve('prd_none').catch(({ code, requestId }) => [code, typeof requestId]);
      return { names: names.sort(), bookable: availability[0].bookable, total: one.total, same: one.id === two.id, replays: replays.slice(0, 2), rejection };
    })()`);
  expect(seen).toEqual({
    names: ['Hazelnut layer cake with cherries', 'Sourdough'],
    bookable: true,
    total: 6.5,
    same: true,
    replays: [null, 'true'],
    rejection: ['not_found', 'string'],
  });
});
