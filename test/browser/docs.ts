import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildDocs } from '../../pages/docs/build.ts';
import { startJourney } from '../support/journey.ts';
import { launch, visitAs, type Width } from './browser.ts';

const types: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript', css: 'text/css', json: 'application/json' };

/** A static file server that knows only the site's folder. */
const serveFiles = async (folder: string, below: string): Promise<Server> => {
  const server = createServer(async ({ url = '' }, response) => {
    const { pathname } = new URL(url, 'http://any');
    const name = pathname.slice(below.length) + (pathname.endsWith('/') ? 'index.html' : '');
    const bytes = await readFile(join(folder, name)).catch(() => undefined);
    response.writeHead(bytes ? 200 : 404, { 'content-type': types[name.split('.').at(-1) ?? ''] ?? 'text/plain' }).end(bytes);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
};

/** The docs site twice: as the running service serves it, and built on a server of files. */
export const startDocs = async () => {
  const lines: string[] = [];
  const folder = await mkdtemp(join(tmpdir(), 'docs-'));
  const starting = startJourney({ regions: ['us'], seed: true, log: (line) => void lines.push(JSON.stringify(line)) });
  const [browser, journey] = await Promise.all([launch(), starting, buildDocs(folder)]);
  const origin = journey.runtime.urls.us ?? '';
  const files = await serveFiles(folder, '/some/where/');
  return {
    browser,
    journey,
    origin,
    /** URL of the built site. */
    elsewhere: `http://127.0.0.1:${(files.address() as AddressInfo).port}/some/where/`,
    lines,
    async visit(path: string, width: Width) {
      const visitor = await visitAs(browser, width);
      const addresses: string[] = [];
      visitor.page.on('request', (request) => addresses.push(request.url()));
      await visitor.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      /** Opens a page of the site, or a URL. */
      const go = (to: string) => visitor.page.goto(/^http/.test(to) ? to : `${origin}/docs/${to}`);
      await go(path);
      return { ...visitor, addresses, go };
    },
    async stop() {
      await browser.close();
      files.close();
      await Promise.all([journey.stop(), rm(folder, { recursive: true })]);
    },
  };
};
