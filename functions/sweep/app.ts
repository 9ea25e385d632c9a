import type { Clock } from '../../shared/core/clock.ts';
import type { Log } from '../../shared/core/log.ts';
import type { Queue } from '../../shared/providers/queue.ts';
import type { AttemptRef, OverdueMark } from '../../shared/table/deliveries.ts';
import { dueShards } from '../../shared/table/schema.ts';
import type { Store } from '../../shared/table/store.ts';
import { encodeMessage } from '../../shared/webhooks/message.ts';
import type { DeliveryPolicy } from '../../shared/webhooks/policy.ts';

export interface SweepServices {
  readonly store: Pick<Store, 'deliveries'>;
  readonly queue: Queue;
  readonly policy: DeliveryPolicy;
  readonly clock: Clock;
  readonly log: Log;
}

/** What is due for longer than this has lost its message or schedule, or waits in a backlog: then one more message does no harm. */
const graceMs = 2 * 60_000;
/** What was requeued is left alone for this long, so that a backlog is not doubled by every sweep. */
const postponeMs = 30 * 60_000;
const pageSize = 100;
const budgetMs = 45_000;

/** Overdue deliveries back onto the queue, every 5 minutes: no lost message or schedule strands one (§ Delivery semantics 1). */
export const sweep = ({ store, queue, policy, clock, log }: SweepServices) => {
  const requeue = async (refs: readonly AttemptRef[]): Promise<void> => {
    await queue.send(refs.map((ref) => ({ groupId: ref.account, body: encodeMessage(ref) })));
    // Sent before it is postponed: a crash in between repeats a message, the other order would lose one for half an hour.
    await Promise.all(refs.map((ref) => store.deliveries.postpone(ref, clock.now() + postponeMs / policy.timeScale)));
  };

  const sweepShard = async (shard: number, startMs: number): Promise<number> => {
    const byMs = startMs - graceMs / policy.timeScale;
    let requeued = 0;
    let after: OverdueMark | undefined;
    do {
      const { refs, next } = await store.deliveries.overdue(shard, byMs, pageSize, after);
      await requeue(refs);
      requeued += refs.length;
      after = next;
    } while (after && clock.now() - startMs < budgetMs);
    return requeued;
  };

  return async (): Promise<{ requeued: number }> => {
    const startMs = clock.now();
    const results = await Promise.allSettled(Array.from({ length: dueShards }, (_, shard) => sweepShard(shard, startMs)));
    const requeued = results.reduce((sum, result) => sum + (result.status === 'fulfilled' ? result.value : 0), 0);
    log({ op: 'sweep', requeued, ms: clock.now() - startMs });
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    return { requeued };
  };
};
