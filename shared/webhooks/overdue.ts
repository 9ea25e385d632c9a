import { batchesOf } from '../core/aws-calls.ts';
import type { Clock } from '../core/clock.ts';
import { limitParallel } from '../core/promises.ts';
import { type DeliveryMessage, encodeMessage } from './message.ts';
import type { DeliveryPolicy } from './policy.ts';

/** Services of a sweep: the due index and the delivery queue. */
interface OverdueServices<Mark> {
  readonly deliveries: {
    overdue(
      shard: number,
      byMs: number,
      limit: number,
      after?: Mark,
    ): Promise<{ readonly refs: readonly DeliveryMessage[]; readonly next?: Mark }>;
    makeDueAt(ref: DeliveryMessage, dueMs: number): Promise<boolean>;
  };
  readonly queue: { send(messages: readonly { readonly groupId: string; readonly body: string }[]): Promise<void> };
  readonly policy: DeliveryPolicy;
  readonly clock: Clock;
}

interface OverdueOptions {
  readonly shards: number;
  /** Milliseconds after which the sweep requeues no more. */
  readonly budgetMs: number;
  readonly limit?: number;
  /** Set to requeue only deliveries of this account. */
  readonly account?: string;
}

interface Requeued {
  readonly requeued: number;
  /** Whether overdue deliveries are left, because the time or the limit is used up. */
  readonly more: boolean;
}

/**
 * A delivery that is overdue for longer has lost its message or schedule, or waits in a backlog. A
 * second message does no harm.
 */
const graceMs = 2 * 60_000;
/** Sweeps skip a requeued delivery for this long, so that they do not double a backlog. */
const postponeMs = 30 * 60_000;
const pageSize = 100;
/**
 * Maximum number of simultaneous calls of all shards. Hundreds at once would time out, because a
 * small function has little CPU.
 */
const callsAtOnce = 16;

/**
 * Puts overdue deliveries back on the queue, so that no delivery is lost with its message or
 * schedule (§ Delivery semantics 1). If a shard fails, the others continue; the first error is
 * thrown at the end.
 */
export const requeueOverdue = async <Mark>(
  { deliveries, queue, policy, clock }: OverdueServices<Mark>,
  { shards, budgetMs, limit = Number.POSITIVE_INFINITY, account }: OverdueOptions,
): Promise<{ readonly outcome: Requeued; readonly failure?: unknown }> => {
  const startMs = clock.now();
  const byMs = startMs - graceMs / policy.timeScale;
  const withinLimit = limitParallel(callsAtOnce);
  let requeued = 0;

  const requeue = async (refs: readonly DeliveryMessage[]): Promise<void> => {
    requeued += refs.length;
    try {
      await withinLimit(() => queue.send(refs.map((ref) => ({ groupId: ref.account, body: encodeMessage(ref) }))));
    } catch (error) {
      requeued -= refs.length;
      throw error;
    }
    // The message is sent before the delivery is postponed. A crash in between repeats a message;
    // with the other order, it would delay the delivery for half an hour.
    await Promise.all(refs.map((ref) => withinLimit(() => deliveries.makeDueAt(ref, clock.now() + postponeMs / policy.timeScale))));
  };
  const isInTime = (): boolean => clock.now() - startMs < budgetMs;

  /** Returns false if deliveries are left, because the time or the limit is used up. */
  const requeueAll = async (refs: readonly DeliveryMessage[]): Promise<boolean> => {
    for (const batch of batchesOf(refs)) {
      const allowed = isInTime() ? batch.slice(0, limit - requeued) : [];
      if (allowed.length > 0) await requeue(allowed);
      if (allowed.length < batch.length) return false;
    }
    return true;
  };

  /** Returns whether deliveries may be left. */
  const workShard = async (shard: number): Promise<boolean> => {
    let after: Mark | undefined;
    do {
      if (requeued >= limit) return true;
      const mark = after;
      const { refs, next } = await withinLimit(() => deliveries.overdue(shard, byMs, Math.min(pageSize, limit), mark));
      if (!(await requeueAll(account === undefined ? refs : refs.filter((ref) => ref.account === account)))) return true;
      after = next;
    } while (after && isInTime());
    return after !== undefined;
  };

  const results = await Promise.allSettled(Array.from({ length: shards }, (_, shard) => workShard(shard)));
  const failed = results.find((result) => result.status === 'rejected');
  const more = results.some((result) => result.status === 'rejected' || result.value);
  return { outcome: { requeued, more }, ...(failed ? { failure: failed.reason } : {}) };
};
