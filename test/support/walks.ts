import type { Route } from '../../shared/core/routes.ts';
import type { ListOwner } from './list-sample.ts';
import { createTarget, send } from './requests.ts';
import type { World } from './world.ts';

/** Returns a new account with a key and an empty list. */
export const openList = async (world: World, route: Route): Promise<ListOwner> => {
  const { id: account } = await world.createAccount();
  const key = await world.createKey(account);
  return { world, account, key, id: await createTarget(world, route, key) };
};

export interface AskOptions {
  readonly key?: string;
  readonly id?: string;
}

/** One page of a list; a second passes with each, so that no rate limit is met. */
export const askPage = ({ world, key, id }: ListOwner, route: Route, query: string, options: AskOptions = {}) => {
  world.clock.advance(1_000);
  return send(world, route, { key, ...(id === undefined ? {} : { id }), ...options, query: `?${query}` });
};

/** Returns every page of a list, as clients follow them. Throws if one fails. */
export const walkPages = async (owner: ListOwner, route: Route, query: string, options: AskOptions = {}) => {
  const pages: { readonly body: any; readonly text: string }[] = [];
  for (let cursor = ''; ; ) {
    const { status, body, text } = await askPage(owner, route, `${query}${cursor}`, options);
    if (status !== 200) throw new Error(text);
    pages.push({ body, text });
    if (!body.pagination.has_more) return pages;
    cursor = `&cursor=${body.pagination.next_cursor}`;
  }
};

export const idsOf = (pages: readonly { readonly body: any }[]): string[] =>
  pages.flatMap(({ body }) => body.data.map(({ id }: { readonly id: string }) => id));
