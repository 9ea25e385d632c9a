import { expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { shared } from '../support/shared.ts';
import { soon, visitAs } from './browser.ts';
import { startExampleShop } from './example-shop.ts';

const shop = shared(() => startExampleShop());

/** Opens the shop after its address has sent all requests of a minute. The page's clock moves only by `fastForward`. */
const enterWithoutLimit = async () => {
  const { urls, demo } = shop.runtime;
  const headers = { authorization: `Bearer ${demo.us?.publishableKey}` };
  const read = async () => (await fetch(`${urls.us}/api/v2/products`, { headers })).status;
  await eventually(read, (status) => status === 429);
  const visitor = await visitAs(shop.browser, 'phone');
  await visitor.page.clock.install();
  await visitor.page.goto(shop.example.url());
  const wait = visitor.page.getByRole('status').getByText('Many people are in the shop just now.');
  await wait.waitFor();
  return { ...visitor, wait };
};

test('the shop says that it waits if too many requests came from its address, and opens by itself', async () => {
  const { page, wait, look, close } = await enterWithoutLimit();
  await look('shop/waiting');
  shop.clock.advance(60_000);
  await page.clock.fastForward(61_000);
  await page.getByRole('heading', { name: 'Sourdough loaf' }).waitFor();
  await wait.waitFor({ state: 'detached' });
  await close();
});

test('the shop no longer promises to go on by itself after its last attempt failed', async () => {
  const { page, wait, close } = await enterWithoutLimit();
  await soon(async () => {
    await page.clock.fastForward(61_000);
    expect(await page.getByRole('alert').isVisible()).toBe(true);
  });
  await wait.waitFor({ state: 'detached' });
  await close();
});
