import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { shared } from '../support/shared.ts';
import { bothWidths, soon, type Visitor, visitAs, type Width, widths } from './browser.ts';
import { servePictures, startShop } from './shop.ts';

const shop = shared(startShop);

describe('the checkout page', () => {
  let visitor: Visitor;
  let before: number;
  let referers: (string | undefined)[];
  beforeEach(async () => {
    visitor = await visitAs(shop.browser, 'phone');
    referers = await servePictures(visitor.page.context());
    before = (await shop.orders()).length;
  });
  afterEach(async () => {
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

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
    await visitor.look('checkout/open');
    await introduce();
    await card('4242 4242 4242 4242');
    await pay().click();
    await page.waitForURL(`${shop.storefront.origin}/thanks`);
    expect(await newOrders()).toBe(1);
    await page.goBack();
    await page.getByRole('heading', { name: 'Thank you for your order' }).waitFor();
    await visitor.look('checkout/paid');
  });

  test.each(bothWidths)("the page shows the products' pictures and requests them without a Referer at %s width", async (width) => {
    await visitor.page.setViewportSize(widths[width]);
    const { page } = await open();
    // The whole box is the target, also its lower corner.
    const { x, y, width: across, height } = (await page.locator('aside').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    if (width === 'phone') await page.mouse.click(x + across - 4, y + height - 4);
    const drawn = () => page.locator('img').evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth > 0));
    await soon(async () => expect(await drawn()).toEqual([true, true, true]));
    expect(referers).toEqual([undefined, undefined, undefined]);
    await page.getByText('Show test cards').click();
    await page.getByRole('button', { name: 'Use 4000 0000 0000 0002' }).waitFor();
    await visitor.look('checkout/unfolded');
    await page.getByRole('button', { name: 'Use 4000 0000 0000 0002' }).click();
    await soon(async () => expect(await page.getByLabel('Card number').inputValue()).toBe('4000 0000 0000 0002'));
  });

  test.each<[Width, boolean]>([
    ['phone', true],
    ['desktop', true],
    ['phone', false],
  ])('at %s width a picture that fails to load leaves no gap (JavaScript enabled: %s)', async (width, javaScriptEnabled) => {
    const context = await shop.browser.newContext({ javaScriptEnabled, viewport: widths[width] });
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
    await visitor.page.setViewportSize(widths.desktop);
    const { pay } = await open();
    const box = await pay().boundingBox();
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(widths.desktop.height);
  });

  test.each(bothWidths)('a shopper can pay with the keyboard alone at %s width', async (width) => {
    await visitor.page.setViewportSize(widths[width]);
    const { page, card } = await open(known);
    await card('4242424242424242');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${shop.storefront.origin}/thanks`);
    expect(await newOrders()).toBe(1);
  });

  test('a shopper can pay without JavaScript', async () => {
    const context = await shop.browser.newContext({ javaScriptEnabled: false, viewport: widths.phone });
    const page = await context.newPage();
    const url = await shop.checkout(known);
    await page.goto(url);
    await page.getByText('Show test cards').click();
    // Buttons that need a script are hidden.
    const buttons = () => page.getByRole('button').allTextContents();
    await soon(async () => expect(await buttons()).toEqual([expect.stringMatching(/^Pay /)]));
    await page.getByLabel('Card number').fill('4242424242424242');
    await page.getByRole('button', { name: /^Pay / }).click();
    await page.waitForURL(`${shop.storefront.origin}/thanks`);
    await page.goto(url);
    await page.getByRole('heading', { name: 'Thank you for your order' }).waitFor();
    await soon(async () => expect(await buttons()).toEqual([]));
    await context.close();
    expect(await newOrders()).toBe(1);
  });

  test('a declined card shows an error, and a second card can pay', async () => {
    const { page, card, pay } = await open(known);
    await card('4000 0000 0000 0002');
    await pay().click();
    await page.getByRole('alert').getByText('The card was declined').waitFor();
    await soon(async () => expect(await focused()).toBe('alert'));
    await visitor.look('checkout/declined');
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
    await soon(async () =>
      expect(await values()).toEqual(['Ada', 'Baker', 'ada@example.com', '', '1 Mill Lane', 'Oldtown', 'NY', '10001', '']),
    );
    await visitor.look('checkout/correctable');
    const email = 'miller@example.com';
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
    await soon(async () => expect(await focused()).toBe('H1'));
    await visitor.look('checkout/pending');
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
    await soon(async () => expect(await pay().isEnabled()).toBe(true));
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
    await soon(async () => expect(await page.getByLabel('Card number').getAttribute('aria-describedby')).toBe('card_number-error'));
    await soon(async () => expect(await page.getByLabel('Email').inputValue()).toBe('ada@example.com'));
    await visitor.look('checkout/wrong');
    await page.getByRole('alert').getByRole('link', { name: 'Card number' }).click();
    await soon(async () =>
      expect(await page.getByLabel('Card number').evaluate((input) => input === input.ownerDocument.activeElement)).toBe(true),
    );
    // Chromium logs every response that is not a success.
    expect(visitor.complaints.splice(0)).toEqual([expect.stringContaining('422')]);
  });

  test('an empty form shows an error at each required field until the shopper fills it in', async () => {
    const { page, introduce, card, pay } = await open();
    await pay().click();
    const errors = () => page.locator('.error').allTextContents();
    await soon(async () =>
      expect(await errors()).toEqual([
        'Enter your last name.',
        'Enter an email address, like name@example.com.',
        'Enter the street and number.',
        'Enter the city.',
        'Choose a state or province.',
        'Enter the ZIP or postal code.',
        'Enter a card number.',
      ]),
    );
    await soon(async () =>
      expect(await page.getByLabel('Last name').evaluate((input) => input === input.ownerDocument.activeElement)).toBe(true),
    );
    await soon(async () => expect(await page.getByLabel('Email').getAttribute('aria-describedby')).toBe('email-error'));
    await soon(async () => expect(await page.title()).toBe('Error: Checkout – Mill Lane Bakery'));
    await visitor.look('checkout/missing');
    await introduce();
    await card('4242 4242 4242 4242');
    await soon(async () => expect(await errors()).toEqual([]));
    expect(await newOrders()).toBe(0);
    await pay().click();
    await page.waitForURL(`${shop.storefront.origin}/thanks`);
  });

  test('a card number is written in groups of four, also when a digit in its middle changes', async () => {
    const { page } = await open(known);
    const input = page.getByLabel('Card number');
    await input.pressSequentially('4242424242');
    await soon(async () => expect(await input.inputValue()).toBe('4242 4242 42'));
    for (let presses = 0; presses < 5; presses++) await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('09');
    await soon(async () => expect(await input.inputValue()).toBe('4242 4094 242'));
  });

  test('an expired session cannot be paid', async () => {
    const { page, card, pay } = await open(known);
    await card('4242 4242 4242 4242');
    shop.clock.advance(24 * 3_600_000);
    await pay().click();
    await page.getByRole('heading', { name: 'This checkout has expired' }).waitFor();
    await visitor.look('checkout/expired');
    expect(await newOrders()).toBe(0);
  });

  test('an unknown session URL shows a "not found" page', async () => {
    const url = new URL(await shop.checkout());
    await visitor.page.goto(`${url.origin}${url.pathname.replace(/cs_.*/, 'cs_0')}`);
    await visitor.page.getByRole('heading', { name: 'Checkout not found' }).waitFor();
    await visitor.look('checkout/unknown');
    expect(visitor.complaints.splice(0)).toEqual([expect.stringContaining('404')]);
  });
});
