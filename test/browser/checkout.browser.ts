import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { launch, type Visitor, visitAs, type Width, widths } from './browser.ts';
import type { states } from './screens.ts';
import { type BrowserShop, servePictures, startShop } from './shop.ts';

let browser: Browser;
let shop: BrowserShop;
beforeAll(async () => {
  [browser, shop] = await Promise.all([launch(), startShop()]);
});
afterAll(async () => {
  await browser.close();
  await shop.stop();
});

describe.each(Object.keys(widths) as Width[])('the checkout page on a %s', (width) => {
  let visitor: Visitor;
  let before: number;
  let referers: (string | undefined)[];
  beforeEach(async () => {
    visitor = await visitAs(browser, width);
    referers = await servePictures(visitor.page.context());
    before = (await shop.orders()).length;
  });
  afterEach(async () => {
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  /** Expects an accessible page without clipped content, and saves a screenshot. */
  const look = async (name: (typeof states.checkout)[number]) => {
    expect(await visitor.violationsInBoth()).toEqual([]);
    expect(await visitor.cutOff()).toEqual([]);
    await visitor.picture(`checkout/${name}`);
  };
  const open = async (fields?: Record<string, unknown>) => {
    await visitor.page.goto(await shop.checkout(fields));
    const { page } = visitor;
    return {
      page,
      async introduce() {
        await page.getByLabel('First name').fill('Ada');
        await page.getByLabel('Last name').fill('Baker');
        await page.getByLabel('Email').fill('ada@example.com');
        await page.getByLabel('Street address').fill('1 Mill Lane');
        await page.getByLabel('City').fill('Oldtown');
        await page.getByLabel('State or province').selectOption('New York');
        await page.getByLabel('ZIP or postal code').fill('10001');
      },
      card: (number: string) => page.getByLabel('Card number').fill(number),
      pay: () => page.getByRole('button', { name: /^Pay / }),
    };
  };
  const known = { customer: { email: 'ada@example.com', last_name: 'Baker' }, delivery_address: '1 Mill Lane' };
  /** The role, or the name, of the focused element. */
  const focused = () => visitor.page.evaluate<string>('document.activeElement.role ?? document.activeElement.tagName');
  const newOrders = async () => (await shop.orders()).length - before;

  test('an approved card redirects to the shop and creates one order', async () => {
    const { page, introduce, card, pay } = await open();
    await look('open');
    await introduce();
    await card('4242 4242 4242 4242');
    await pay().click();
    await page.waitForURL(`${shop.storefront.origin}/thanks`);
    expect(await newOrders()).toBe(1);
    await page.goBack();
    await page.getByRole('heading', { name: 'Thank you for your order' }).waitFor();
    await look('paid');
  });

  test("the page shows the products' pictures and requests them without a Referer", async () => {
    const { page } = await open();
    // The whole box is the target, also its lower corner.
    const { x, y, width: across, height } = (await page.locator('aside').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    if (width === 'phone') await page.mouse.click(x + across - 4, y + height - 4);
    const drawn = () => page.locator('img').evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth > 0));
    await eventually(drawn, (all) => all.length === 3 && all.every(Boolean));
    expect(referers).toEqual([undefined, undefined, undefined]);
    await page.getByText('Show test cards').click();
    await page.getByRole('button', { name: 'Use 4000 0000 0000 0002' }).waitFor();
    await look('unfolded');
    await page.getByRole('button', { name: 'Use 4000 0000 0000 0002' }).click();
    expect(await page.getByLabel('Card number').inputValue()).toBe('4000 0000 0000 0002');
  });

  test.each([true, false])('a picture that fails to load leaves no gap (JavaScript enabled: %s)', async (javaScriptEnabled) => {
    const context = await browser.newContext({ javaScriptEnabled, viewport: widths[width] });
    await context.route('https://pictures.example/**', (route) => route.abort());
    const page = await context.newPage();
    await page.goto(await shop.checkout());
    if (width === 'phone') await page.getByText('Your order (3 items)').click();
    const leftEdge = async (selector: string) => (await page.locator(selector).first().boundingBox())?.x;
    expect(await leftEdge('ul.cart li > span:not(.picture)')).toBe(await leftEdge('ul.cart li'));
    expect(await leftEdge('header p')).toBe(await leftEdge('h1'));
    await context.close();
  });

  test('Pay is visible without scrolling on a desktop', async () => {
    const { pay } = await open();
    const box = await pay().boundingBox();
    if (width === 'desktop') expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(widths.desktop.height);
  });

  test('a shopper can pay with the keyboard alone', async () => {
    const { page, card } = await open(known);
    await card('4242424242424242');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${shop.storefront.origin}/thanks`);
    expect(await newOrders()).toBe(1);
  });

  test('a shopper can pay without JavaScript', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: widths[width] });
    const page = await context.newPage();
    await page.goto(await shop.checkout(known));
    await page.getByLabel('Card number').fill('4242424242424242');
    await page.getByRole('button', { name: /^Pay / }).click();
    await page.waitForURL(`${shop.storefront.origin}/thanks`);
    await context.close();
    expect(await newOrders()).toBe(1);
  });

  test('a declined card shows an error, and a second card can pay', async () => {
    const { page, card, pay } = await open(known);
    await card('4000 0000 0000 0002');
    await pay().click();
    await page.getByRole('alert').getByText('The card was declined').waitFor();
    expect(await focused()).toBe('alert');
    await look('declined');
    expect(await newOrders()).toBe(0);
    await card('4242 4242 4242 4242');
    await pay().click();
    await page.waitForURL(`${shop.storefront.origin}/thanks`);
    expect(await newOrders()).toBe(1);
  });

  test('the form keeps its values after a declined card, and they can be edited', async () => {
    const { page, introduce, card, pay } = await open();
    await introduce();
    await card('4000 0000 0000 0002');
    await pay().click();
    await page.getByRole('alert').getByText('The card was declined').waitFor();
    const labels = [
      'First name',
      'Last name',
      'Email',
      'Phone (optional)',
      'Street address',
      'City',
      'State or province',
      'ZIP or postal code',
      'Card number',
    ];
    const values = () => Promise.all(labels.map((label) => page.getByLabel(label).inputValue()));
    expect(await values()).toEqual(['Ada', 'Baker', 'ada@example.com', '', '1 Mill Lane', 'Oldtown', 'NY', '10001', '']);
    await look('correctable');
    const email = `miller-on-a-${width}@example.com`;
    await page.getByLabel('Last name').fill('Miller');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Street address').fill('2 Mill Lane\nFlat 2');
    await page.getByLabel('City').fill('Newtown');
    await card('4242 4242 4242 4242');
    await pay().click();
    await page.waitForURL(`${shop.storefront.origin}/thanks`);
    const order = (await shop.orders()).find(({ customer_email }) => customer_email === email);
    expect([order?.customer_name, order?.delivery_address.split(/\r?\n/)]).toEqual([
      'Ada Miller',
      ['2 Mill Lane', 'Flat 2', 'Newtown, NY 10001'],
    ]);
  });

  test('a pending payment becomes an order once the bank approves it', async () => {
    const { page, card, pay } = await open(known);
    await card('4000 0000 0000 3220');
    await pay().click();
    await page.getByRole('heading', { name: 'Your payment is being checked' }).waitFor();
    expect(await focused()).toBe('H1');
    await look('pending');
    await page.getByRole('link', { name: 'Check again' }).click();
    expect(await newOrders()).toBe(0);
    await page.getByRole('button', { name: 'Approve the payment' }).click();
    await page.waitForURL(`${shop.storefront.origin}/thanks`);
    expect(await newOrders()).toBe(1);
  });

  test('a shopper can use another card after the bank declines a pending payment', async () => {
    const { page, card, pay } = await open(known);
    await card('4000 0000 0000 3220');
    await pay().click();
    await page.getByRole('button', { name: 'Decline the payment' }).click();
    await page.getByRole('alert').waitFor();
    expect(await newOrders()).toBe(0);
    expect(await pay().isEnabled()).toBe(true);
  });

  test('a double click pays once', async () => {
    const { page, card, pay } = await open(known);
    await card('4242 4242 4242 4242');
    await pay().dblclick();
    await page.waitForURL(`${shop.storefront.origin}/thanks`);
    expect(await newOrders()).toBe(1);
  });

  test('two tabs pay once', async () => {
    const { page, card, pay } = await open(known);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await card('4242 4242 4242 4242');
    await other.getByLabel('Card number').fill('4242 4242 4242 4242');
    await pay().click();
    await page.waitForURL(`${shop.storefront.origin}/thanks`);
    await other.getByRole('button', { name: /^Pay / }).click();
    await other.waitForURL(`${shop.storefront.origin}/thanks`);
    expect(await newOrders()).toBe(1);
  });

  test('each error is shown next to its field', async () => {
    const { page, introduce, card, pay } = await open();
    await introduce();
    await card('1234');
    await pay().click();
    await page.getByText('Use one of the test cards.').waitFor();
    expect(await page.getByLabel('Card number').getAttribute('aria-describedby')).toBe('card_number-error');
    expect(await page.getByLabel('Email').inputValue()).toBe('ada@example.com');
    await look('wrong');
    await page.getByRole('alert').getByRole('link', { name: 'Card number' }).click();
    expect(await page.getByLabel('Card number').evaluate((input) => input === input.ownerDocument.activeElement)).toBe(true);
    // Chromium logs every response that is not a success.
    expect(visitor.complaints.splice(0)).toEqual([expect.stringContaining('422')]);
  });

  test('an empty form shows an error at each required field until the shopper fills it in', async () => {
    const { page, introduce, card, pay } = await open();
    await pay().click();
    const errors = () => page.locator('.error').allTextContents();
    expect(await errors()).toEqual([
      'Enter your last name.',
      'Enter an email address, like name@example.com.',
      'Enter the street and number.',
      'Enter the city.',
      'Choose a state or province.',
      'Enter the ZIP or postal code.',
      'Enter a card number.',
    ]);
    expect(await page.getByLabel('Last name').evaluate((input) => input === input.ownerDocument.activeElement)).toBe(true);
    expect(await page.getByLabel('Email').getAttribute('aria-describedby')).toBe('email-error');
    expect(await page.title()).toBe('Error: Checkout – Mill Lane Bakery');
    await look('missing');
    await introduce();
    await card('4242 4242 4242 4242');
    expect(await errors()).toEqual([]);
    expect(await newOrders()).toBe(0);
    await pay().click();
    await page.waitForURL(`${shop.storefront.origin}/thanks`);
  });

  test('a card number is written in groups of four, also when a digit in its middle changes', async () => {
    const { page } = await open(known);
    const input = page.getByLabel('Card number');
    await input.pressSequentially('4242424242');
    expect(await input.inputValue()).toBe('4242 4242 42');
    for (let presses = 0; presses < 5; presses++) await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('09');
    expect(await input.inputValue()).toBe('4242 4094 242');
  });

  test('an expired session cannot be paid', async () => {
    const { page, card, pay } = await open(known);
    await card('4242 4242 4242 4242');
    shop.clock.advance(24 * 3_600_000);
    await pay().click();
    await page.getByRole('heading', { name: 'This checkout has expired' }).waitFor();
    await look('expired');
    expect(await newOrders()).toBe(0);
  });

  test('an unknown session URL shows a "not found" page', async () => {
    const url = new URL(await shop.checkout());
    await visitor.page.goto(`${url.origin}${url.pathname.replace(/cs_.*/, 'cs_0')}`);
    await visitor.page.getByRole('heading', { name: 'Checkout not found' }).waitFor();
    await look('unknown');
    expect(visitor.complaints.splice(0)).toEqual([expect.stringContaining('404')]);
  });
});
