import { randomText } from '../../shared/core/random.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import {
  claimOf,
  type Endpoint,
  type SlotClaim,
  type SlotLease,
  takesDeliveries,
  unseenClaim,
} from '../../shared/domain/webhook/record.ts';
import type { DeliveryMessage } from '../../shared/webhooks/message.ts';
import { foldOutcomes, type Outcome } from '../../shared/webhooks/outcome.ts';
import type { DeliverServices, EndedAttempt } from './attempt.ts';

/**
 * Duration of a lease. The function runs for at most 60 s, so a lease cannot end during an attempt.
 */
const leaseMs = 90_000;
/**
 * Maximum number of tries to lease a slot, about one second in total. A responsive endpoint frees
 * its slots quickly, so a short wait often avoids sending the message back to the queue.
 */
const maxLooks = 10;
const betweenLooksMs = 100;

export interface Leased {
  readonly slots: readonly number[];
  readonly lease: SlotLease;
  /** The endpoint as the lease's write returned it. */
  readonly endpoint: Endpoint;
  readonly hasWaited: boolean;
}

/** Counts the outcomes and frees the slots in one write. */
export const releaseSlots = async (
  { store, log }: DeliverServices,
  { account, endpoint }: DeliveryMessage,
  { slots, lease }: Pick<Leased, 'slots' | 'lease'>,
  ended: readonly EndedAttempt[],
): Promise<void> => {
  const lastAt = (outcome: Outcome): string | null => {
    const last = ended.findLast((one) => one.outcome === outcome);
    return last ? isoFromMs(last.atMs) : null;
  };
  const disabled = await store.endpointStats.record(account, endpoint, {
    ...foldOutcomes(ended.map(({ outcome }) => outcome)),
    lastSuccessAt: lastAt('success'),
    lastFailureAt: lastAt('failure'),
    slots,
    lease,
  });
  if (disabled) log({ op: 'deliver', account, endpoint, disabled: true });
};

/**
 * Leases slots for up to `requestedSlots` messages of an endpoint. The first claim is a guess, made without
 * reading the endpoint. If it fails, the write returns the endpoint for the next claim. Returns
 * `busy` if no slot becomes free in time, and `closed` if the endpoint accepts no deliveries.
 */
export const leaseSlots = async (
  services: DeliverServices,
  of: DeliveryMessage,
  requestedSlots: number,
  isLate: () => boolean,
): Promise<Leased | 'busy' | 'closed'> => {
  const { store, clock, random } = services;
  if (isLate()) return 'busy';
  const blind = await lease(services, of, unseenClaim(requestedSlots, random.fraction()), false);
  if (blind.leased) return blind.leased;
  for (let seen = blind.endpoint, looks = 0; seen && takesDeliveries(seen); looks++) {
    const claim = claimOf(seen, clock.now(), requestedSlots);
    const tried = claim && (await lease(services, of, claim, looks > 0));
    if (tried?.leased) return tried.leased;
    // Either no slot is free, or another invocation took it first.
    const endpoint = tried ? tried.endpoint : seen;
    if (!endpoint || !takesDeliveries(endpoint)) break;
    if (endpoint.consecutive_failures > 0 || looks === maxLooks || isLate()) return 'busy';
    await clock.sleep(random.fraction() * 2 * betweenLooksMs);
    seen = await store.endpoints.get(of.account, of.endpoint);
  }
  return 'closed';
};

/** Claims slots with one write. Also returns the endpoint; undefined if it is deleted. */
const lease = async (services: DeliverServices, of: DeliveryMessage, claim: SlotClaim, hasWaited: boolean) => {
  const { store, clock, random } = services;
  const leased = { slots: claim.slots, lease: [clock.now() + leaseMs, randomText(random, 6)] as const };
  try {
    const { taken, endpoint } = await store.endpoints.acquireSlots({ account: of.account, id: of.endpoint }, claim, leased.lease);
    return { endpoint, leased: taken && endpoint ? { ...leased, endpoint, hasWaited } : undefined };
  } catch (error) {
    // The write may have taken the slots although it failed. If they stayed leased, the endpoint
    // would receive nothing until the lease ends.
    await releaseSlots(services, of, leased, []).catch(() => {});
    throw error;
  }
};
