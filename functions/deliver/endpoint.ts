import { randomText } from '../../shared/core/random.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import {
  claimOf,
  type Endpoint,
  type SlotClaim,
  type SlotLease,
  slotsPerEndpoint,
  takesDeliveries,
  unseenClaim,
} from '../../shared/domain/webhook/record.ts';
import type { AttemptParts } from '../../shared/table/attempts.ts';
import { type DeliveryMessage, encodeMessage } from '../../shared/webhooks/message.ts';
import { foldOutcomes, type Outcome } from '../../shared/webhooks/outcome.ts';
import { abandonDelivery, arrange, attemptDelivery, type EndedAttempt } from './attempt.ts';
import { insist } from './insist.ts';
import { type DeliverServices, leaseMs } from './services.ts';

/** An attempt takes up to 30 s and the function 60 s: later than this none is started. */
const lastStartMs = 25_000;
const maxBounceSeconds = 30;
/** An endpoint that answers frees its slots in a moment: worth looking again, up to a second or so, before a message goes back. */
const maxLooks = 10;
const betweenLooksMs = 100;

interface LeasedSlots {
  readonly slots: readonly number[];
  readonly lease: SlotLease;
}

/** Messages by what they ask for: the same attempt twice is one. */
export type Unfinished = Map<string, DeliveryMessage>;

/** Puts messages back for which the endpoint had no free slot: uncounted, with a delay that grows from 1 s. */
const bounce = async ({ queue, random }: DeliverServices, unfinished: Unfinished): Promise<void> => {
  await queue.send(
    [...unfinished.values()].map((message) => {
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

/** Counts what happened and gives the slots back, in one write. */
const recordOutcomes = async (
  { store, log }: DeliverServices,
  { account, endpoint: id }: Pick<DeliveryMessage, 'account' | 'endpoint'>,
  { slots, lease }: LeasedSlots,
  ended: readonly EndedAttempt[],
): Promise<void> => {
  const lastAt = (outcome: Outcome): string | null => {
    const last = ended.findLast((one) => one.outcome === outcome);
    return last ? isoFromMs(last.atMs) : null;
  };
  const disabled = await store.endpointStats.record(account, id, {
    ...foldOutcomes(ended.map(({ outcome }) => outcome)),
    lastSuccessAt: lastAt('success'),
    lastFailureAt: lastAt('failure'),
    slots,
    lease,
  });
  if (disabled) log({ op: 'deliver', account, endpoint: id, disabled: true });
};

/**
 * One attempt per slot, and another on the same slot only after a success: a slot is the permission for one failure, so a run
 * of failures cannot pass the limit at which the endpoint is disabled.
 *
 * URL, secret and whether the endpoint takes deliveries are as of the attempt: of the first on a slot as the lease returned them, of every
 * further one as they are read with its record. What an owner changes holds for every request that is not already on its way.
 */
const workSlots = async (
  services: DeliverServices,
  { endpoint, ...leased }: LeasedSlots & { readonly endpoint: Endpoint },
  unfinished: Unfinished,
  readings: ReadonlyMap<string, Promise<AttemptParts>>,
  begunMs: number,
): Promise<void> => {
  const waiting = [...unfinished];
  const ended: EndedAttempt[] = [];
  const work = async (): Promise<void> => {
    for (let round = 1, next = waiting.shift(); next; round++, next = waiting.shift()) {
      const [key, message] = next;
      const withEndpoint = round > 1;
      const reading = withEndpoint ? undefined : readings.get(key);
      const parts = await (reading ?? services.store.attempts.read({ ref: message, withEndpoint }));
      const end = await attemptDelivery(services, message, { ...(withEndpoint ? parts : { ...parts, endpoint }), begunMs });
      if (end) ended.push(end);
      if (end?.next) await arrange(services, end.next);
      unfinished.delete(key);
      if (end?.outcome === 'failure' || services.clock.now() > begunMs + lastStartMs) return;
    }
  };
  const results = await Promise.allSettled(leased.slots.map(work));
  const { account, id } = endpoint;
  await insist(services, begunMs, () => recordOutcomes(services, { account, endpoint: id }, leased, ended));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
};

/** Leases the slots of a claim. */
const leaseSlots = async (services: DeliverServices, of: DeliveryMessage, { slots, ...claim }: SlotClaim) => {
  const { store, clock, random } = services;
  const leased: LeasedSlots = { slots, lease: [clock.now() + leaseMs, randomText(random, 6)] };
  try {
    return {
      ...leased,
      ...(await store.endpoints.acquireSlots({ account: of.account, id: of.endpoint }, { slots, ...claim }, leased.lease)),
    };
  } catch (error) {
    // Nobody knows whether they were taken: taken and left, they would stall the endpoint until the lease lapses.
    await recordOutcomes(services, of, leased, []).catch(() => {});
    throw error;
  }
};

/** Fails what is due for an endpoint that takes no deliveries. */
const abandon = async (services: DeliverServices, of: DeliveryMessage, unfinished: Unfinished): Promise<void> => {
  services.log({ op: 'deliver', account: of.account, endpoint: of.endpoint, abandoned: unfinished.size });
  await Promise.all(
    [...unfinished].map(async ([key, message]) => {
      await abandonDelivery(services, message);
      unfinished.delete(key);
    }),
  );
};

/**
 * Works the messages of one endpoint; those that are done leave `unfinished`, whatever is thrown. What the first attempts begin with is
 * read beside the lease of their slots, which is tried without having seen the endpoint: a claim that does not hold returns it.
 */
export const deliverToEndpoint = async (services: DeliverServices, unfinished: Unfinished): Promise<void> => {
  const { store, clock, random } = services;
  const begunMs = clock.now();
  const [first] = unfinished.values();
  if (!first) return;
  const readings = new Map(
    [...unfinished].slice(0, slotsPerEndpoint).map(([key, ref]) => [key, store.attempts.read({ ref, withEndpoint: false })]),
  );
  for (const reading of readings.values()) reading.catch(() => {});
  /** A claim on the endpoint as it stands; undefined where the messages were put back or failed instead. */
  const nextClaim = async (seen: Endpoint | undefined, lost: boolean): Promise<SlotClaim | undefined> => {
    for (let endpoint = seen, wait = lost; ; wait = true) {
      if (wait && endpoint && takesDeliveries(endpoint)) {
        if (endpoint.consecutive_failures > 0 || ++looks > maxLooks) return void (await bounce(services, unfinished));
        await clock.sleep(random.fraction() * 2 * betweenLooksMs);
        readings.clear();
        endpoint = await store.endpoints.get(first.account, first.endpoint);
      }
      if (!endpoint || !takesDeliveries(endpoint)) return void (await abandon(services, first, unfinished));
      const claim = claimOf(endpoint, clock.now(), unfinished.size);
      if (claim) return claim;
    }
  };
  let looks = 0;
  let unseen = true;
  for (let claim: SlotClaim | undefined = unseenClaim(unfinished.size, random.fraction()); claim && unfinished.size > 0; ) {
    if (clock.now() > begunMs + lastStartMs) return await bounce(services, unfinished);
    const leased = await leaseSlots(services, first, claim);
    if (leased.taken && leased.endpoint) {
      await workSlots(services, { ...leased, endpoint: leased.endpoint }, unfinished, readings, begunMs);
      readings.clear();
      [claim, unseen] = [unseenClaim(unfinished.size, random.fraction()), true];
    } else {
      // A claim that was made without a look has seen the endpoint now; one that was made with it lost a race.
      [claim, unseen] = [await nextClaim(leased.endpoint, !unseen), false];
    }
  }
};
