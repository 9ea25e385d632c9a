import { slotsPerEndpoint } from '../../shared/domain/webhook/record.ts';
import type { AttemptParts } from '../../shared/table/attempts.ts';
import { type DeliveryMessage, encodeMessage } from '../../shared/webhooks/message.ts';
import { abandonDelivery, arrange, attemptDelivery, type DeliverServices, type EndedAttempt, retryWrite } from './attempt.ts';
import { type EndpointRef, type LeasedSlots, leaseSlots, releaseSlots } from './slots.ts';

/** A message with the ids of its SQS messages: several may be for the same attempt. */
export interface ReceivedAttempt {
  readonly message: DeliveryMessage;
  readonly ids: readonly string[];
  /** Whether an earlier invocation received the message and did not finish it. */
  readonly isRepeated: boolean;
}

/** Messages that are not finished, with the error that prevented it. SQS delivers them again. */
export interface Remaining {
  readonly messages: readonly ReceivedAttempt[];
  readonly error?: unknown;
}

/**
 * Makes the attempts for the messages of one endpoint, in rounds until no message remains:
 *
 * 1. Leases slots. If none becomes free, sends the messages back to the queue. If the endpoint
 *    accepts no deliveries, records them as failed.
 * 2. Makes attempts on each slot, one after another, until one fails or time runs out.
 * 3. Counts the outcomes and frees the slots.
 *
 * A slot permits one failure, so parallel failures cannot pass the limit at which the endpoint is
 * disabled. Returns an error instead of throwing it, so that messages finished before it are
 * acknowledged.
 */
export const deliverToEndpoint = async (services: DeliverServices, messages: readonly ReceivedAttempt[]): Promise<Remaining> => {
  const begunMs = services.clock.now();
  const early = readEarly(services, messages);
  let remaining = messages;
  try {
    for (let [first] = messages; first; [first] = remaining) {
      const leased = await leaseSlots(services, first.message, remaining.length, () => isLate(services, begunMs));
      if (leased === 'busy') return await bounce(services, remaining);
      if (leased === 'closed') return await abandon(services, first.message, remaining);
      // After another round or a wait, a record that was read early may have changed.
      const isFresh = remaining === messages && !leased.hasWaited;
      const round = await useSlots(services, begunMs, leased, remaining, isFresh ? early : new Map());
      if ('error' in round) return round;
      remaining = round.messages;
    }
    return { messages: [] };
  } catch (error) {
    return { messages: remaining, error };
  }
};

/** Latest start of an attempt. An attempt takes up to 30 s, and the function may run for 60 s. */
const lastStartMs = 25_000;
const isLate = ({ clock }: DeliverServices, begunMs: number): boolean => clock.now() > begunMs + lastStartMs;

/** The records of attempts, by message, whose reading began before the lease. */
type PartsReadEarly = ReadonlyMap<ReceivedAttempt, Promise<AttemptParts>>;

/** Begins to read the records of as many attempts as there are slots. */
const readEarly = (services: DeliverServices, messages: readonly ReceivedAttempt[]): PartsReadEarly =>
  new Map(messages.slice(0, slotsPerEndpoint).map((received) => [received, readParts(services, received.message, false)]));

/** Reads the records of an attempt. An error waits until the attempt asks for them. */
const readParts = ({ store }: DeliverServices, message: DeliveryMessage, withEndpoint: boolean): Promise<AttemptParts> => {
  const reading = store.attempts.read({ ref: message, withEndpoint });
  reading.catch(() => {});
  return reading;
};

const maxBounceSeconds = 30;

/**
 * Sends new copies of messages to the queue because the endpoint had no free slot, so their receive
 * count starts again. The delay grows from 1 s.
 */
const bounce = async ({ queue, random }: DeliverServices, messages: readonly ReceivedAttempt[]): Promise<Remaining> => {
  await queue.send(
    messages.map(({ message }) => {
      const bounces = (message.bounces ?? 0) + 1;
      return {
        groupId: message.account,
        body: encodeMessage({ ...message, bounces }),
        delaySeconds: Math.ceil(random.fraction() * Math.min(maxBounceSeconds, 2 ** (bounces - 1))),
      };
    }),
  );
  return { messages: [] };
};

/** Records the due deliveries as failed, because the endpoint accepts no deliveries. */
const abandon = async (
  services: DeliverServices,
  { account, endpoint }: EndpointRef,
  messages: readonly ReceivedAttempt[],
): Promise<Remaining> => {
  services.log({ op: 'deliver', account, endpoint, abandoned: messages.length });
  const results = await Promise.allSettled(messages.map(({ message }) => abandonDelivery(services, message)));
  const remaining = messages.filter((_, i) => results[i]?.status === 'rejected');
  return remainingOf(remaining, results);
};

/**
 * Makes attempts on the slots in parallel, until no message waits, then frees the slots. A slot is
 * used until an attempt on it fails or it is late. URL, secret and status of the endpoint are
 * current for each attempt: the first one of a slot uses the endpoint that the lease returned, and
 * each further one reads it with its record. A merchant's change therefore applies to every request
 * that has not been sent.
 */
const useSlots = async (
  services: DeliverServices,
  begunMs: number,
  leased: LeasedSlots,
  messages: readonly ReceivedAttempt[],
  early: PartsReadEarly,
): Promise<Remaining> => {
  const waiting = [...messages];
  const finished = new Set<ReceivedAttempt>();
  const ended: EndedAttempt[] = [];
  const readFirst = async (received: ReceivedAttempt): Promise<AttemptParts> => {
    const parts = await (early.get(received) ?? readParts(services, received.message, false));
    return { ...parts, endpoint: leased.endpoint };
  };
  const useSlot = async (): Promise<void> => {
    for (let isFirst = true, next = waiting.shift(); next; isFirst = false, next = waiting.shift()) {
      const { message } = next;
      const parts = await (isFirst ? readFirst(next) : readParts(services, message, true));
      const end = await attemptDelivery(services, message, parts, begunMs);
      if (end) ended.push(end);
      if (end?.next) await arrange(services, end.next);
      finished.add(next);
      if (end?.outcome === 'failure' || isLate(services, begunMs)) return;
    }
  };
  const used = await Promise.allSettled(leased.slots.map(useSlot));
  const released = await Promise.allSettled([retryWrite(services, begunMs, () => releaseSlots(services, leased, ended))]);
  const remaining = messages.filter((received) => !finished.has(received));
  return remainingOf(remaining, [...released, ...used]);
};

/** Returns the messages with the first error of the results. */
const remainingOf = (messages: readonly ReceivedAttempt[], results: readonly PromiseSettledResult<unknown>[]): Remaining => {
  const failed = results.find((result) => result.status === 'rejected');
  return failed ? { messages, error: failed.reason } : { messages };
};
