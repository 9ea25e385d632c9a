import { writeFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { openExample } from '../examples/example.ts';
import { visitAs } from './browser.ts';
import { schemes } from './screens.ts';

/** In pixels. */
const height = 820;
const widths = { phone: 390, page: 980 } as const;

type Scheme = (typeof schemes)[number];
type Shots = Readonly<Record<Scheme, Buffer>>;

const shoot = async (page: Page, width: number): Promise<Shots> => {
  await page.setViewportSize({ width, height });
  await page.mouse.move(0, 0);
  const shots: [Scheme, Buffer][] = [];
  for (const scheme of schemes) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    shots.push([scheme, await page.screenshot()]);
  }
  return Object.fromEntries(shots) as Record<Scheme, Buffer>;
};

/** Buys in the shop of the example. Returns its products and the checkout page, before the payment. */
const buy = async (browser: Browser, port: number): Promise<readonly Shots[]> => {
  const example = await openExample(process.execPath, 'examples/storefront/server.ts', { PORT: '0', BAKERY_PORT: String(port) });
  try {
    const { page } = await visitAs(browser, 'phone');
    await page.goto(example.url());
    await page.getByRole('button', { name: 'Add to cart: Sourdough loaf' }).click();
    await page.getByRole('button', { name: 'One more: Sourdough loaf' }).click();
    await page.evaluate('scrollTo(0, 0)');
    const shop = await shoot(page, widths.phone);
    await page.getByRole('link', { name: 'Cart 2' }).click();
    await page.getByRole('button', { name: 'Go to checkout' }).click();
    await page.getByLabel('Card number').fill('4242 4242 4242 4242');
    await page.getByLabel('Last name').fill('Miller');
    await page.getByLabel('Email').fill('grace@example.com');
    await page.evaluate('document.activeElement.blur(), scrollTo(0, 0)');
    const checkout = await shoot(page, widths.phone);
    await page.getByRole('button', { name: /^Pay / }).click();
    await page.waitForURL('**/thanks?session=*');
    return [shop, checkout];
  } finally {
    await example.stop();
  }
};

/**
 * Takes the picture of the README: a shop, its checkout and the deliveries of the order, side by
 * side. `showDeliveries` returns their page after the payment.
 */
export const takeOverview = async (browser: Browser, port: number, showDeliveries: () => Promise<Page>): Promise<void> => {
  const shots = [...(await buy(browser, port)), await shoot(await showDeliveries(), widths.page)];
  const page = await browser.newPage({ viewport: { width: 2 * widths.phone + widths.page + 38, height } });
  for (const scheme of schemes) {
    const images = shots.map((shot) => `<img src="data:image/png;base64,${shot[scheme].toString('base64')}">`);
    const border = scheme === 'dark' ? '#3d3a37' : '#d8d2cb';
    await page.setContent(`<style>body { margin: 0; display: flex; gap: 16px } img { border: 1px solid ${border}; border-radius: 14px }</style>
<body>${images.join('')}`);
    const file = `docs/pictures/overview-${scheme}.png`;
    await writeFile(file, await page.locator('body').screenshot({ omitBackground: true }));
  }
};
