import { slotsPerEndpoint } from '../../shared/domain/webhook/record.ts';
import type { AttemptParts } from '../../shared/table/attempts.ts';
import { type DeliveryMessage, encodeMessage } from '../../shared/webhooks/message.ts';
import { abandonDelivery, arrange, attemptDelivery, type EndedAttempt, insist } from './attempt.ts';
import type { DeliverServices } from './services.ts';
import { leaseSlots, releaseSlots } from './slots.ts';

/** Latest start of an attempt. An attempt takes up to 30 s, and the function may run for 60 s. */
const lastStartMs = 25_000;
const maxBounceSeconds = 30;

/** A message, with the ids of its SQS messages. */
export interface Received {
  readonly message: DeliveryMessage;
  readonly ids: string[];
  /** Whether an earlier invocation received the message and did not finish it. */
  readonly isRepeated: boolean;
}

/**
 * Messages of one endpoint by their attempt. Several SQS messages for the same attempt are one
 * entry.
 */
export type Unfinished = Map<string, Received>;

/**
 * Sends new copies of messages to the queue because the endpoint had no free slot, so their receive
 * count starts again. The delay grows from 1 s.
 */
const bounce = async ({ queue, random }: DeliverServices, unfinished: Unfinished): Promise<void> => {
  await queue.send(
    [...unfinished.values()].map(({ message }) => {
      const bounces = (message.bounces ?? 0) + 1;
      return {
        groupId: message.account,
        body: encodeMessage({ ...message, bounces }),
        delaySeconds: Math.ceil(random.fraction() * Math.min(maxBounceSeconds, 2 ** (bounces - 1))),
      };
    }),
  );
  unfinished.clear();
};

/** Records the due deliveries as failed, because the endpoint accepts no deliveries. */
const abandon = async (services: DeliverServices, { account, endpoint }: DeliveryMessage, unfinished: Unfinished): Promise<void> => {
  services.log({ op: 'deliver', account, endpoint, abandoned: unfinished.size });
  await Promise.all(
    [...unfinished].map(async ([key, { message }]) => {
      await abandonDelivery(services, message);
      unfinished.delete(key);
    }),
  );
};

/**
 * Makes the attempts for the messages of one endpoint. Finished messages are removed from
 * `unfinished`, even if the function throws later. The records of first attempts are read while the
 * slots are leased. Each slot is used for one attempt at a time, and for another only after a
 * success. So a slot permits one failure, and parallel failures cannot pass the limit at which the
 * endpoint is disabled. URL, secret and status of the endpoint are current for each attempt: the
 * first attempt on a slot uses the endpoint that the lease returned, and each further attempt reads
 * it with its record. A merchant's change therefore applies to every request that has not been
 * sent.
 */
export const deliverToEndpoint = async (services: DeliverServices, unfinished: Unfinished): Promise<void> => {
  const { store, clock } = services;
  const begunMs = clock.now();
  const isLate = (): boolean => clock.now() > begunMs + lastStartMs;
  const [first] = unfinished.values();
  if (!first) return;
  const read = (message: DeliveryMessage, withEndpoint: boolean): Promise<AttemptParts> => {
    const reading = store.attempts.read({ ref: message, withEndpoint });
    reading.catch(() => {});
    return reading;
  };
  const early = new Map([...unfinished].slice(0, slotsPerEndpoint).map(([key, { message }]) => [key, read(message, false)]));

  for (let round = 1; unfinished.size > 0; round++) {
    const leased = await leaseSlots(services, first.message, unfinished.size, isLate);
    if (leased === 'busy') return await bounce(services, unfinished);
    if (leased === 'closed') return await abandon(services, first.message, unfinished);
    // If the lease waited, a record that was read before may have changed.
    const readings = round === 1 && !leased.hasWaited ? early : undefined;
    const readFirst = async (key: string, message: DeliveryMessage): Promise<AttemptParts> => {
      const parts = await (readings?.get(key) ?? read(message, false));
      return { ...parts, endpoint: leased.endpoint };
    };
    const waiting = [...unfinished];
    const ended: EndedAttempt[] = [];
    const work = async (): Promise<void> => {
      for (let isFirst = true, next = waiting.shift(); next; isFirst = false, next = waiting.shift()) {
        const [key, { message }] = next;
        const parts = await (isFirst ? readFirst(key, message) : read(message, true));
        const end = await attemptDelivery(services, message, parts, begunMs);
        if (end) ended.push(end);
        if (end?.next) await arrange(services, end.next);
        unfinished.delete(key);
        if (end?.outcome === 'failure' || isLate()) return;
      }
    };
    const results = await Promise.allSettled(leased.slots.map(work));
    await insist(services, begunMs, () => releaseSlots(services, first.message, leased, ended));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }
};
