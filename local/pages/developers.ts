import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { pageActions } from '../../pages/developers/src/contract.ts';
import type { Region } from '../../shared/core/config.ts';
import type { State } from '../engine/state.ts';
import { isFromOwnPage } from '../gateway/guard.ts';
import { type ActionOptions, createActionEndpoint } from '../gateway/own-endpoints.ts';
import { mayVisit, pageHeaders, replyFile, replyJson, replySlash } from '../gateway/replies.ts';
import type { LocalPage, OwnHandler } from '../gateway/server.ts';
import type { ActionCall } from '../region.ts';
import type { DemoAccount } from '../seed.ts';

interface DevelopersOptions extends ActionOptions {
  readonly accountsOf: (region: Region) => Promise<readonly KnownAccount[]>;
}

const root = '/developers';

const here = (name: string): string => fileURLToPath(new URL(`../../pages/developers/${name}`, import.meta.url));

/** The page's files and its host module, built at the first visit. */
const openFiles = () => {
  const make = async () => {
    const { buildPage, bundleModule } = await import('../../pages/developers/build.ts');
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

/**
 * Serves the Developers page at `/developers` to users of this machine, with the actions that it
 * needs.
 */
export const createDevelopersPage = ({
  regions,
  invokeAction,
  accountsOf,
}: DevelopersOptions): LocalPage & { readonly path: typeof root } => {
  const files = openFiles();

  const act = createActionEndpoint({
    regions,
    invokeAction,
    isAllowed: isFromOwnPage,
    rejectionMessage: 'Actions are taken from the page of this service only.',
    actions: pageActions,
    headers: pageHeaders,
  });
  const handle: OwnHandler = async (path, request, response) => {
    const name = path.slice(root.length + 1);
    if (name === 'actions' && request.method === 'POST') return act(request, response);
    if (!mayVisit(request, response)) return;
    if (path === root) return replySlash(response, root);
    if (name === 'accounts') {
      const regionAccounts = await Promise.all(regions.map(async (region) => ({ region, accounts: await accountsOf(region) })));
      return replyJson(response, 200, { places: regionAccounts }, pageHeaders);
    }
    const file = name === '' ? 'index.html' : name;
    replyFile(response, file, (await files()).get(file));
  };
  return { path: root, handle };
};

interface KnownAccount {
  readonly id: string;
  readonly name: string;
}

/**
 * Remembers the accounts that were created here, so that the page can list them. The table cannot
 * list accounts, because every read needs an account.
 */
export const openKnownAccounts = (state: State) => ({
  /** Returns the demo account first, then the others in the order of their creation. */
  list(region: Region, demo?: DemoAccount): readonly KnownAccount[] {
    const made = state.prepare('SELECT id, name FROM accounts WHERE region = ? ORDER BY id').all(region);
    const accounts = made.map(({ id, name }) => ({ id: String(id), name: String(name) }));
    return demo ? [{ id: demo.account, name: demo.name }, ...accounts.filter(({ id }) => id !== demo.account)] : accounts;
  },
  /**
   * Records an account that an action created or renamed. Removes an account once its erasure has
   * begun.
   */
  note(region: Region, { action }: ActionCall, response: unknown): void {
    const { ok, result } = response as { ok: boolean; result?: KnownAccount };
    if (!ok || !result) return;
    if (action === 'account.create' || action === 'account.update')
      state.prepare('INSERT OR REPLACE INTO accounts (region, id, name) VALUES (?, ?, ?)').run(region, result.id, result.name);
    if (action === 'account.erase') state.prepare('DELETE FROM accounts WHERE region = ? AND id = ?').run(region, result.id);
  },
});
export type KnownAccounts = ReturnType<typeof openKnownAccounts>;
