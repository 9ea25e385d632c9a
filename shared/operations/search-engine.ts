import type { Settings } from '../domain/account/settings.ts';
import type { Product } from '../domain/product/fields.ts';
import { type SearchMessage, searchDocument } from '../domain/product/search.ts';
import type { Products } from '../table/products.ts';
import type { AttemptResult } from '../webhooks/outcome.ts';
import type { Delivery, Sender } from '../webhooks/sender.ts';

interface SearchEngineServices {
  readonly store: { readonly products: Pick<Products, 'get'> };
  readonly sender: Pick<Sender, 'send'>;
}

/** An account's collection in its search engine, and the key for writes. */
export interface SearchCollection extends Pick<NonNullable<Settings['search']>, 'host' | 'collection'> {
  readonly adminKey: string;
}

/** Thrown if the engine rejects a request, cannot be reached, or sends a response that is not readable. */
export class SearchEngineError extends Error {
  override readonly name = 'SearchEngineError';
}

/** Timeout of one request. Several writes of a product fit into the 60 s of a function. */
const timeoutMs = 10_000;
const maxWrites = 4;

const requestTo = ({ host, collection, adminKey }: SearchCollection, path: string, more: Partial<Delivery>): Delivery => {
  const origin = (/^https?:\/\//i.test(host) ? host : `https://${host}`).replace(/\/+$/, '');
  return {
    url: `${origin}/collections/${encodeURIComponent(collection)}/documents${path}`,
    headers: { 'X-TYPESENSE-API-KEY': adminKey, 'Content-Type': 'application/json' },
    body: '',
    timeoutMs,
    ...more,
  };
};

const failureOf = (what: string, { error, statusCode }: Pick<AttemptResult, 'error' | 'statusCode'>) =>
  new SearchEngineError(`${what} failed: ${error} ${statusCode ?? ''}`.trimEnd());

/** What a settled product did to the collection. */
export interface Settled {
  readonly writes: number;
  /** Status of the last write. */
  readonly status: number | null;
  /** Whether the collection has the product's document. */
  readonly isStored: boolean;
}

/**
 * Writes the product's current state, then reads it again. If two runs are parallel, the run with
 * the older state may write last. Its second read then finds the newer state, and it writes again.
 * So order and number of writers do not matter. A product that `belongs` rejects is deleted; if its
 * document is already gone, it counts as deleted. Throws `SearchEngineError`.
 */
export const settleProduct = async (
  { store, sender }: SearchEngineServices,
  collection: SearchCollection,
  { account, product }: SearchMessage,
  belongs: (product: Product) => boolean,
): Promise<Settled> => {
  let stored = await store.products.get(account, product);
  for (let writes = 1; writes <= maxWrites; writes++) {
    const record = stored && belongs(stored.record) ? stored.record : undefined;
    const request = record
      ? requestTo(collection, '?action=upsert', { body: JSON.stringify(searchDocument(account, record)) })
      : requestTo(collection, `/${encodeURIComponent(product)}`, { method: 'DELETE' });
    const result = await sender.send(request);
    if (!result.success && (record || result.statusCode !== 404)) throw failureOf('The write to the search engine', result);
    const now = await store.products.get(account, product);
    if (now?.revision === stored?.revision) return { writes, status: result.statusCode, isStored: record !== undefined };
    stored = now;
  }
  throw new SearchEngineError('The product changed again after every write.');
};

/** Documents of a page. A page of ids, with what the engine adds to each, stays below the sender's limit. */
const documentsPerPage = 100;

/** Returns the ids of the account's documents on a page, from 1. Throws `SearchEngineError`. */
export const readDocumentIds = async (
  { sender }: Pick<SearchEngineServices, 'sender'>,
  collection: SearchCollection,
  account: string,
  page: number,
): Promise<readonly string[]> => {
  const query = new URLSearchParams({
    ...{ q: '*', query_by: 'account', filter_by: `account:=${account}`, include_fields: 'id', enable_overrides: 'false' },
    ...{ page: String(page), per_page: String(documentsPerPage) },
  });
  const result = await sender.send(requestTo(collection, `/search?${query}`, { method: 'GET', wantsBody: true }));
  if (!result.success) throw failureOf('The search', result);
  try {
    const { hits } = JSON.parse(Buffer.from(result.receiverResponse?.body ?? '').toString()) as {
      hits: readonly { readonly document: { readonly id: string } }[];
    };
    return hits.map(({ document }) => document.id);
  } catch {
    throw new SearchEngineError('The search engine sent a response that is not a list of documents.');
  }
};
