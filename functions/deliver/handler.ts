import { atFirstUse } from '../../shared/core/at-first-use.ts';
import { systemClock } from '../../shared/core/clock.ts';
import { environment, requireEnv } from '../../shared/core/config.ts';
import { jsonLog } from '../../shared/core/log.ts';
import { systemRandom } from '../../shared/core/random.ts';
import { openAttempts } from '../../shared/table/attempts.ts';
import { connectDb } from '../../shared/table/client.ts';
import { openDeliveries } from '../../shared/table/deliveries.ts';
import { openEndpointStats } from '../../shared/table/endpoint-stats.ts';
import { openEndpoints } from '../../shared/table/endpoints.ts';
import { productionPolicy } from '../../shared/webhooks/policy.ts';
import { createSender } from '../../shared/webhooks/sender.ts';
import { deliver } from './app.ts';

const names = requireEnv(process.env, [
  environment.table,
  environment.deliveryQueueUrl,
  environment.scheduleGroup,
  environment.schedulerRoleArn,
]);

const db = connectDb({ tableName: names.TABLE_NAME, clock: systemClock, random: systemRandom });

export const handler = deliver({
  store: {
    attempts: openAttempts(db),
    deliveries: openDeliveries(db),
    endpoints: openEndpoints(db),
    endpointStats: openEndpointStats(db),
  },
  // Only a delivery that fails needs them.
  queue: atFirstUse({ send: true }, async () =>
    (await import('../../shared/providers/queue.ts')).connectQueue({ queueUrl: names.DELIVERY_QUEUE_URL }),
  ),
  scheduler: atFirstUse({ schedule: true }, async () =>
    (await import('../../shared/providers/scheduler.ts')).connectScheduler({
      queueUrl: names.DELIVERY_QUEUE_URL,
      groupName: names.SCHEDULE_GROUP,
      roleArn: names.SCHEDULER_ROLE_ARN,
    }),
  ),
  sender: createSender({ policy: productionPolicy }),
  policy: productionPolicy,
  clock: systemClock,
  random: systemRandom,
  log: jsonLog,
});
