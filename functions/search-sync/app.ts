import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { whyUnreadable } from '../../shared/core/format-version.ts';
import { describeError } from '../../shared/core/log.ts';
import { decodeSearchMessage, type SearchMessage, searchMessageVersions } from '../../shared/domain/product/search.ts';
import { type SearchSyncServices, syncProduct } from './sync.ts';

interface Received {
  readonly ids: string[];
  readonly message: SearchMessage;
}

/**
 * Returns the handler of the search queue. Messages of one product are handled together, and
 * products do not wait for each other. A failed message returns to the queue; after five receives
 * it becomes a dead letter.
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
