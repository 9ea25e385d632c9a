import { randomText } from '../../shared/core/random.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { foldOutcomes, type Outcome } from '../../shared/domain/webhook/outcomes.ts';
import {
  type Endpoint,
  freeSlotsClaim,
  guessedClaim,
  type SlotClaim,
  type SlotLease,
  takesDeliveries,
} from '../../shared/domain/webhook/record.ts';
import type { DeliveryMessage } from '../../shared/webhooks/message.ts';
import type { DeliverServices, EndedAttempt } from './attempt.ts';

export type EndpointRef = Pick<DeliveryMessage, 'account' | 'endpoint'>;

/** Slots of an endpoint that one write has leased. */
export interface LeasedSlots {
  readonly ref: EndpointRef;
  readonly slots: readonly number[];
  readonly lease: SlotLease;
  /** The endpoint as the lease's write returned it. */
  readonly endpoint: Endpoint;
  readonly hasWaited: boolean;
}

/**
 * Maximum number of waits for a slot, about one second in total. A responsive endpoint frees its
 * slots quickly, so a short wait often avoids sending the message back to the queue.
 */
const maxWaits = 10;
const averageWaitMs = 100;

/**
 * Leases slots for up to `requestedSlots` messages of an endpoint:
 *
 * 1. Claims slots by a guess, without reading the endpoint. If that fails, the write returns it.
 * 2. Claims slots that are free according to the endpoint.
 * 3. While none is free, waits, reads the endpoint and claims again.
 *
 * Returns `busy` if no slot becomes free in time, and `closed` if the endpoint accepts no
 * deliveries.
 */
export const leaseSlots = async (
  services: DeliverServices,
  ref: EndpointRef,
  requestedSlots: number,
  isLate: () => boolean,
): Promise<LeasedSlots | 'busy' | 'closed'> => {
  const { store, clock, random } = services;
  if (isLate()) return 'busy';
  const guess = await claimSlots(services, ref, guessedClaim(requestedSlots, random.fraction()), false);
  if (guess.leased) return guess.leased;
  for (let waits = 0, found = guess.endpoint; ; waits++) {
    const { leased, endpoint } = await claimFree(services, ref, found, requestedSlots, waits > 0);
    if (leased) return leased;
    if (!endpoint || !takesDeliveries(endpoint)) return 'closed';
    // Only a healthy endpoint frees its slots soon.
    if (endpoint.consecutive_failures > 0 || waits === maxWaits || isLate()) return 'busy';
    await clock.sleep(random.fraction() * 2 * averageWaitMs);
    found = await store.endpoints.get(ref.account, ref.endpoint);
  }
};

/** Counts the outcomes and frees the slots in one write. */
export const releaseSlots = async (
  { store, log }: DeliverServices,
  { ref, slots, lease }: Pick<LeasedSlots, 'ref' | 'slots' | 'lease'>,
  ended: readonly EndedAttempt[],
): Promise<void> => {
  const { account, endpoint } = ref;
  const lastAt = (outcome: Outcome): string | null => {
    const last = ended.findLast((one) => one.outcome === outcome);
    return last ? isoFromMs(last.atMs) : null;
  };
  const disabled = await store.endpointStats.record(account, endpoint, {
    ...foldOutcomes(ended.map(({ outcome }) => outcome)),
    lastSuccessAt: lastAt('success'),
    lastFailureAt: lastAt('failure'),
    lastFailure: ended.findLast(({ outcome }) => outcome === 'failure')?.attempted,
    slots,
    lease,
  });
  if (disabled) log({ op: 'deliver', account, endpoint, disabled: true });
};

/** Claims free slots of an endpoint that was read. Writes nothing if it has none or is closed. */
const claimFree = async (
  services: DeliverServices,
  ref: EndpointRef,
  endpoint: Endpoint | undefined,
  requestedSlots: number,
  hasWaited: boolean,
) => {
  const claim = endpoint && takesDeliveries(endpoint) ? freeSlotsClaim(endpoint, services.clock.now(), requestedSlots) : undefined;
  return claim ? await claimSlots(services, ref, claim, hasWaited) : { leased: undefined, endpoint };
};

/**
 * Duration of a lease. The function runs for at most 60 s, so a lease cannot end during an attempt.
 */
const leaseMs = 90_000;

/** Claims slots with one write. Also returns the stored endpoint; undefined if it is deleted. */
const claimSlots = async (services: DeliverServices, ref: EndpointRef, claim: SlotClaim, hasWaited: boolean) => {
  const { store, clock, random } = services;
  const leased = { ref, slots: claim.slots, lease: [clock.now() + leaseMs, randomText(random, 6)] as const, hasWaited };
  try {
    const { taken, endpoint } = await store.endpoints.acquireSlots({ account: ref.account, id: ref.endpoint }, claim, leased.lease);
    return { endpoint, leased: taken && endpoint ? { ...leased, endpoint } : undefined };
  } catch (error) {
    // The write may have taken the slots although it failed. If they stayed leased, the endpoint
    // would receive nothing until the lease ends.
    await releaseSlots(services, leased, []).catch(() => {});
    throw error;
  }
};
