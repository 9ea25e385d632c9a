import { describeError } from '../../shared/core/log.ts';
import type { DeliveryMessage } from '../../shared/webhooks/message.ts';
import type { DeliverServices } from './services.ts';

/** After the last receive of a message, unless it is done by then: the queue hands it out five times, every six minutes. */
const watchMs = 30 * 60_000;

/** First attempts are in no index of what is due; retries and redeliveries are. */
const isFirst = ({ run, attempt }: DeliveryMessage): boolean => run === 1 && attempt === 0;

/**
 * Shows the sweep first attempts whose message has come back. An invocation before this one failed,
 * and if all fail the message becomes a dead letter: then the sweep sends another. Never rejects,
 * because the attempt comes first: the next receive tries again.
 */
export const watchRepeated = async (services: DeliverServices, messages: readonly DeliveryMessage[]): Promise<void> => {
  const { store, policy, clock, log } = services;
  await Promise.all(
    messages.filter(isFirst).map(async (message) => {
      try {
        await store.deliveries.findFrom(message, clock.now() + watchMs / policy.timeScale);
      } catch (error) {
        log({ op: 'deliver', account: message.account, event: message.event, unwatched: true, error: describeError(error) });
      }
    }),
  );
};
