import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { layouts } from './layouts.ts';
import { measure } from './measures.ts';
import { type State, schemes, screenFile, shownAt } from './screens.ts';

/**
 * Blocks all requests except those of the pages under test, such as the browser's update checks.
 */
const quietly = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const launch = (): Promise<Browser> =>
  chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', headless: true, args: quietly });

export const widths = { phone: { width: 390, height: 844 }, desktop: { width: 1440, height: 900 } } as const;
export type Width = keyof typeof widths;

const axeSource = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** One visitor: a page and the problems that its console logged. */
export interface Visitor {
  readonly page: Page;
  readonly complaints: string[];
  /**
   * Returns the violations of axe-core's rules (all, or the named ones) on the page or inside a
   * selector, with their places.
   */
  violations(within?: string, rules?: readonly string[]): Promise<string[]>;
  /**
   * Saves screens of a state in `.local/browser/`, light and dark: a phone at 390 px, a desktop at
   * all other widths of the face. Restores the window's size, and leaves the light scheme. Throws
   * if an eye would find a fault in one of them (`measures.ts`) or a text has too little contrast.
   */
  picture(state: State): Promise<void>;
  /** The same in light and dark mode. */
  violationsInBoth(): Promise<string[]>;
  /** Returns elements that overflow the window or their box. */
  cutOff(): Promise<string[]>;
  close(): Promise<void>;
}

export const visitAs = async (browser: Browser, width: Width): Promise<Visitor> => {
  const context: BrowserContext = await browser.newContext({ viewport: widths[width], bypassCSP: false });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  const violations: Visitor['violations'] = async (within = ':root', rules) => {
    const options = { resultTypes: ['violations'], ...(rules ? { runOnly: rules } : {}) };
    // Runs through the browser's debugger, which the page's own policy does not restrict.
    if (!(await page.evaluate("'axe' in window"))) await page.evaluate(await axeSource);
    const found = (await page.evaluate(`axe.run(document.querySelector('${within}'), ${JSON.stringify(options)})`)) as {
      violations: { id: string; nodes: { html: string }[] }[];
    };
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
  };
  return {
    page,
    complaints,
    violations,
    async violationsInBoth() {
      const found: string[] = [];
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        found.push(...(await violations()));
      }
      return found;
    },
    async picture(state) {
      const face = state.slice(0, state.indexOf('/')) as keyof typeof shownAt;
      const size = page.viewportSize() ?? widths[width];
      const faults: string[] = [];
      for (const shown of shownAt[face].filter((one) => (one === widths.phone.width) === (width === 'phone'))) {
        await page.setViewportSize({ width: shown, height: size.height });
        // A window as high as the page: what stays in view covers nothing.
        const height = Number(await page.evaluate('document.documentElement.scrollHeight'));
        await page.setViewportSize({ width: shown, height: Math.max(size.height, height) });
        const found = await measure(page, layouts[face](shown));
        for (const colorScheme of [...schemes].reverse()) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
          found.push(...(await violations(':root', ['color-contrast'])));
          await page.screenshot({ path: await screenFile(state, shown, colorScheme), fullPage: true });
        }
        faults.push(...found.map((fault) => `${state} at ${shown} px: ${fault}`));
      }
      await page.setViewportSize(size);
      if (faults.length > 0) throw new Error(faults.join('\n'));
    },
    cutOff: () =>
      page.evaluate(`[...document.querySelectorAll('main *')].filter((element) => {
        const box = (element.parentElement.closest('section, form') ?? document.documentElement).getBoundingClientRect();
        return element.getBoundingClientRect().right > box.right;
      }).map((element) => element.outerHTML)`) as Promise<string[]>,
    close: () => context.close(),
  };
};
