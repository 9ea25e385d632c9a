import type { AccountPart } from '../../shared/table/account-data.ts';
import { formerEndpoint } from '../../shared/table/endpoints.ts';
import { withoutOrder } from '../../shared/table/payments.ts';
import type { Kind } from '../../shared/table/schema.ts';
import type { Store } from '../../shared/table/store.ts';

/** An action is cut off after 60 s; what takes longer stops here, says so, and goes on when it is called again. */
export const budgetMs = 40_000;

const atOnce = 20;

/** Runs the work over all items, at most 20 at a time; the results in their order. */
export const inParallel = async <Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> => {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += atOnce)
    results.push(...(await Promise.all(items.slice(start, start + atOnce).map(work))));
  return results;
};

/** Where an account's records of a kind lie. Each endpoint has a log of its own, also after it was deleted; payments of an order lie with it. */
export const partsOf = async ({ endpoints, accountData }: Store, account: string, kind: Kind): Promise<readonly AccountPart[]> => {
  if (kind === 'payment') return [{ kind, of: withoutOrder }];
  if (kind !== 'deliveryRecord') return [{ kind }];
  const [standing, registry] = await Promise.all([endpoints.all(account), accountData.page(account, { kind: 'endpointRegistry' })]);
  const ids = [...standing.map(({ id }) => id), ...registry.items.flatMap((item) => formerEndpoint(item) ?? [])];
  return ids.sort().map((of) => ({ kind, of }));
};
