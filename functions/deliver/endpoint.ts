import { slotsPerEndpoint } from '../../shared/domain/webhook/record.ts';
import type { AttemptParts } from '../../shared/table/attempts.ts';
import { type DeliveryMessage, encodeMessage } from '../../shared/webhooks/message.ts';
import { abandonDelivery, arrange, attemptDelivery, type DeliverServices, type EndedAttempt, insist } from './attempt.ts';
import { type Leased, leaseSlots, releaseSlots } from './slots.ts';

/** Latest start of an attempt. An attempt takes up to 30 s, and the function may run for 60 s. */
const lastStartMs = 25_000;
const isLate = ({ clock }: DeliverServices, begunMs: number): boolean => clock.now() > begunMs + lastStartMs;

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

/** Reads the records of an attempt. An error waits until the attempt asks for them. */
const read = ({ store }: DeliverServices, message: DeliveryMessage, withEndpoint: boolean): Promise<AttemptParts> => {
  const reading = store.attempts.read({ ref: message, withEndpoint });
  reading.catch(() => {});
  return reading;
};

/** The attempts that share one lease of slots. */
interface Round {
  readonly begunMs: number;
  readonly leased: Leased;
  /** Messages that no slot has taken yet. */
  readonly waiting: [key: string, received: Received][];
  readonly ended: EndedAttempt[];
  /** Readings that began before the lease, by message. A record that is read now has none. */
  readonly early: ReadonlyMap<string, Promise<AttemptParts>> | undefined;
}

/**
 * Makes attempts on one slot, one after another, until no message waits, an attempt fails or it is
 * late. URL, secret and status of the endpoint are current for each attempt: the first one uses the
 * endpoint that the lease returned, and each further one reads it with its record. A merchant's
 * change therefore applies to every request that has not been sent.
 */
const useSlot = async (services: DeliverServices, round: Round, unfinished: Unfinished): Promise<void> => {
  const { begunMs, leased, waiting, ended, early } = round;
  const readFirst = async (key: string, message: DeliveryMessage): Promise<AttemptParts> => {
    const parts = await (early?.get(key) ?? read(services, message, false));
    return { ...parts, endpoint: leased.endpoint };
  };
  for (let isFirst = true, next = waiting.shift(); next; isFirst = false, next = waiting.shift()) {
    const [key, { message }] = next;
    const parts = await (isFirst ? readFirst(key, message) : read(services, message, true));
    const end = await attemptDelivery(services, message, parts, begunMs);
    if (end) ended.push(end);
    if (end?.next) await arrange(services, end.next);
    unfinished.delete(key);
    if (end?.outcome === 'failure' || isLate(services, begunMs)) return;
  }
};

/**
 * Makes the attempts for the messages of one endpoint: leases slots, makes attempts on each of them,
 * counts the outcomes and returns the slots, until no message is left. A slot permits one failure, so
 * parallel failures cannot pass the limit at which the endpoint is disabled. The records of first
 * attempts are read while the slots are leased. Finished messages are removed from `unfinished`, even
 * if the function throws later.
 */
export const deliverToEndpoint = async (services: DeliverServices, unfinished: Unfinished): Promise<void> => {
  const begunMs = services.clock.now();
  const [first] = unfinished.values();
  if (!first) return;
  const early = new Map([...unfinished].slice(0, slotsPerEndpoint).map(([key, { message }]) => [key, read(services, message, false)]));

  for (let number = 1; unfinished.size > 0; number++) {
    const leased = await leaseSlots(services, first.message, unfinished.size, () => isLate(services, begunMs));
    if (leased === 'busy') return await bounce(services, unfinished);
    if (leased === 'closed') return await abandon(services, first.message, unfinished);
    // If the lease waited, a record that was read before may have changed.
    const isFresh = number === 1 && !leased.hasWaited;
    const round: Round = { begunMs, leased, waiting: [...unfinished], ended: [], early: isFresh ? early : undefined };
    const results = await Promise.allSettled(leased.slots.map(() => useSlot(services, round, unfinished)));
    await insist(services, begunMs, () => releaseSlots(services, first.message, leased, round.ended));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }
};
