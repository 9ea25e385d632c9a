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
import type { EndedAttempt } from './attempt.ts';
import type { DeliverServices } from './services.ts';

/** Longer than the function runs (60 s), so that a lease never expires during an attempt. */
const leaseMs = 90_000;
/**
 * Number of tries to lease a slot. A responsive endpoint frees its slots quickly, so the function
 * tries for about a second before it returns a message to the queue.
 */
const maxLooks = 10;
const betweenLooksMs = 100;

interface Leased {
  readonly slots: readonly number[];
  readonly lease: SlotLease;
  /** The endpoint, as the lease returned it. */
  readonly endpoint: Endpoint;
  readonly hasWaited: boolean;
}

/** Counts the outcomes and releases the slots, in one write. */
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
 * Leases slots for a number of messages. The first claim is made without reading the endpoint; if
 * it fails, DynamoDB returns the endpoint. Returns `busy` if no slot becomes free in time, `closed`
 * if the endpoint accepts no deliveries.
 */
export const leaseSlots = async (
  services: DeliverServices,
  of: DeliveryMessage,
  wanted: number,
  isLate: () => boolean,
): Promise<Leased | 'busy' | 'closed'> => {
  const { store, clock, random } = services;
  const lease = async (claim: SlotClaim, hasWaited: boolean) => {
    const held = { slots: claim.slots, lease: [clock.now() + leaseMs, randomText(random, 6)] as const };
    try {
      const { taken, endpoint } = await store.endpoints.acquireSlots({ account: of.account, id: of.endpoint }, claim, held.lease);
      return { endpoint, leased: taken && endpoint ? { ...held, endpoint, hasWaited } : undefined };
    } catch (error) {
      // The slots may be leased although the call failed. They are released, because otherwise the
      // endpoint would wait until the lease ends.
      await releaseSlots(services, of, held, []).catch(() => {});
      throw error;
    }
  };

  if (isLate()) return 'busy';
  const blind = await lease(unseenClaim(wanted, random.fraction()), false);
  if (blind.leased) return blind.leased;
  for (let seen = blind.endpoint, looks = 0; seen && takesDeliveries(seen); looks++) {
    const claim = claimOf(seen, clock.now(), wanted);
    const tried = claim && (await lease(claim, looks > 0));
    if (tried?.leased) return tried.leased;
    // No slot is free, or another invocation took it first.
    const endpoint = tried ? tried.endpoint : seen;
    if (!endpoint || !takesDeliveries(endpoint)) break;
    if (endpoint.consecutive_failures > 0 || looks === maxLooks || isLate()) return 'busy';
    await clock.sleep(random.fraction() * 2 * betweenLooksMs);
    seen = await store.endpoints.get(of.account, of.endpoint);
  }
  return 'closed';
};
