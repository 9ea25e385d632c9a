import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { whyUnreadable } from '../../shared/core/format-version.ts';
import { describeError } from '../../shared/core/log.ts';
import { type DeliveryMessage, decodeMessage, messageVersions } from '../../shared/webhooks/message.ts';
import { deliverToEndpoint } from './endpoint.ts';
import type { DeliverServices } from './services.ts';

interface Received {
  readonly id: string;
  readonly message: DeliveryMessage;
}

/**
 * The delivery queue to customers' endpoints. Messages of one endpoint are worked together, so that its attempts in flight are
 * counted and its outcomes are one write; endpoints do not wait for each other. What fails for reasons of ours comes back.
 */
export const deliver = (services: DeliverServices) => {
  const { log } = services;

  const read = (records: readonly SQSRecord[]): { groups: Map<string, Received[]>; unreadable: string[] } => {
    const groups = new Map<string, Received[]>();
    const unreadable: string[] = [];
    for (const { messageId, body } of records) {
      const message = decodeMessage(body);
      if (!message) {
        unreadable.push(messageId);
        log({ op: 'deliver', message: messageId, unreadable: whyUnreadable(body, messageVersions) });
        continue;
      }
      const key = `${message.account}#${message.endpoint}`;
      groups.set(key, [...(groups.get(key) ?? []), { id: messageId, message }]);
    }
    return { groups, unreadable };
  };

  return async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
    const { groups, unreadable } = read(Records);
    const failed = await Promise.all(
      [...groups.values()].map(async (received) => {
        const unfinished = new Map(received.map(({ id, message }) => [id, message]));
        try {
          await deliverToEndpoint(services, unfinished);
        } catch (error) {
          log({ op: 'deliver', messages: unfinished.size, retry: true, error: describeError(error) });
        }
        return [...unfinished.keys()];
      }),
    );
    return { batchItemFailures: [...unreadable, ...failed.flat()].map((itemIdentifier) => ({ itemIdentifier })) };
  };
};
