import type { Clock } from '../../shared/core/clock.ts';
import type { Log } from '../../shared/core/log.ts';
import type { Random } from '../../shared/core/random.ts';
import type { Queue } from '../../shared/providers/queue.ts';
import type { Scheduler } from '../../shared/providers/scheduler.ts';
import type { Store } from '../../shared/table/store.ts';
import type { DeliveryPolicy } from '../../shared/webhooks/policy.ts';
import type { Sender } from '../../shared/webhooks/sender.ts';

export interface DeliverServices {
  readonly store: Pick<Store, 'attempts' | 'deliveries' | 'endpoints' | 'endpointStats' | 'erasures'>;
  readonly queue: Queue;
  readonly scheduler: Scheduler;
  readonly sender: Sender;
  readonly policy: DeliveryPolicy;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /**
   * Runs the work, unless the same work is running or has just run. Set only if invocations share a
   * process, as in the local service.
   */
  readonly onlyOnce?: <Result>(name: string, work: () => Promise<Result>) => Promise<Result | undefined>;
}
