import { slotsPerEndpoint } from '../../shared/domain/webhook/record.ts';
import type { AttemptParts } from '../../shared/table/attempts.ts';
import { type DeliveryMessage, encodeMessage } from '../../shared/webhooks/message.ts';
import { abandonDelivery, arrange, attemptDelivery, type EndedAttempt, insist } from './attempt.ts';
import type { DeliverServices } from './services.ts';
import { leaseSlots, releaseSlots } from './slots.ts';

/**
 * No attempt starts later than this in an invocation. An attempt takes up to 30 s, and the function
 * ends after 60 s.
 */
const lastStartMs = 25_000;
const maxBounceSeconds = 30;

/** A message and the ids under which SQS delivered it. */
export interface Received {
  readonly message: DeliveryMessage;
  readonly ids: string[];
  /** Whether an earlier invocation received the message and did not finish it. */
  readonly isRepeated: boolean;
}

/**
 * Unfinished messages of an endpoint, by attempt. Two messages of the same attempt are one entry.
 */
export type Unfinished = Map<string, Received>;

/**
 * Returns messages to the queue if the endpoint had no free slot. They do not count as received;
 * their delay grows from 1 s.
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

/** Fails the deliveries of an endpoint that accepts none. */
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
 * Handles the messages of one endpoint. Removes finished messages from `unfinished`, even if it
 * throws. Reads the records of the first attempts while it leases their slots.
 *
 * Each slot permits one failure. A slot is used for another attempt only after a success, so
 * failures in a row cannot exceed the limit that disables the endpoint.
 *
 * Each attempt uses the endpoint's current URL, secret and state. The first attempt on a slot has
 * them from the lease; later ones read them with their record. So an owner's change applies to
 * every request that was not sent yet.
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
    // A record that was read before a wait may have changed since.
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
