import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { launch, visitAs } from './browser.ts';
import { type BrowserShop, day, startShop } from './shop.ts';

let browser: Browser;
let shop: BrowserShop;
beforeAll(async () => {
  [browser, shop] = await Promise.all([launch(), startShop()]);
});
afterAll(async () => {
  await browser.close();
  await shop.stop();
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
  const visitor = await visitAs(browser, 'phone');
  try {
    await visitor.page.goto(`${shop.storefront.origin}/`);
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
  } finally {
    await visitor.close();
  }
});
