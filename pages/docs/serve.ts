import { isFromOrigin } from '../../local/gateway/guard.ts';
import { mayVisit, pageHeaders, replyFile, replySlash } from '../../local/gateway/pages.ts';
import { refusal, replyJson } from '../../local/gateway/replies.ts';
import type { LocalPage, OwnHandler } from '../../local/gateway/server.ts';
import type { DemoAccount } from '../../local/seed.ts';
import type { Region } from '../../shared/core/regions.ts';
import { redocStyles } from './redoc-styles.ts';

export interface DocsSiteOptions {
  /** Resolves when the demo accounts are there. */
  readonly ready: Promise<void>;
  readonly demoOf: (region: Region) => DemoAccount | undefined;
  /** YYYY-MM-DD, a day on which the demo accounts take orders. */
  readonly openDay: () => string;
}

const root = '/docs';

const guideHeaders = pageHeaders([
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
]);
// Redoc searches in a worker that it makes of its own text.
const referenceHeaders = pageHeaders(["script-src 'self'", `style-src 'self' ${redocStyles}`, "connect-src 'self'", 'worker-src blob:']);

/** `/docs`: guides and reference for whoever sits at this machine, beside the API of the region that they were asked from. */
export const createDocsSite = ({ ready, demoOf, openDay }: DocsSiteOptions): LocalPage => {
  const made = new Map<string, Promise<Buffer | undefined>>();
  const fileOf = (name: string): Promise<Buffer | undefined> => {
    const file = made.get(name) ?? import('./files.ts').then(({ makeFile }) => makeFile(name));
    made.set(name, file);
    return file;
  };

  const handle: OwnHandler = async (path, request, response, region) => {
    const name = path.slice(root.length + 1);
    const headers = name === 'reference/' ? referenceHeaders : guideHeaders;
    if (!mayVisit(request, response, headers)) return;
    if (path === root || name === 'reference') return replySlash(response, path, headers);
    if (name === 'demo.json') {
      if (!isFromOrigin(request)) return replyJson(response, 403, refusal('Keys are given to the pages of this service only.'), headers);
      await ready;
      return replyJson(response, 200, { region, account: demoOf(region) ?? null, openDay: openDay() }, headers);
    }
    const isPage = !name.includes('.');
    replyFile(response, isPage ? 'page.html' : name, await fileOf(name), headers);
  };
  return { path: root, handle };
};
