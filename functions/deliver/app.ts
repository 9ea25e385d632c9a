import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { whyUnreadable } from '../../shared/core/format-version.ts';
import { describeError, type Log } from '../../shared/core/log.ts';
import { decodeMessage, messageVersions } from '../../shared/webhooks/message.ts';
import { isFirst } from './attempt.ts';
import { deliverToEndpoint, type Received, type Unfinished } from './endpoint.ts';
import type { DeliverServices } from './services.ts';

/** Returns the messages of each endpoint, and the ids of messages that cannot be read. */
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

/** Later than a message's last receive: SQS delivers a message five times, every six minutes. */
const watchMs = 30 * 60_000;

/**
 * Enters first attempts in the due index if their message was received before, which means that an
 * earlier invocation failed. If all receives fail, the message becomes a dead letter, and the sweep
 * sends another. Retries and redeliveries are in the index already. Never rejects, because the
 * attempt matters more; the next receive tries again.
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
 * Delivers messages of the delivery queue to customers' endpoints. Messages of one endpoint are
 * handled together, so that its running attempts are limited and its outcomes are one write.
 * Endpoints do not wait for each other. A failed request is the outcome of its attempt. If anything
 * else fails, before or after the request, the message returns to the queue.
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
