import { atMost } from '../core/at-most.ts';
import type { Clock } from '../core/clock.ts';
import { encodeMessage } from './message.ts';
import type { DeliveryPolicy } from './policy.ts';

/** Names an attempt that is due. */
interface DueAttempt {
  readonly account: string;
  readonly endpoint: string;
  readonly event: string;
  readonly run: number;
  readonly attempt: number;
}

/** The index of what is due, and the queue to put it on. */
interface OverdueServices<Mark> {
  readonly deliveries: {
    overdue(
      shard: number,
      byMs: number,
      limit: number,
      after?: Mark,
    ): Promise<{ readonly refs: readonly DueAttempt[]; readonly next?: Mark }>;
    findFrom(ref: DueAttempt, dueMs: number): Promise<boolean>;
  };
  readonly queue: { send(messages: readonly { readonly groupId: string; readonly body: string }[]): Promise<void> };
  readonly policy: DeliveryPolicy;
  readonly clock: Clock;
}

interface OverdueOptions {
  readonly shards: number;
  /** None is requeued later than this after the beginning. */
  readonly budgetMs: number;
  readonly limit?: number;
  /** Those of one account only. */
  readonly account?: string;
}

interface Requeued {
  readonly requeued: number;
  /** Something overdue was left, for lack of time or because of the limit. */
  readonly more: boolean;
}

/**
 * A delivery that is overdue for longer has lost its message or schedule, or waits in a backlog.
 * One more message does no harm then.
 */
const graceMs = 2 * 60_000;
/** A requeued delivery is left alone for this long, so that sweeps do not double a backlog. */
const postponeMs = 30 * 60_000;
const pageSize = 100;
/** Requeued and put off together: a send of the queue holds ten. */
const batchSize = 10;
/**
 * Calls under way at once, of all shards: started all at once, hundreds would time out waiting for
 * the CPU of a small function.
 */
const callsAtOnce = 16;

/**
 * Overdue deliveries back onto the queue: no lost message or schedule strands one (§ Delivery
 * semantics 1). Every shard is worked as far as it goes; the first failure is thrown after all have
 * ended.
 */
export const requeueOverdue = async <Mark>(
  { deliveries, queue, policy, clock }: OverdueServices<Mark>,
  { shards, budgetMs, limit = Number.POSITIVE_INFINITY, account }: OverdueOptions,
): Promise<{ readonly outcome: Requeued; readonly failure?: unknown }> => {
  const startMs = clock.now();
  const byMs = startMs - graceMs / policy.timeScale;
  const limited = atMost(callsAtOnce);
  let requeued = 0;

  const requeue = async (refs: readonly DueAttempt[]): Promise<void> => {
    requeued += refs.length;
    try {
      await limited(() => queue.send(refs.map((ref) => ({ groupId: ref.account, body: encodeMessage(ref) }))));
    } catch (error) {
      requeued -= refs.length;
      throw error;
    }
    // Sent before it is postponed: a crash in between repeats a message, the other order would lose
    // one for half an hour.
    await Promise.all(refs.map((ref) => limited(() => deliveries.findFrom(ref, clock.now() + postponeMs / policy.timeScale))));
  };
  const isInTime = (): boolean => clock.now() - startMs < budgetMs;

  /** False where some were left, for lack of time or because of the limit. */
  const requeueAll = async (refs: readonly DueAttempt[]): Promise<boolean> => {
    for (let start = 0; start < refs.length; start += batchSize) {
      const batch = refs.slice(start, start + batchSize);
      const wanted = isInTime() ? batch.slice(0, limit - requeued) : [];
      if (wanted.length > 0) await requeue(wanted);
      if (wanted.length < batch.length) return false;
    }
    return true;
  };

  /** True where something may be left. */
  const workShard = async (shard: number): Promise<boolean> => {
    let after: Mark | undefined;
    do {
      if (requeued >= limit) return true;
      const mark = after;
      const { refs, next } = await limited(() => deliveries.overdue(shard, byMs, Math.min(pageSize, limit), mark));
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
