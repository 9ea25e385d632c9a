import { expect, test } from '@jest/globals';
import { shared } from '../support/shared.ts';
import { soon, visitAs } from './browser.ts';
import { servePictures, startShop } from './shop.ts';

const shop = shared(startShop);

const known = { customer: { email: 'ada@example.com', last_name: 'Baker' }, delivery_address: '1 Mill Lane' };
/** The page of a payment that the bank has not decided. */
const waitForBank = async () => {
  const visitor = await visitAs(shop.browser, 'phone');
  const { page } = visitor;
  await servePictures(page.context());
  await page.clock.install();
  const url = await shop.checkout(known);
  await page.goto(url);
  await page.getByLabel('Card number').fill('4000 0000 0000 3220');
  await page.getByRole('button', { name: /^Pay / }).click();
  await page.getByRole('heading', { name: 'Your payment is being checked' }).waitFor();
  // Lost in a reload.
  await page.evaluate('document.body.dataset.stays = true');
  return {
    ...visitor,
    stays: () => page.locator('[data-stays]').count(),
    /** Moves the page's clock, and waits for the request of the page for itself. */
    async look(seconds: number) {
      const [response] = await Promise.all([page.waitForResponse(url), page.clock.fastForward(seconds * 1000)]);
      await response.finished();
      // The page has read the response, and waits again.
      await page.evaluate(
        'new Promise((done) => { const { port1, port2 } = new MessageChannel(); port1.onmessage = done; port2.postMessage(0) })',
      );
    },
    /** Sends the bank's decision without the page. */
    async decide(decision: 'approve' | 'decline') {
      const form = await page
        .locator('form')
        .evaluate((element) => Object.fromEntries([...new FormData(element as HTMLFormElement)] as [string, string][]));
      await page.request.post(new URL(`/checkout/${url.split('/').at(-2)}/notices/sandbox`, url).href, {
        form: { ...form, answer: decision },
        maxRedirects: 0,
      });
    },
  };
};

test('the page of a pending payment stays as it is, and looks for the result less and less often', async () => {
  const { page, stays, look, complaints, close } = await waitForBank();
  await look(15);
  let requests = 0;
  page.on('request', () => requests++);
  await page.clock.fastForward(16_000);
  expect(requests).toBe(0);
  await look(7);
  await soon(async () => expect(await stays()).toBe(1));
  expect(complaints).toEqual([]);
  await close();
});

test.each([
  ['approve', 'Thank you for your order'],
  ['decline', 'Checkout'],
] as const)('the page of a pending payment shows the result after the bank decides: %s', async (decision, heading) => {
  const { page, decide, complaints, close } = await waitForBank();
  await decide(decision);
  await page.clock.fastForward(15_000);
  await page.getByRole('heading', { name: heading, exact: true }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('the page of a pending payment goes on if the service does not respond for a while', async () => {
  const { page, stays, decide, close } = await waitForBank();
  let failures = 0;
  await page.route(page.url(), (route) => (failures++ === 0 ? route.fulfill({ status: 503, body: 'Unavailable' }) : route.abort()));
  await soon(async () => {
    await page.clock.fastForward(60_000);
    expect(failures).toBeGreaterThan(1);
  });
  await page.unroute(page.url());
  await soon(async () => expect(await stays()).toBe(1));
  await decide('approve');
  await soon(async () => {
    await page.clock.fastForward(60_000);
    expect(await page.getByRole('heading', { name: 'Thank you for your order' }).isVisible()).toBe(true);
  });
  await close();
});

test('a page that waits for a gateway opens the URL that asks it, which leads to the result', async () => {
  const { page, stays, complaints, close } = await waitForBank();
  const { pathname } = new URL(page.url());
  // Only a payment at Stripe has this link.
  await page.route(`**${pathname}`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace(`href="${pathname}"`, `href="${pathname}/return"`) });
  });
  await page.reload();
  await page
    .getByRole('link', { name: 'Check again' })
    .and(page.locator(`[href="${pathname}/return"]`))
    .waitFor();
  await page.unroute(`**${pathname}`);
  const request = page.waitForRequest((one) => one.url().endsWith('/return') && one.isNavigationRequest());
  await page.clock.fastForward(15_000);
  await request;
  await page.getByRole('heading', { name: 'Your payment is being checked' }).waitFor();
  await soon(async () => expect(await stays()).toBe(0));
  expect(complaints).toEqual([]);
  await close();
});
