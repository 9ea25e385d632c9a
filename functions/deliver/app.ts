import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { whyUnreadable } from '../../shared/core/format-version.ts';
import { describeError, type Log } from '../../shared/core/log.ts';
import { decodeMessage, messageVersions } from '../../shared/webhooks/message.ts';
import { type DeliverServices, isFirst } from './attempt.ts';
import { deliverToEndpoint, type ReceivedAttempt } from './endpoint.ts';

/**
 * Returns the messages of each endpoint. Several SQS messages for the same attempt are one message.
 * Also returns the ids of messages in an unreadable version.
 */
const groupByEndpoint = (records: readonly SQSRecord[], log: Log) => {
  const endpoints = new Map<string, Map<string, ReceivedAttempt>>();
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
    const messages = endpoints.get(name) ?? new Map<string, ReceivedAttempt>();
    const received = messages.get(key) ?? { message, ids: [], isRepeated: Number(attributes.ApproximateReceiveCount) > 1 };
    endpoints.set(name, messages.set(key, { ...received, ids: [...received.ids, messageId] }));
  }
  return { endpoints: [...endpoints.values()].map((messages) => [...messages.values()]), unreadable };
};

/**
 * Milliseconds until the sweep may queue the attempt. Every receive that reaches this function
 * begins them again, and the message returns after six minutes. If receives do not reach it for
 * lack of concurrency, the sweep adds a message, which is dropped if the attempt was made.
 */
const watchMs = 30 * 60_000;

/**
 * Makes a first attempt visible to the sweep if its message was received again, which means that an
 * earlier invocation failed. If all receives fail and the message becomes a dead letter, the sweep
 * then queues the attempt. Retries and redeliveries are always visible to the sweep. Errors are
 * only logged, because the attempt has priority and the next receive tries again.
 */
const watchRepeated = async ({ store, policy, clock, log }: DeliverServices, messages: readonly ReceivedAttempt[]): Promise<void> => {
  const watch = async ({ message }: ReceivedAttempt) => {
    try {
      await store.deliveries.makeDueAt(message, clock.now() + watchMs / policy.timeScale);
    } catch (error) {
      log({ op: 'deliver', account: message.account, event: message.event, unwatched: true, error: describeError(error) });
    }
  };
  await Promise.all(messages.filter(({ isRepeated, message }) => isRepeated && isFirst(message)).map(watch));
};

/**
 * Returns the handler of the delivery queue. Messages of one endpoint are handled together, so that
 * attempts in progress are limited and one write stores all outcomes. Endpoints do not wait for
 * each other. If the request to the endpoint fails, that is the outcome of the attempt. Any other
 * error leaves messages unfinished, and SQS delivers them again.
 */
export const deliver =
  (services: DeliverServices) =>
  async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
    const { endpoints, unreadable } = groupByEndpoint(Records, services.log);
    const unfinished = await Promise.all(
      endpoints.map(async (received) => {
        await watchRepeated(services, received);
        const { messages, ...failure } = await deliverToEndpoint(services, received);
        if ('error' in failure)
          services.log({ op: 'deliver', messages: messages.length, retry: true, error: describeError(failure.error) });
        return messages.flatMap(({ ids }) => ids);
      }),
    );
    return { batchItemFailures: [...unreadable, ...unfinished.flat()].map((itemIdentifier) => ({ itemIdentifier })) };
  };
