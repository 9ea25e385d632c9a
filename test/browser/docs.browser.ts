import { expect, test } from '@jest/globals';
import type { ElementHandle } from 'playwright-core';
import { guides } from '../../pages/docs/guides.ts';
import { shared } from '../support/shared.ts';
import { bothWidths } from './browser.ts';
import { startDocs } from './docs.ts';

const site = shared(startDocs);

const overflow = 'document.documentElement.scrollWidth - innerWidth';
/** Returns the texts of tables that are wider than their box, and of samples that have more lines than their text or do not scroll. */
const cut = `[
  ...[...document.querySelectorAll('main .table')].filter((one) => one.scrollWidth > one.clientWidth),
  ...[...document.querySelectorAll('main pre')].filter((one) => {
    const { lineHeight, paddingTop, paddingBottom, overflowX } = getComputedStyle(one);
    const lines = (one.scrollHeight - parseFloat(paddingTop) - parseFloat(paddingBottom)) / parseFloat(lineHeight);
    return overflowX !== 'auto' || (one.checkVisibility() && Math.round(lines) !== one.textContent.trimEnd().split('\\n').length);
  }),
].map((one) => one.innerText.slice(0, 80))`;
/** Returns the words of inline code that are broken although a line holds them. A cell of a table may be narrower. */
const broken = `[...document.querySelectorAll('main :is(p, li, dd) code:not(pre code, td code)')].flatMap((code) => {
  const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
  let block = code;
  while (getComputedStyle(block).display === 'inline') block = block.parentElement;
  const lineWidth = block.clientWidth - 16;
  const found = [];
  while (texts.nextNode())
    for (const { 0: word, index } of texts.currentNode.data.matchAll(/\\S+/g)) {
      const range = document.createRange();
      range.setStart(texts.currentNode, index);
      range.setEnd(texts.currentNode, index + word.length);
      const boxes = [...range.getClientRects()];
      const [lines, width] = [new Set(boxes.map(({ top }) => top)).size, boxes.reduce((sum, box) => sum + box.width, 0)];
      if (lines > 1 && width < lineWidth) found.push(word);
    }
  return found;
})`;
const paths = [
  ...guides.map(({ slug }) => (slug === '' ? '' : `${slug}/`)),
  ...['reference/', 'events/', 'reference/expenses/', 'events/order.status_changed/'],
  ...['checkout', 'customers', 'orders', 'products', 'reference-data', 'webhooks'].map((slug) => `reference/${slug}/`),
];

test.each(bothWidths)('at %s width the methods of all lists of a page are one column, and so are the paths', async (width) => {
  const { page, go, close } = await site.visit('', width);
  for (const path of ['reference/', 'reference/webhooks/'])
    for (const part of ['.method', 'code']) {
      await go(path);
      const leftEdges = `[...document.querySelectorAll('.index ${part}')].map((one) => one.getBoundingClientRect().left)`;
      const [first, ...others] = (await page.evaluate(leftEdges)) as number[];
      expect(others.length).toBeGreaterThan(1);
      expect([path, part, new Set(others)]).toEqual([path, part, new Set([first])]);
    }
  await close();
});

test('the samples of an operation stay above its errors while the page scrolls', async () => {
  const { page, close } = await site.visit('reference/orders/', 'desktop');
  const overlaps = `[...document.querySelectorAll('.operation')].filter((one) => {
    const errors = one.querySelector('.errors');
    scrollTo(0, scrollY + errors.getBoundingClientRect().top - 200);
    return one.querySelector('.shown').getBoundingClientRect().bottom > errors.getBoundingClientRect().top;
  }).map(({ id }) => id)`;
  expect(await page.evaluate(overlaps)).toEqual([]);
  await close();
});

test('the docs are accessible and clip nothing in every state', async () => {
  const { page, go, look, close } = await site.visit('', 'desktop');
  const pathsByState = {
    start: '',
    'getting-started': 'getting-started/',
    webhooks: 'webhooks/',
    errors: 'errors/',
    'go-live': 'go-live/',
    architecture: 'architecture/',
    reference: 'reference/',
    events: 'events/',
    'reference-expenses': 'reference/expenses/',
    'events-order.status_changed': 'events/order.status_changed/',
    'not-found': 'nothing/here/',
  };
  for (const [state, path] of Object.entries(pathsByState)) {
    await go(path);
    await look(`docs/${state as keyof typeof pathsByState}`);
  }
  await go('reference/checkout/');
  await page.locator('.try > summary').click();
  await page.getByLabel('Body').fill('{ "items": [] }');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('400 Bad Request').waitFor();
  await look('docs/try-failed');
  await go('');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('combobox').fill('rotate secret');
  await page.locator('[role=option][aria-selected=true]').waitFor();
  await look('docs/search');
  await page.getByRole('combobox').fill('zzzz');
  await page.getByText('No results').waitFor();
  await look('docs/search-none');
  await close();
});

