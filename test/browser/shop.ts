import { readFile } from 'node:fs/promises';
import type { BrowserContext } from 'playwright-core';
import { createClock } from '../support/clock.ts';
import { startJourney } from '../support/journey.ts';
import { launch } from './browser.ts';
import { startStorefront } from './storefront.ts';

export const day = '2030-03-14';

const pictures = 'https://pictures.example';
const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" rx="10" fill="#0b5c4a"/><path d="M8 26c0-9 6-14 12-14s12 5 12 14z" fill="#fff"/></svg>';

/** Serves the example shop's pictures, and collects the Referer headers of the requests. */
export const servePictures = async (context: BrowserContext): Promise<(string | undefined)[]> => {
  const referers: (string | undefined)[] = [];
  await context.route(`${pictures}/**`, async (route) => {
    const name = new URL(route.request().url()).pathname.slice(1);
    referers.push((await route.request().allHeaders())['referer']);
    const body = name === 'logo.svg' ? logo : await readFile(new URL(`../../examples/storefront/page/pictures/${name}`, import.meta.url));
    await route.fulfill({ contentType: 'image/svg+xml', body });
  });
  return referers;
};

/** An account on the running service with a storefront, and a browser. */
export const startShop = async () => {
  const clock = createClock(Date.now());
  const [browser, journey, storefront] = await Promise.all([launch(), startJourney({ regions: ['us'], clock }), startStorefront()]);
  const merchant = await journey.merchant();
  await merchant.act('settings.put', {
    time_slots: {
      pickup: [{ id: 'ps_1', label: 'Morning', start: '08:00', end: '11:00' }],
      delivery: [{ id: 'ds_1', label: 'Midday', start: '11:00', end: '14:00', multiplier: 1.5 }],
    },
    checkout: {
      gateway: 'sandbox',
      delivery_fee: 6,
      branding: { name: 'Mill Lane Bakery', logo: `${pictures}/logo.svg`, accent: '#0b5c4a', address: '7 Mill Lane, Oldtown, NY 10001' },
    },
  });
  const variants = [{ id: 'var_large', name: 'Large, for twelve', price: 58 }];
  const bread = await merchant.act('product.create', {
    name: 'Sourdough',
    price: 6.5,
    currency: 'USD',
    images: [`${pictures}/bread.svg`],
  });
  const cake = await merchant.act('product.create', {
    name: 'Hazelnut layer cake with cherries',
    price: 42,
    currency: 'USD',
    variants,
    images: [`${pictures}/cakes.svg`],
  });
  const { key: publishableKey } = await merchant.act('key.create', { type: 'publishable', name: 'Web shop' });
  return {
    browser,
    journey,
    clock,
    merchant,
    storefront,
    publishableKey,
    product: bread.id,
    /** Returns the hosted page's URL of a new session. */
    async checkout(fields: Record<string, unknown> = {}): Promise<string> {
      // All requests of a file come from one address and one key, so each session has a minute of its own.
      clock.advance(60_000);
      const { status, text, body } = await merchant.call('POST', '/checkout', {
        items: [
          { product_id: bread.id, quantity: 2 },
          { product_id: cake.id, variant_id: 'var_large', quantity: 1 },
        ],
        delivery_type: 'delivery',
        delivery_date: day,
        delivery_time: '11:00',
        success_url: `${storefront.origin}/thanks`,
        cancel_url: `${storefront.origin}/cart`,
        ...fields,
      });
      if (status !== 201) throw new Error(text);
      return body.url;
    },
    orders: async (): Promise<any[]> => (await merchant.call('GET', '/orders?limit=100')).body.data,
    async stop() {
      await browser.close();
      await storefront.stop();
      await journey.stop();
    },
  };
};
