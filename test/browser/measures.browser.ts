import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { launch, soon, type Visitor, visitAs } from './browser.ts';
import { measure } from './measures.ts';

let browser: Browser;
let visitor: Visitor;
beforeAll(async () => {
  browser = await launch();
  visitor = await visitAs(browser, 'phone');
});
afterAll(() => browser.close());

const faultsOf = async (body: string) => {
  await visitor.page.setContent(`<style>* { margin: 0 } p { width: 200px }</style>${body}`);
  return measure(visitor.page, { widths: { p: [100, 300] }, lines: { p: 1 } });
};

test('the measures accept a page that an eye accepts', async () => {
  const body = `<p>A line <b>with</b> a <a href="#">link</a></p><button style="height: 24px">Pay</button>
    <div style="overflow: auto"><table style="width: 900px"><tr><td>wide</table></div>
    <div style="width: 40px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis">a long identifier</div>
    <label style="display: block; line-height: 24px"><input type="checkbox"> <span>All events</span></label>`;
  expect(await faultsOf(body)).toEqual([]);
});

test.each([
  ['text below 11 px', '<p>Fine</p><small style="font-size: 10.5px">print</small>'],
  ['cut by its box', '<p>Fine</p><div style="width: 40px; overflow: hidden; white-space: nowrap">Yorkshire</div>'],
  ['cut by its box', '<p>Fine</p><div style="height: 20px; overflow: hidden">One<br>Two</div>'],
  ['wider than its cell', '<p>Fine</p><table style="table-layout: fixed; width: 60px"><td style="white-space: nowrap">a long name'],
  ['placeholder cut by its field', '<p>Fine</p><input style="width: 40px; height: 30px" placeholder="Search all of the products">'],
  ['outside the window', '<p>Fine</p><div style="width: 900px">wide</div>'],
  ['outside the window: the page', '<p>Fine</p><style>body::after { content: ""; display: block; width: 900px; height: 1px }</style>'],
  ['outside its box', '<p>Fine</p><main><form style="width: 99px"><b style="margin-left: 80px">Pay</b></form></main>'],
  ['target of', '<p>Fine</p><button style="height: 20px; width: 90px">Pay</button>'],
  ['nothing matches p', '<div>no paragraph</div>'],
  ['p has 350 px', '<p style="width: 350px">wide</p>'],
  ['p has 2 lines', '<p>Two<br>lines</p>'],
])('the measures find the fault "%s"', async (fault, body) => {
  expect(await faultsOf(body)).toContainEqual(expect.stringContaining(fault));
});

test('a read of the moment fails outside of soon, which repeats it until it holds', async () => {
  const { page } = visitor;
  await page.setContent('<p>Old</p>');
  await page.evaluate("requestAnimationFrame(() => { document.querySelector('p').textContent = 'New'; })");
  const text = () => page.locator('p').textContent();
  await expect(async () => text()).rejects.toThrow('within soon()');
  await soon(async () => expect(await text()).toBe('New'));
});

test('a page is measured with its stylesheet, even if that arrives after all words are shown', async () => {
  const { page } = visitor;
  const stylesheet = Promise.withResolvers<void>();
  await page.route('https://late.example/', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<link rel="stylesheet" href="/late.css"><button>Pay</button>' }),
  );
  await page.route('https://late.example/late.css', async (route) => {
    await stylesheet.promise;
    await route.fulfill({ contentType: 'text/css', body: 'button { width: 90px; height: 30px }' });
  });
  await page.goto('https://late.example/', { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Pay' }).waitFor();
  const measured = measure(page, {});
  // What was asked of the page before has its response.
  await page.evaluate('0');
  stylesheet.resolve();
  expect(await measured).toEqual([]);
});
