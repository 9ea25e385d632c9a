import type { Browser, Page } from 'playwright-core';
import { type Journey, type Merchant, startJourney } from '../support/journey.ts';
import { launch, type Visitor, visitAs, type Width } from './browser.ts';

/** The Developers page of a running service, and everything that the service logs. */
export interface DevelopersTest {
  readonly browser: Browser;
  readonly journey: Journey;
  readonly origin: string;
  readonly lines: string[];
  /** Opens a tab of an account's page as a new visitor. */
  open(merchant: Merchant, width: Width, view: string): Promise<DeveloperVisitor>;
  stop(): Promise<void>;
}

export interface DeveloperVisitor extends Visitor {
  /** URLs that the browser requested. */
  readonly addresses: string[];
  /** Opens a menu and chooses one of its items. */
  choose(menu: string, item: string): Promise<void>;
  /** Presses Tab until an element with that name has the focus. */
  tabTo(name: string | RegExp): Promise<void>;
}

/** Returns the focused element's text, or its field's label. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    const it = document.activeElement;
    return it.getAttribute('aria-label') ?? it.labels?.[0]?.firstChild?.textContent?.trim() ?? it.textContent.trim();
  })()`) as Promise<string>;

const longestWay = 60;

export const startDevelopers = async (): Promise<DevelopersTest> => {
  const lines: string[] = [];
  // The whole retry schedule within two seconds.
  const starting = startJourney({ regions: ['us'], timeScale: 100_000, log: (line) => void lines.push(JSON.stringify(line)) });
  const [browser, journey] = await Promise.all([launch(), starting]);
  const origin = `http://127.0.0.1:${journey.runtime.port}`;
  return {
    browser,
    journey,
    origin,
    lines,
    async open({ region, account }, width, view) {
      const visitor = await visitAs(browser, width);
      const { page } = visitor;
      const addresses: string[] = [];
      page.on('request', (request) => addresses.push(request.url()));
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.goto(`${origin}/developers/?region=${region}&account=${account}#${view}`);
      await page.getByRole('tabpanel').getByRole('heading', { level: 2 }).waitFor();
      return {
        ...visitor,
        addresses,
        async choose(menu, item) {
          await page.getByRole('button', { name: menu, exact: true }).click();
          await page.getByRole('menuitem', { name: item, exact: true }).click();
        },
        async tabTo(name) {
          for (let presses = 0; presses < longestWay; presses++) {
            await page.keyboard.press('Tab');
            const found = await focused(page);
            if (typeof name === 'string' ? found === name : name.test(found)) return;
          }
          throw new Error(`Tab never came to ${name}.`);
        },
      };
    },
    async stop() {
      await browser.close();
      await journey.stop();
    },
  };
};
