import { isoFromMs } from '../../shared/core/time.ts';
import { emitsEvents } from '../../shared/domain/account.ts';
import type { Endpoint } from '../../shared/domain/webhook.ts';
import { type DeliveryMessage, encodeMessage } from '../../shared/webhooks/message.ts';
import { foldOutcomes, type Outcome } from '../../shared/webhooks/outcome.ts';
import { attemptDelivery } from './attempt.ts';
import { type DeliverServices, leaseMs } from './services.ts';

/** An attempt takes up to 30 s and the function 60 s: later than this none is started. */
const lastStartMs = 25_000;
const maxBounceSeconds = 30;

interface Ended {
  readonly outcome: Outcome;
  readonly atMs: number;
}

/** Puts messages back for which the endpoint had no free slot: uncounted, with a delay that grows from 1 s. */
const bounce = async ({ queue }: DeliverServices, unfinished: Map<string, DeliveryMessage>): Promise<void> => {
  await queue.send(
    [...unfinished.values()].map((message) => {
      const bounces = (message.bounces ?? 0) + 1;
      return {
        groupId: message.account,
        body: encodeMessage({ ...message, bounces }),
        delaySeconds: Math.min(maxBounceSeconds, Math.ceil(Math.random() * 2 ** (bounces - 1))),
      };
    }),
  );
  unfinished.clear();
};

/**
 * One attempt per slot, and another on the same slot only after a success: a slot is the permission for one failure, so a run
 * of failures cannot pass the limit at which the endpoint is disabled.
 */
const workSlots = async (
  services: DeliverServices,
  endpoint: Endpoint,
  slots: readonly number[],
  unfinished: Map<string, DeliveryMessage>,
  startMs: number,
): Promise<readonly Ended[]> => {
  const waiting = [...unfinished];
  const ended: Ended[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [id, message] = next;
      const outcome = await attemptDelivery(services, endpoint, message);
      unfinished.delete(id);
      if (outcome) ended.push({ outcome, atMs: services.clock.now() });
      if (outcome === 'failure' || services.clock.now() - startMs > lastStartMs) return;
    }
  };
  const results = await Promise.allSettled(slots.map(work));
  await recordOutcomes(services, endpoint, slots, ended);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  return ended;
};

/** Counts what happened and gives the slots back, in one write. */
const recordOutcomes = async (
  services: DeliverServices,
  endpoint: Endpoint,
  slots: readonly number[],
  ended: readonly Ended[],
): Promise<void> => {
  const lastAt = (outcome: Outcome): string | null => {
    const last = ended.findLast((one) => one.outcome === outcome);
    return last ? isoFromMs(last.atMs) : null;
  };
  const disabled = await services.store.endpointStats.record(endpoint.account, endpoint.id, {
    ...foldOutcomes(ended.map(({ outcome }) => outcome)),
    lastSuccessAt: lastAt('success'),
    lastFailureAt: lastAt('failure'),
    slots,
  });
  if (disabled) services.log({ op: 'deliver', account: endpoint.account, endpoint: endpoint.id, disabled: true });
};

/** Works the messages of one endpoint; those that are done leave `unfinished`, whatever is thrown. */
export const deliverToEndpoint = async (services: DeliverServices, unfinished: Map<string, DeliveryMessage>): Promise<void> => {
  const { store, clock } = services;
  const startMs = clock.now();
  const [first] = unfinished.values();
  if (!first) return;
  const account = await store.accounts.get(first.account);
  while (unfinished.size > 0) {
    const endpoint = await store.endpoints.get(first.account, first.endpoint);
    if (!endpoint?.enabled || !emitsEvents(account)) {
      for (const [id, message] of unfinished) {
        await store.deliveries.abandon(message, 'endpoint_disabled', clock.now());
        unfinished.delete(id);
      }
      return;
    }
    const slots =
      clock.now() - startMs > lastStartMs ? [] : await store.endpoints.acquireSlots(endpoint, unfinished.size, clock.now() + leaseMs);
    if (slots.length === 0) return await bounce(services, unfinished);
    await workSlots(services, endpoint, slots, unfinished, startMs);
  }
};
