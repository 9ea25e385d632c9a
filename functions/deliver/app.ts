import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { whyUnreadable } from '../../shared/core/format-version.ts';
import { describeError } from '../../shared/core/log.ts';
import { type DeliveryMessage, decodeMessage, messageVersions } from '../../shared/webhooks/message.ts';
import { deliverToEndpoint, type Unfinished } from './endpoint.ts';
import type { DeliverServices } from './services.ts';
import { watchRepeated } from './watch.ts';

/** Messages of one endpoint, each with the ids it was received under. */
interface Received {
  readonly messages: Unfinished;
  readonly ids: Map<string, string[]>;
  /** Messages that an earlier invocation received and did not finish. */
  readonly repeated: DeliveryMessage[];
}

/**
 * The delivery queue to customers' endpoints. Messages of one endpoint are worked together, so that its attempts in flight are
 * counted and its outcomes are one write; endpoints do not wait for each other. What fails for reasons of ours comes back.
 */
export const deliver = (services: DeliverServices) => {
  const { log } = services;

  const receive = (records: readonly SQSRecord[]): { groups: Map<string, Received>; unreadable: string[] } => {
    const groups = new Map<string, Received>();
    const unreadable: string[] = [];
    for (const { messageId, body, attributes } of records) {
      const message = decodeMessage(body);
      if (!message) {
        unreadable.push(messageId);
        log({ op: 'deliver', message: messageId, unreadable: whyUnreadable(body, messageVersions) });
        continue;
      }
      const { account, endpoint, event, run, attempt } = message;
      const group: Received = groups.get(`${account}#${endpoint}`) ?? { messages: new Map(), ids: new Map(), repeated: [] };
      const key = [event, run, attempt].join('#');
      if (Number(attributes.ApproximateReceiveCount) > 1 && !group.messages.has(key)) group.repeated.push(message);
      group.messages.set(key, group.messages.get(key) ?? message);
      group.ids.set(key, [...(group.ids.get(key) ?? []), messageId]);
      groups.set(`${account}#${endpoint}`, group);
    }
    return { groups, unreadable };
  };

  return async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
    const { groups, unreadable } = receive(Records);
    const failed = await Promise.all(
      [...groups.values()].map(async ({ messages, ids, repeated }) => {
        try {
          await watchRepeated(services, repeated);
          await deliverToEndpoint(services, messages);
        } catch (error) {
          log({ op: 'deliver', messages: messages.size, retry: true, error: describeError(error) });
        }
        return [...messages.keys()].flatMap((key) => ids.get(key) ?? []);
      }),
    );
    return { batchItemFailures: [...unreadable, ...failed.flat()].map((itemIdentifier) => ({ itemIdentifier })) };
  };
};
