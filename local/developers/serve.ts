import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { pageActions } from '../../clients/developers-page/src/contract.ts';
import { isRegion, type Region } from '../../shared/core/regions.ts';
import { isFromHere, isFromOwnPage } from '../gateway/guard.ts';
import { readBody } from '../gateway/handle.ts';
import type { ActionCall } from '../gateway/own-endpoints.ts';
import { refusal, replyJson } from '../gateway/replies.ts';
import type { LocalPage, OwnHandler } from '../gateway/server.ts';
import type { KnownAccount } from './accounts.ts';

export interface DevelopersOptions {
  readonly regions: readonly Region[];
  readonly invokeAction: (region: Region, call: ActionCall) => Promise<unknown>;
  /** Resolves when accounts and actions are there. */
  readonly ready: Promise<void>;
  readonly accountsOf: (region: Region) => readonly KnownAccount[];
}

const root = '/developers';

const longestCall = 256 * 1024;

const pageHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    // The empty icon.
    'img-src data:',
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'cache-control': 'no-store',
};

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** The page's files and the module that stands for its host; made at the first visit. */
const openFiles = () => {
  const make = async () => {
    const { buildPage, bundleModule } = await import('../../clients/developers-page/build.ts');
    return new Map([
      ...(await buildPage()),
      ['host.js', await bundleModule(here('host.tsx'), ['*/developers-page.js'])],
      ['host.css', await readFile(here('host.css'))],
      ['index.html', await readFile(here('index.html'))],
    ]);
  };
  let made: Promise<ReadonlyMap<string, Buffer>> | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

/** The call, or what is wrong with it. */
const parseCall = (text: string, regions: readonly Region[], allowed: readonly string[]): { region: Region; call: ActionCall } | string => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return 'The body is not JSON.';
  }
  const { region, action, account, input }: Record<string, unknown> = typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  if (!isRegion(region) || !regions.includes(region)) return `region must be one of the running ones: ${regions.join(', ')}.`;
  if (typeof action !== 'string' || !allowed.includes(action)) return `action must be one of the page's: ${allowed.join(', ')}.`;
  if (typeof account !== 'string') return 'account must be text.';
  return { region, call: { action, account, ...(input === undefined ? {} : { input }) } };
};

/** `/developers`: the Developers page for whoever sits at this machine, and the way from it to the actions it needs. */
export const createDevelopersPage = ({ regions, ready, invokeAction, accountsOf }: DevelopersOptions): LocalPage => {
  const files = openFiles();

  const act = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await readBody(request, longestCall);
    if (!isFromOwnPage(request))
      return replyJson(response, 403, refusal('Actions are taken from the page of this service only.'), pageHeaders);
    const parsed = body === undefined ? 'The body is too long.' : parseCall(body.toString('utf8'), regions, pageActions);
    if (typeof parsed === 'string') return replyJson(response, 400, refusal(parsed), pageHeaders);
    replyJson(response, 200, await invokeAction(parsed.region, parsed.call), pageHeaders);
  };

  const show = async (name: string, response: ServerResponse) => {
    const bytes = (await files()).get(name === '' ? 'index.html' : name);
    if (!bytes) return replyJson(response, 404, { error: { type: 'not_found', code: 'not_found', message: 'No such path.' } }, pageHeaders);
    const type = types[(name === '' ? 'index.html' : name).split('.').at(-1) ?? ''] ?? 'application/octet-stream';
    response.writeHead(200, { ...pageHeaders, 'content-type': type, 'content-length': bytes.length }).end(bytes);
  };

  const handle: OwnHandler = async (path, request, response) => {
    const name = path.slice(root.length + 1);
    if (name === 'actions' && request.method === 'POST') return act(request, response);
    request.resume();
    if (!isFromHere(request)) return replyJson(response, 403, refusal('This page is for the machine that it runs on.'), pageHeaders);
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return replyJson(response, 405, refusal('Only GET.'), { ...pageHeaders, allow: 'GET, HEAD' });
    if (path === root) return void response.writeHead(308, { ...pageHeaders, location: `${root}/` }).end();
    if (name === 'accounts') {
      await ready;
      return replyJson(response, 200, { places: regions.map((region) => ({ region, accounts: accountsOf(region) })) }, pageHeaders);
    }
    return show(name, response);
  };
  return { path: root, handle };
};
