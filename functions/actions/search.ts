import { ApiError } from '../../shared/core/errors.ts';
import { record } from '../../shared/core/fields.ts';
import { decodeCursor, encodeCursor } from '../../shared/core/paging.ts';
import { isStorefrontVisible } from '../../shared/domain/product/fields.ts';
import { encodeSearchMessage } from '../../shared/domain/product/search.ts';
import { parseCursor } from '../../shared/operations/pages.ts';
import { readDocumentIds, type SearchCollection, SearchEngineError, settleProduct } from '../../shared/operations/search-engine.ts';
import { UnresolvedSecret } from '../../shared/providers/secrets.ts';
import { cursorField } from './account-pages.ts';
import { type ActionServices, inParallel, onAccount, startBudget } from './action.ts';

/** Number of products that a call sends. Each may take ten seconds, twenty at a time. */
const productsPerCall = 100;
/** As long as a message waits that failed in the search queue. No engine carries out a request so late. */
const requeueDelaySeconds = 360;

const openCollection = async ({ store, secrets }: ActionServices, account: string): Promise<SearchCollection> => {
  const { search } = await store.accounts.getSettings(account);
  if (!search?.admin_key)
    throw new ApiError('conflict', 'The account has no search with an admin_key. Set search.host, collection, search_key and admin_key.');
  const { host, collection, admin_key } = search;
  return { host, collection, adminKey: await secrets.resolve(account, admin_key, 'search') };
};

/** Runs work with the search engine. An error of the engine or of its key is the caller's to fix. */
const explainErrors = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SearchEngineError)
      throw new ApiError('conflict', `${error.message} Check search in the settings and the search server, then repeat the call.`);
    if (error instanceof UnresolvedSecret) throw new ApiError('conflict', `search.admin_key cannot be read. ${error.message}`);
    throw error;
  }
};

/**
 * Writes or removes a product's document. If that fails, the engine may still carry out this request,
 * after a newer one. So it also sends the product to the search queue, for later.
 */
const settleOrRequeue = async (services: ActionServices, account: string, collection: SearchCollection, product: string) => {
  try {
    return await settleProduct(services, collection, { account, product }, isStorefrontVisible);
  } catch (error) {
    const delaySeconds = Math.ceil(requeueDelaySeconds / services.policy.timeScale);
    await services.queues.search.send([{ body: encodeSearchMessage({ account, product }), groupId: account, delaySeconds }]);
    throw error;
  }
};

/** Sends a page of the products that a shopper can see. */
const sendPage = async (
  services: ActionServices,
  account: string,
  collection: SearchCollection,
  cursor: string | undefined,
  fingerprint: string,
) => {
  const after = parseCursor(cursor, fingerprint);
  const query = { sort: 'storefrontCreated' } as const;
  const page = await services.store.products.list(account, query, { limit: productsPerCall, ...(after && { after }) });
  const settled = await inParallel(page.records, ({ id }) => settleOrRequeue(services, account, collection, id));
  return { sent: settled.filter(({ isStored }) => isStored).length, next: page.next };
};

/**
 * Removes the account's documents that no shopper may see, from a page on. Documents move to earlier
 * pages as others are removed, so a page is read again until nothing was removed from it. Returns the
 * page with which the next call continues; undefined at the end.
 */
const removeHiddenDocuments = async (services: ActionServices, account: string, collection: SearchCollection, start: number) => {
  const isInTime = startBudget(services.clock);
  let removed = 0;
  for (let page = start; ; ) {
    if (!isInTime()) return { removed, next: page };
    const ids = await readDocumentIds(services, collection, account, page);
    if (ids.length === 0) return { removed, next: undefined };
    const gone = await inParallel(ids, async (product) => {
      const stored = await services.store.products.get(account, product);
      if (stored && isStorefrontVisible(stored.record)) return false;
      const { status, isStored } = await settleOrRequeue(services, account, collection, product);
      return !isStored && status === 200;
    });
    const count = gone.filter(Boolean).length;
    removed += count;
    if (count === 0) page += 1;
  }
};

export const search = {
  reindex: onAccount({
    summary: "Writes the products of the storefront to the account's search collection, and removes its other documents.",
    input: record({ ...cursorField }),
    async resume(services, { cursor }, { id: account }) {
      const sending = `search.reindex/${account}`;
      const removing = `${sending}/others`;
      const start = cursor == null ? undefined : decodeCursor(cursor);
      return explainErrors(async () => {
        const collection = await openCollection(services, account);
        let [sent, firstPage] = [0, 1];
        if (start?.fingerprint === removing) firstPage = Number(start.position) || 1;
        else {
          const page = await sendPage(services, account, collection, cursor ?? undefined, sending);
          if (page.next) return { sent: page.sent, removed: 0, next_cursor: encodeCursor({ fingerprint: sending, ...page.next }) };
          sent = page.sent;
        }
        const { removed, next } = await removeHiddenDocuments(services, account, collection, firstPage);
        return { sent, removed, next_cursor: next ? encodeCursor({ fingerprint: removing, position: String(next), id: '' }) : null };
      });
    },
  }),
};
