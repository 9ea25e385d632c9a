import type { Services } from '../../shared/services.ts';
import { dueShards } from '../../shared/table/schema.ts';
import type { Store } from '../../shared/table/store.ts';
import { requeueOverdue } from '../../shared/webhooks/overdue.ts';

type SweepServices = Pick<Services, 'queue' | 'policy' | 'clock' | 'log'> & { readonly store: Pick<Store, 'deliveries' | 'heartbeat'> };

const budgetMs = 45_000;

/**
 * Every 5 minutes: the heartbeat of the change stream, and overdue deliveries back onto the queue. A failure of one does not keep the
 * other from being done; it is thrown once both have ended.
 */
export const sweep =
  ({ store: { deliveries, heartbeat }, queue, policy, clock, log }: SweepServices) =>
  async (): Promise<{ requeued: number }> => {
    const startMs = clock.now();
    const [beat, { outcome, failure }] = await Promise.all([
      heartbeat.write().then(
        () => undefined,
        (error: unknown) => error,
      ),
      requeueOverdue({ deliveries, queue, policy, clock }, { shards: dueShards, budgetMs }),
    ]);
    const { requeued } = outcome;
    log({ op: 'sweep', requeued, ms: clock.now() - startMs });
    if (failure ?? beat) throw failure ?? beat;
    return { requeued };
  };
