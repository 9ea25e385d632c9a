import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { whyUnreadable } from '../../shared/core/format-version.ts';
import { describeError, type Log } from '../../shared/core/log.ts';
import { decodeMessage, messageVersions } from '../../shared/webhooks/message.ts';
import { isFirst } from './attempt.ts';
import { deliverToEndpoint, type Received, type Unfinished } from './endpoint.ts';
import type { DeliverServices } from './services.ts';

/** Returns the messages of each endpoint, and the ids of messages without a readable version. */
const receive = (records: readonly SQSRecord[], log: Log) => {
  const endpoints = new Map<string, Unfinished>();
  const unreadable: string[] = [];
  for (const { messageId, body, attributes } of records) {
    const message = decodeMessage(body);
    if (!message) {
      unreadable.push(messageId);
      log({ op: 'deliver', message: messageId, unreadable: whyUnreadable(body, messageVersions) });
      continue;
    }
    const { account, endpoint, event, run, attempt } = message;
    const name = `${account}#${endpoint}`;
    const key = [event, run, attempt].join('#');
    const messages: Unfinished = endpoints.get(name) ?? new Map();
    const received = messages.get(key) ?? { message, ids: [], isRepeated: Number(attributes.ApproximateReceiveCount) > 1 };
    received.ids.push(messageId);
    endpoints.set(name, messages.set(key, received));
  }
  return { endpoints: [...endpoints.values()], unreadable };
};

/**
 * After the last receive of a message, unless it is done by then: the queue hands it out five
 * times, every six minutes.
 */
const watchMs = 30 * 60_000;

/**
 * Marks first attempts if their message was received again, so that the sweep finds them; it finds
 * retries and redeliveries anyway. An earlier invocation failed. If all fail, the message becomes a
 * dead letter, and the sweep sends another. Never rejects, because the attempt has priority: the
 * next receive tries again.
 */
const watchRepeated = async ({ store, policy, clock, log }: DeliverServices, messages: Unfinished): Promise<void> => {
  const watch = async ({ message }: Received) => {
    try {
      await store.deliveries.findFrom(message, clock.now() + watchMs / policy.timeScale);
    } catch (error) {
      log({ op: 'deliver', account: message.account, event: message.event, unwatched: true, error: describeError(error) });
    }
  };
  await Promise.all([...messages.values()].filter(({ isRepeated, message }) => isRepeated && isFirst(message)).map(watch));
};

/**
 * The delivery queue to customers' endpoints. Messages of one endpoint are worked together, so that
 * its attempts in flight are counted and its outcomes are one write; endpoints do not wait for each
 * other. A request that fails is an outcome of its attempt; whatever else fails, before the request
 * or after it, leaves its message unfinished: it comes back.
 */
export const deliver =
  (services: DeliverServices) =>
  async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
    const { endpoints, unreadable } = receive(Records, services.log);
    const failed = await Promise.all(
      endpoints.map(async (unfinished) => {
        try {
          await watchRepeated(services, unfinished);
          await deliverToEndpoint(services, unfinished);
        } catch (error) {
          services.log({ op: 'deliver', messages: unfinished.size, retry: true, error: describeError(error) });
        }
        return [...unfinished.values()].flatMap(({ ids }) => ids);
      }),
    );
    return { batchItemFailures: [...unreadable, ...failed.flat()].map((itemIdentifier) => ({ itemIdentifier })) };
  };
