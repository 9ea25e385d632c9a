import { AsyncLocalStorage } from 'node:async_hooks';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContext, chromium, errors, type Locator, type Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { layouts } from './layouts.ts';
import { measure } from './measures.ts';
import { noteState, type State, schemes, screenFile, shownAt } from './screens.ts';

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
/** For tests whose result a width can change. All others use one width; `look` shows all. */
export const bothWidths = Object.keys(widths) as Width[];

const axeSource = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rules that a color scheme changes; all others are about the markup. */
const colorRules = ['color-contrast'];

/** Returns the rules of axe-core to check; undefined for all. */
const rulesAt = (face: keyof typeof shownAt, width: number, scheme: (typeof schemes)[number]): readonly string[] | undefined => {
  if (face === 'terminal') return colorRules;
  // At other widths the page shows the same elements.
  if (!Object.values(widths).some((one) => one.width === width)) return [];
  return scheme === 'dark' ? colorRules : undefined;
};

const repeated = new AsyncLocalStorage<true>();

/**
 * Repeats a read of a page, with what the test expects of it, until it throws no error. Returns its
 * result. An action returns before the page shows its effect.
 */
export const soon = async <Value>(read: () => Promise<Value>): Promise<Value> => {
  let failure: unknown;
  const attempt = async () => {
    try {
      return { value: await repeated.run(true, read) };
    } catch (error) {
      // The element never came.
      if (error instanceof errors.TimeoutError) throw error;
      failure = error;
      return undefined;
    }
  };
  const result = await eventually(attempt, (one) => one !== undefined).catch((error) => {
    throw failure ?? error;
  });
  return (result as { value: Value }).value;
};

/** Reads of the moment, which wait for no value. */
const reads = [
  ...['allInnerTexts', 'allTextContents', 'innerText', 'inputValue', 'textContent', 'getAttribute'],
  ...['count', 'evaluateAll', 'isChecked', 'isDisabled', 'isEnabled', 'isHidden', 'isVisible'],
] as (keyof Locator)[];

/** Makes these reads throw outside of `soon`. */
const requireSoon = (page: Page): void => {
  const methods = Object.getPrototypeOf(page.locator('html')) as Record<string, (...args: unknown[]) => unknown>;
  for (const name of reads) {
    const read = methods[name];
    if (read === undefined || read.name === 'repeatedRead') continue;
    methods[name] = function repeatedRead(this: Locator, ...args) {
      if (!repeated.getStore()) throw new Error(`${name}() reads the page before it shows the effect of an action. Call it within soon().`);
      return read.apply(this, args);
    };
  }
};

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
   * Throws if the state has a violation of axe-core's rules, too little contrast in light or dark,
   * or a fault that an eye would find (`measures.ts`), at any width of its face. Restores the
   * window's size, and leaves the light scheme without motion. With `SCREENS=1` it also saves
   * screens in `.local/browser/`.
   */
  look(state: State): Promise<void>;
  close(): Promise<void>;
}

/** Makes the window as high as the page: what stays in view then covers nothing. */
const showWhole = async (page: Page, width: number, least: number): Promise<void> => {
  await page.waitForLoadState();
  const resize = async (height: number) => {
    await page.setViewportSize({ width, height });
    // The page follows its new size in the next frame.
    return Number(
      await page.evaluate(
        'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))\n.then(() => document.documentElement.scrollHeight)',
      ),
    );
  };
  await resize(Math.max(least, await resize(least)));
};

export const visitAs = async (browser: Browser, width: Width): Promise<Visitor> => {
  const context: BrowserContext = await browser.newContext({ viewport: widths[width], bypassCSP: false });
  const page = await context.newPage();
  requireSoon(page);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  const violations: Visitor['violations'] = async (within = ':root', rules) => {
    if (rules?.length === 0) return [];
    await page.waitForLoadState();
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
    async look(state) {
      const face = state.slice(0, state.indexOf('/')) as keyof typeof shownAt;
      const size = page.viewportSize() ?? widths[width];
      const faults: string[] = [];
      for (const shown of shownAt[face]) {
        await showWhole(page, shown, size.height);
        const found = await measure(page, layouts[face](shown));
        for (const scheme of [...schemes].reverse()) {
          await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
          found.push(...(await violations(':root', rulesAt(face, shown, scheme))));
          if (process.env['SCREENS']) await page.screenshot({ path: await screenFile(state, shown, scheme), fullPage: true });
        }
        faults.push(...found.map((fault) => `${state} at ${shown} px: ${fault}`));
      }
      await page.setViewportSize(size);
      await noteState(state);
      if (faults.length > 0) throw new Error(faults.join('\n'));
    },
    close: () => context.close(),
  };
};
