import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isoFromMs } from '../../shared/core/time.ts';
import { emitsEvents } from '../../shared/domain/account.ts';
import { type Endpoint, freeSlots, type SlotLease } from '../../shared/domain/webhook.ts';
import { type DeliveryMessage, encodeMessage } from '../../shared/webhooks/message.ts';
import { foldOutcomes, type Outcome } from '../../shared/webhooks/outcome.ts';
import { arrange, attemptDelivery, type EndedAttempt, endpointDisabled } from './attempt.ts';
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

/** Puts messages back for which the endpoint had no free slot: uncounted, with a delay that grows from 1 s. */
const bounce = async ({ queue }: DeliverServices, unfinished: Map<string, DeliveryMessage>): Promise<void> => {
  await queue.send(
    [...unfinished.values()].map((message) => {
      const bounces = (message.bounces ?? 0) + 1;
      return {
        groupId: message.account,
        body: encodeMessage({ ...message, bounces }),
        delaySeconds: Math.ceil(Math.random() * Math.min(maxBounceSeconds, 2 ** (bounces - 1))),
      };
    }),
  );
  unfinished.clear();
};

/** Counts what happened and gives the slots back, in one write. */
const recordOutcomes = async (
  { store, log }: DeliverServices,
  { account, id }: Endpoint,
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
 */
const workSlots = async (
  services: DeliverServices,
  endpoint: Endpoint,
  leased: LeasedSlots,
  unfinished: Map<string, DeliveryMessage>,
  lastStart: number,
): Promise<void> => {
  const waiting = [...unfinished];
  const ended: EndedAttempt[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [id, message] = next;
      const end = await attemptDelivery(services, message);
      if (end) ended.push(end);
      if (end?.next) await arrange(services, end.next);
      unfinished.delete(id);
      if (end?.outcome === 'failure' || services.clock.now() > lastStart) return;
    }
  };
  const results = await Promise.allSettled(leased.slots.map(work));
  await recordOutcomes(services, endpoint, leased, ended);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
};

/** Takes what is free of the endpoint's slots; undefined where all are taken, or were taken since it was read. */
const leaseSlots = async (services: DeliverServices, endpoint: Endpoint, wanted: number): Promise<LeasedSlots | undefined> => {
  const { store, clock } = services;
  const slots = freeSlots(endpoint, clock.now()).slice(0, wanted);
  if (slots.length === 0) return undefined;
  const leased: LeasedSlots = { slots, lease: [clock.now() + leaseMs, randomBytes(6).toString('base64url')] };
  try {
    return (await store.endpoints.acquireSlots(endpoint, slots, leased.lease)) ? leased : undefined;
  } catch (error) {
    // Nobody knows whether they were taken: taken and left, they would stall the endpoint until the lease lapses.
    await recordOutcomes(services, endpoint, leased, []).catch(() => {});
    throw error;
  }
};

/** Works the messages of one endpoint; those that are done leave `unfinished`, whatever is thrown. */
export const deliverToEndpoint = async (services: DeliverServices, unfinished: Map<string, DeliveryMessage>): Promise<void> => {
  const { store, clock, log } = services;
  const lastStart = clock.now() + lastStartMs;
  const [first] = unfinished.values();
  if (!first) return;
  const account = await store.accounts.get(first.account);
  for (let looks = 0; unfinished.size > 0; ) {
    const endpoint = await store.endpoints.get(first.account, first.endpoint);
    if (!endpoint?.enabled || !emitsEvents(account)) {
      log({ op: 'deliver', account: first.account, endpoint: first.endpoint, abandoned: unfinished.size });
      for (const [id, message] of unfinished) {
        await store.deliveries.abandon(message, endpointDisabled, clock.now());
        unfinished.delete(id);
      }
      return;
    }
    if (clock.now() > lastStart) return await bounce(services, unfinished);
    const leased = await leaseSlots(services, endpoint, unfinished.size);
    if (leased) await workSlots(services, endpoint, leased, unfinished, lastStart);
    else if (endpoint.consecutive_failures > 0 || ++looks > maxLooks) return await bounce(services, unfinished);
    else await pause(Math.random() * 2 * betweenLooksMs);
  }
};
