import type { Page } from 'playwright-core';
import { type Merchant, startJourney } from '../support/journey.ts';
import { launch, visitAs, type Width } from './browser.ts';

/** Returns the focused element's text, or its field's label. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    const it = document.activeElement;
    return it.getAttribute('aria-label') ?? it.labels?.[0]?.firstChild?.textContent?.trim() ?? it.textContent.trim();
  })()`) as Promise<string>;

const longestWay = 60;

/** The Developers page of a running service, and everything that the service logs. */
export const startDevelopers = async () => {
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
    /** Opens a tab of an account's page as a new visitor. */
    async open({ region, account }: Merchant, width: Width, view: string) {
      const visitor = await visitAs(browser, width);
      const { page } = visitor;
      const addresses: string[] = [];
      page.on('request', (request) => addresses.push(request.url()));
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.goto(`${origin}/developers/?region=${region}&account=${account}#${view}`);
      await page.getByRole('tabpanel').getByRole('heading', { level: 2 }).waitFor();
      return {
        ...visitor,
        /** URLs that the browser requested. */
        addresses,
        /** Opens a menu and chooses one of its items. */
        async choose(menu: string, item: string) {
          await page.getByRole('button', { name: menu, exact: true }).click();
          await page.getByRole('menuitem', { name: item, exact: true }).click();
        },
        /** Presses Tab until an element with that name has the focus. */
        async tabTo(name: string | RegExp) {
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

export type DeveloperVisitor = Awaited<ReturnType<Awaited<ReturnType<typeof startDevelopers>>['open']>>;
