import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { brandOf, contrast } from '../../functions/checkout-page/frame.ts';
import type { Settings } from '../../shared/domain/account/settings.ts';
import { openShop, shopSettings } from '../checkout/shop.ts';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';
import { openCounter } from './page.ts';

const world = shared(startWorld);

type Branding = NonNullable<NonNullable<Settings['checkout']>['branding']>;

const withBranding = (branding: Branding | null): Settings => ({
  ...shopSettings,
  checkout: { gateway: 'sandbox', delivery_fee: 5.33, branding } as unknown as NonNullable<Settings['checkout']>,
});

const pageWith = async (branding: Branding | null) => {
  const counter = await openCounter(world, { shop: await openShop(world, { settings: withBranding(branding) }) });
  return await counter.visit('GET', counter.path);
};

describe('the page of a shop with branding', () => {
  test("the page of a shop shows the brand's name instead of the account's, its logo and its accent", async () => {
    const { text } = await pageWith({ name: 'Rosa <Bakery>', logo: 'https://rosa.example/logo.png', accent: '#7A2E8E' });
    expect(text).toContain('<title>Checkout – Rosa &lt;Bakery&gt;</title>');
    expect(text).not.toContain('Test bakery');
    expect(text).toContain('<img src="https://rosa.example/logo.png" alt="">');
    expect(text).toMatch(/--accent:light-dark\(#7A2E8E,#[0-9a-f]{6}\)/);
    const icon = decodeURIComponent(/<link rel="icon" href="(data:image\/svg\+xml,[^"]+)">/.exec(text)?.[1] ?? '');
    expect(icon).toMatch(/fill="#7A2E8E".*>R<\/text>/);
  });

  test("a page without branding shows the account's name, no logo and the default accent", async () => {
    const { text } = await pageWith(null);
    expect(text).toContain('<title>Checkout – Test bakery</title>');
    expect(text).not.toMatch(/<header><img|:root\{--accent/);
  });

  test("the page loads pictures over HTTPS only, and no request contains the page's URL", async () => {
    const { headers } = await pageWith({ logo: 'https://rosa.example/logo.png' });
    expect(headers['Content-Security-Policy']).toContain('; img-src data: https:;');
    expect(headers['Referrer-Policy']).toBe('no-referrer');
  });
});

describe('an accent', () => {
  test.each([
    ['#000000', '#000000', null],
    ['#ffffff', null, '#ffffff'],
    ['#777777', null, null],
    ['#7a2e8e', '#7a2e8e', '#c266da'],
    ['#ffcc00', null, '#ffcc00'],
  ])('%s is used where it has enough contrast, lighter on a dark page: light %s, dark %s', (accent, light, dark) => {
    expect(brandOf('Shop', withBranding({ accent })).accent).toEqual({ light, dark });
  });

  test("an accent that is used is readable as text on the page and as a button's background", async () => {
    const color = fc.integer({ min: 0, max: 0xffffff }).map((number) => `#${number.toString(16).padStart(6, '0')}`);
    await fc.assert(
      fc.property(color, (accent) => {
        const { light, dark } = brandOf('Shop', withBranding({ accent })).accent;
        if (light) expect(Math.min(...['#ffffff', '#f7f3ee'].map((ground) => contrast(light, ground)))).toBeGreaterThanOrEqual(4.5);
        if (dark) expect(Math.min(...['#231f1b', '#191613'].map((ground) => contrast(dark, ground)))).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });

  test.each([
    ['#000000', '#ffffff', 21],
    ['#777777', '#ffffff', 4.48],
    ['#ff0000', '#ffffff', 4],
  ])('the colors %s and %s have the contrast %d of WCAG', (one, other, ratio) => {
    expect(contrast(one, other)).toBeCloseTo(ratio, 2);
  });
});

describe('invalid branding', () => {
  test.each([
    ['a color that is not #rrggbb', { accent: 'red' }, 'checkout.branding.accent'],
    ['an address of 256 characters', { address: 'x'.repeat(256) }, 'checkout.branding.address'],
    ['a logo without HTTPS', { logo: 'http://rosa.example/logo.png' }, 'checkout.branding.logo'],
  ])('settings.put rejects %s', async (_name, branding, field) => {
    const { settingsSchema } = await import('../../shared/domain/account/settings.ts');
    const { parse } = await import('../../shared/core/fields.ts');
    expect(() => parse(settingsSchema, withBranding(branding))).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ field }) }),
    );
  });
});

describe('the summary', () => {
  test('the summary shows the first picture of each product that has one', async () => {
    const shop = await openShop(world);
    const { bread } = shop.products;
    const product = await world.store.products.get(shop.account.id, bread);
    if (!product) throw new Error('No bread.');
    const images = ['https://rosa.example/bread.jpg', 'https://rosa.example/other.jpg'];
    await world.store.commit([world.store.products.replaceWrite(shop.account.id, { ...product.record, images }, product)]);
    const items = [
      { product_id: bread, quantity: 2 },
      { product_id: shop.products.cake, variant_id: 'var_large', quantity: 1 },
    ];
    const counter = await openCounter(world, { shop, fields: { items } });
    const { text } = await counter.visit('GET', counter.path);
    expect(text.match(/<img src="[^"]+\/bread[^"]*" alt="">|<img src="[^"]+\/other[^"]*" alt="">/g)).toEqual([
      expect.stringContaining('https://rosa.example/bread.jpg'),
    ]);
    expect(text).toContain('Your order (3 items)');
  });

  test.each([
    ['pickup', true],
    ['dispatch', false],
  ])('the page and its receipt for %s show the address of the branding: %s', async (delivery_type, isShown) => {
    const settings = withBranding({ address: '7 Oven Row <Springfield>' });
    const shop = await openShop(world, { settings });
    const fields = { delivery_type, ...(delivery_type === 'pickup' ? {} : { delivery_address: '1 Mill Lane' }) };
    const counter = await openCounter(world, { shop, fields });
    for (const state of ['open', 'paid']) {
      expect((await counter.session()).status).toBe(state);
      const { text } = await counter.visit('GET', counter.path);
      expect(text.includes('7 Oven Row &lt;Springfield&gt;')).toBe(isShown);
      await counter.pay('4242 4242 4242 4242');
    }
  });

  test('the summary is shown on the page of an expired session, which links back to the shop', async () => {
    const counter = await openCounter(world);
    world.clock.advance(25 * 3_600_000);
    const { text } = await counter.visit('GET', counter.path);
    expect(text).toContain('This checkout has expired');
    expect(text).toMatch(/<aside aria-label="Order summary">[\s\S]*Sourdough/);
    expect(text).toMatch(/<a class="button" href="https:\/\/shop\.example\.com\/cart">Back to the shop</);
  });
});

describe('an error next to a field', () => {
  test.each([
    ['last_name', 'x'.repeat(300), 'Use at most 255 characters.'],
    ['last_name', ' ', 'Enter your last name.'],
    ['email', `${'x'.repeat(300)}@example.com`, 'Use at most 254 characters.'],
    ['email', '\u{1f370}'.repeat(200), 'Enter an email address, like name@example.com.'],
    ['email', 'robin', 'Enter an email address, like name@example.com.'],
    ['phone', '5'.repeat(300), 'Use at most 255 characters.'],
  ])('the error next to %s states its problem', async (name, value, sentence) => {
    const counter = await openCounter(world, { fields: { customer: null } });
    const { text } = await counter.pay('4242 4242 4242 4242', { last_name: 'Baker', email: 'ada@example.com', [name]: value });
    expect(text).toContain(`id="${name}-error">${sentence}</p>`);
  });
});
