import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { whyUnreadable } from '../../shared/core/format-version.ts';
import { describeError } from '../../shared/core/log.ts';
import type { Settings } from '../../shared/domain/account/settings.ts';
import type { Product } from '../../shared/domain/product/fields.ts';
import { decodeSearchMessage, type SearchMessage, searchDocument, searchMessageVersions } from '../../shared/domain/product/search.ts';
import type { Services } from '../../shared/services.ts';
import type { Accounts } from '../../shared/table/accounts.ts';
import type { Products } from '../../shared/table/products.ts';
import type { Delivery } from '../../shared/webhooks/sender.ts';

export interface SearchSyncServices extends Pick<Services, 'secrets' | 'sender' | 'log'> {
  readonly store: { readonly accounts: Accounts; readonly products: Products };
}

type Search = NonNullable<Settings['search']>;

/** Timeout of one request. Several writes of a product fit into the 60 s of the function. */
const timeoutMs = 10_000;
const maxWrites = 4;

const isGone = (product: Product | undefined): boolean => product === undefined || product.status === 'deleted';

/** Returns the request that changes the collection to the product's current state. */
const requestFor = (search: Search, adminKey: string, { account, product }: SearchMessage, record: Product | undefined): Delivery => {
  const origin = (/^https?:\/\//i.test(search.host) ? search.host : `https://${search.host}`).replace(/\/+$/, '');
  const documents = `${origin}/collections/${encodeURIComponent(search.collection)}/documents`;
  const headers = { 'X-TYPESENSE-API-KEY': adminKey, 'Content-Type': 'application/json' };
  return record === undefined || isGone(record)
    ? { method: 'DELETE', url: `${documents}/${encodeURIComponent(product)}`, headers, body: '', timeoutMs }
    : { url: `${documents}?action=upsert`, headers, body: JSON.stringify(searchDocument(account, record)), timeoutMs };
};

/**
 * Writes the product's current state, then reads it again. If two runs are parallel, the run with
 * the older state may write last. Its second read then finds the newer state, and it writes again.
 * So order and number of messages do not matter. Throws if the engine rejects the write or cannot
 * be reached. If the document is already gone, it counts as deleted.
 */
export const syncProduct = async (
  { store, secrets, sender }: SearchSyncServices,
  message: SearchMessage,
): Promise<{ readonly writes: number; readonly status?: number | null }> => {
  const { search } = await store.accounts.getSettings(message.account);
  if (!search?.admin_key) return { writes: 0 };
  const adminKey = await secrets.resolve(message.account, search.admin_key, 'search');
  let stored = await store.products.get(message.account, message.product);
  for (let writes = 1; writes <= maxWrites; writes++) {
    const { success, statusCode, error } = await sender.send(requestFor(search, adminKey, message, stored?.record));
    const absent = statusCode === 404 && isGone(stored?.record);
    if (!success && !absent) throw new Error(`The write to the search engine failed: ${error} ${statusCode ?? ''}`.trimEnd());
    const now = await store.products.get(message.account, message.product);
    if (now?.revision === stored?.revision) return { writes, status: statusCode };
    stored = now;
  }
  throw new Error('The product changed again after every write.');
};

interface Received {
  readonly ids: string[];
  readonly message: SearchMessage;
}

/**
 * Returns the handler of the search queue. Messages of one product are handled together, and
 * products do not wait for each other. A failed message returns to the queue; after twenty
 * receives it becomes a dead letter.
 */
export const searchSync = (services: SearchSyncServices) => {
  const { log } = services;

  const read = (records: readonly SQSRecord[]): { products: Map<string, Received>; unreadable: string[] } => {
    const products = new Map<string, Received>();
    const unreadable: string[] = [];
    for (const { messageId, body } of records) {
      const message = decodeSearchMessage(body);
      if (!message) {
        unreadable.push(messageId);
        log({ op: 'search-sync', message: messageId, unreadable: whyUnreadable(body, searchMessageVersions) });
        continue;
      }
      const key = `${message.account}#${message.product}`;
      const received = products.get(key) ?? { ids: [], message };
      received.ids.push(messageId);
      products.set(key, received);
    }
    return { products, unreadable };
  };

  return async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
    const { products, unreadable } = read(Records);
    const failed = await Promise.all(
      [...products.values()].map(async ({ ids, message }) => {
        try {
          const outcome = await syncProduct(services, message);
          log({ op: 'search-sync', ...message, ...outcome });
          return [];
        } catch (error) {
          log({ op: 'search-sync', ...message, retry: true, error: describeError(error) });
          return ids;
        }
      }),
    );
    return { batchItemFailures: [...unreadable, ...failed.flat()].map((itemIdentifier) => ({ itemIdentifier })) };
  };
};
