import type { Clock } from '../../shared/core/clock.ts';
import type { Log } from '../../shared/core/log.ts';
import type { Queue } from '../../shared/providers/queue.ts';
import { dueShards } from '../../shared/table/schema.ts';
import type { Store } from '../../shared/table/store.ts';
import { requeueOverdue } from '../../shared/webhooks/overdue.ts';
import type { DeliveryPolicy } from '../../shared/webhooks/policy.ts';

export interface SweepServices {
  readonly store: Pick<Store, 'deliveries'>;
  readonly queue: Queue;
  readonly policy: DeliveryPolicy;
  readonly clock: Clock;
  readonly log: Log;
}

const budgetMs = 45_000;

/** Overdue deliveries back onto the queue, every 5 minutes; a failure is thrown once every shard has been tried. */
export const sweep =
  ({ store: { deliveries }, queue, policy, clock, log }: SweepServices) =>
  async (): Promise<{ requeued: number }> => {
    const startMs = clock.now();
    const { outcome, failure } = await requeueOverdue({ deliveries, queue, policy, clock }, { shards: dueShards, budgetMs });
    const { requeued } = outcome;
    log({ op: 'sweep', requeued, ms: clock.now() - startMs });
    if (failure !== undefined) throw failure;
    return { requeued };
  };