test.each(bothWidths)(
  'at %s width guides and resources clip no table, break no line of a sample and no word of code, do not overflow, load from no other host and log no problem',
  async (width) => {
    const { page, go, complaints, addresses, close } = await site.visit('', width);
    for (const path of paths) {
      await go(path);
      const faults = [await page.evaluate(cut), await page.evaluate(broken)];
      expect([path, await page.evaluate(overflow), ...faults]).toEqual([path, 0, [], []]);
    }
    expect(complaints).toEqual([]);
    expect(addresses.filter((address) => !address.startsWith(site.origin))).toEqual([]);
    await close();
  },
);

/**
 * Returns the width of the narrowest code column (as wide as the page if it has none), and the
 * longest line of prose in em, which holds two characters.
 */
const measured = `(() => {
  const prose = [...document.querySelectorAll('main :is(p, dd, li:not(.index *))')].filter((one) => one.checkVisibility());
  const lines = prose.flatMap((one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    const ends = new Map();
    for (const { bottom, left, right } of one.querySelector('pre, li') ? [] : range.getClientRects()) {
      const [from, to] = ends.get(Math.round(bottom / 8)) ?? [left, right];
      ends.set(Math.round(bottom / 8), [Math.min(from, left), Math.max(to, right)]);
    }
    return [...ends.values()].map(([from, to]) => (to - from) / parseFloat(getComputedStyle(one).fontSize));
  });
  const columns = [...document.querySelectorAll('.shown')].map((one) => one.clientWidth);
  return { code: Math.min(innerWidth, ...columns), prose: Math.max(...lines) };
})()`;
const kinds = ['', 'webhooks/', 'go-live/', 'reference/', 'reference/webhooks/', 'events/', 'events/order.created/', 'nothing/here/'];

test('the code column is wide enough at all widths, a line of prose has at most 42 em, and nothing overflows', async () => {
  const { page, go, close } = await site.visit('', 'desktop');
  for (const path of kinds) {
    await go(path);
    for (const [width, least] of [
      [390, 350],
      [1440, 500],
      [1920, 600],
      [2560, 600],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      const { code, prose } = (await page.evaluate(measured)) as { code: number; prose: number };
      const facts = [code >= least, prose > 10 && prose <= 42, await page.evaluate(overflow)];
      expect([path, width, ...facts]).toEqual([path, width, true, true, 0]);
    }
  }
  await close();
});

test('a phone shows the drawing of the start page as a whole, with text of at least 11 px', async () => {
  const { page, close } = await site.visit('', 'phone');
  const drawing = page.getByRole('img', { name: 'Drawing: your program sends requests' });
  const box = await drawing.boundingBox();
  expect([box && box.x >= 0 && box.x + box.width <= 390, box && box.height > box.width]).toEqual([true, true]);
  const sizes = await drawing.evaluate((svg) => {
    const scale = svg.getBoundingClientRect().width / (svg as SVGSVGElement).viewBox.baseVal.width;
    return [...svg.querySelectorAll('text')].map((text) => Number.parseFloat(getComputedStyle(text).fontSize) * scale);
  });
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(11);
  await close();
});

test('a long sample ends with a whole line, and a button shows the rest', async () => {
  const { page, close } = await site.visit('reference/orders/', 'desktop');
  const sample = page.locator('figure.code:has(> .unfold)').first();
  const code = (await sample.locator('pre').elementHandle()) as ElementHandle<HTMLElement>;
  const linesShown = () =>
    code.evaluate((pre) => {
      const { height, paddingTop, paddingBottom, lineHeight } = getComputedStyle(pre);
      const [own, line] = [height, lineHeight].map(Number.parseFloat) as [number, number];
      return (own - Number.parseFloat(paddingTop) - Number.parseFloat(paddingBottom)) / line;
    });
  const all = (await code.textContent())?.split('\n').length;
  expect(await linesShown()).toBeCloseTo(30, 2);
  await sample.getByRole('button', { name: `Show all ${all} lines` }).click();
  expect(await linesShown()).toBeGreaterThanOrEqual(Number(all) - 0.01);
  await close();
});
