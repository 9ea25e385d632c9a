import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { whyUnreadable } from '../../shared/core/format-version.ts';
import { describeError } from '../../shared/core/log.ts';
import type { Product } from '../../shared/domain/product/fields.ts';
import { decodeSearchMessage, type SearchMessage, searchMessageVersions } from '../../shared/domain/product/search.ts';
import { settleProduct } from '../../shared/operations/search-engine.ts';
import type { Services } from '../../shared/services.ts';
import type { Accounts } from '../../shared/table/accounts.ts';
import type { Products } from '../../shared/table/products.ts';

interface SearchSyncServices extends Pick<Services, 'secrets' | 'sender' | 'log'> {
  readonly store: { readonly accounts: Accounts; readonly products: Products };
}

const isGone = (product: Product): boolean => product.status === 'deleted';

/** Writes the product's current state. Throws if the engine rejects the write or cannot be reached. */
const syncProduct = async (
  { store, secrets, sender }: SearchSyncServices,
  message: SearchMessage,
): Promise<{ readonly writes: number; readonly status?: number | null }> => {
  const { search } = await store.accounts.getSettings(message.account);
  if (!search?.admin_key) return { writes: 0 };
  const adminKey = await secrets.resolve(message.account, search.admin_key, 'search');
  const { writes, status } = await settleProduct({ store, sender }, { ...search, adminKey }, message, (product) => !isGone(product));
  return { writes, status };
};

interface ReceivedProduct {
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

  const read = (records: readonly SQSRecord[]): { products: Map<string, ReceivedProduct>; unreadable: string[] } => {
    const products = new Map<string, ReceivedProduct>();
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
