import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { pageActions } from '../../clients/developers-page/src/contract.ts';
import { isRegion, type Region } from '../../shared/core/regions.ts';
import { isFromOwnPage } from '../gateway/guard.ts';
import { readBody } from '../gateway/handle.ts';
import { inputAndToken } from '../gateway/own-endpoints.ts';
import { mayVisit, pageHeaders, replyFile, replySlash } from '../gateway/pages.ts';
import { refusal, replyJson } from '../gateway/replies.ts';
import type { LocalPage, OwnHandler } from '../gateway/server.ts';
import type { ActionCall } from '../region.ts';
import type { KnownAccount } from './accounts.ts';

interface DevelopersOptions {
  readonly regions: readonly Region[];
  readonly invokeAction: (region: Region, call: ActionCall) => Promise<unknown>;
  readonly accountsOf: (region: Region) => Promise<readonly KnownAccount[]>;
}

const root = '/developers';

const longestCall = 256 * 1024;

const here = (name: string): string => fileURLToPath(new URL(`../../pages/developers/${name}`, import.meta.url));

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
  const { region, action, account, ...rest }: Record<string, unknown> = typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  if (!isRegion(region) || !regions.includes(region)) return `region must be one of the running ones: ${regions.join(', ')}.`;
  if (typeof action !== 'string' || !allowed.includes(action)) return `action must be one of the page's: ${allowed.join(', ')}.`;
  if (typeof account !== 'string') return 'account must be text.';
  return { region, call: { action, account, ...inputAndToken(rest) } };
};

/** `/developers`: the Developers page for whoever sits at this machine, and the way from it to the actions it needs. */
export const createDevelopersPage = ({ regions, invokeAction, accountsOf }: DevelopersOptions): LocalPage => {
  const files = openFiles();

  const act = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await readBody(request, longestCall);
    if (!isFromOwnPage(request))
      return replyJson(response, 403, refusal('Actions are taken from the page of this service only.'), pageHeaders);
    const parsed = body === undefined ? 'The body is too long.' : parseCall(body.toString('utf8'), regions, pageActions);
    if (typeof parsed === 'string') return replyJson(response, 400, refusal(parsed), pageHeaders);
    replyJson(response, 200, await invokeAction(parsed.region, parsed.call), pageHeaders);
  };

  const handle: OwnHandler = async (path, request, response) => {
    const name = path.slice(root.length + 1);
    if (name === 'actions' && request.method === 'POST') return act(request, response);
    if (!mayVisit(request, response)) return;
    if (path === root) return replySlash(response, root);
    if (name === 'accounts') {
      const places = await Promise.all(regions.map(async (region) => ({ region, accounts: await accountsOf(region) })));
      return replyJson(response, 200, { places }, pageHeaders);
    }
    const file = name === '' ? 'index.html' : name;
    replyFile(response, file, (await files()).get(file));
  };
  return { path: root, handle };
};
