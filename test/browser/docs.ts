import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Response } from 'playwright-core';
import { buildDocs } from '../../pages/docs/build.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { launch, type Visitor, visitAs, type Width } from './browser.ts';

/** The docs site twice: as the running service serves it, and built on a server of files. */
export interface DocsTest {
  readonly browser: Browser;
  readonly journey: Journey;
  readonly origin: string;
  /** URL of the built site. */
  readonly elsewhere: string;
  /** Everything that the service logged. */
  readonly lines: readonly string[];
  visit(path: string, width: Width): Promise<DocsVisitor>;
  stop(): Promise<void>;
}

export interface DocsVisitor extends Visitor {
  /** URLs that the browser requested. */
  readonly addresses: readonly string[];
  /** Opens a page of the site, or a URL. */
  go(to: string): Promise<Response | null>;
}

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

export const startDocs = async (): Promise<DocsTest> => {
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
    elsewhere: `http://127.0.0.1:${(files.address() as AddressInfo).port}/some/where/`,
    lines,
    async visit(path, width) {
      const visitor = await visitAs(browser, width);
      const addresses: string[] = [];
      visitor.page.on('request', (request) => addresses.push(request.url()));
      await visitor.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
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
