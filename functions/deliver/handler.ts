import { requireEnv } from '../../shared/core/config.ts';
import { atFirstUse } from '../../shared/core/promises.ts';
import { deployedServices } from '../../shared/services.ts';
import { openWebhookStore } from '../../shared/table/store.ts';
import { createSender } from '../../shared/webhooks/sender.ts';
import { deliver } from './app.ts';

const env = requireEnv(process.env, ['DELIVERY_QUEUE_URL', 'SCHEDULE_GROUP', 'SCHEDULER_ROLE_ARN']);
const queueUrl = env.DELIVERY_QUEUE_URL;
const services = deployedServices(openWebhookStore);

export const handler = deliver({
  ...services,
  sender: createSender(services),
  // Opens these clients at first use, because only a failed delivery needs them.
  queue: atFirstUse({ send: true }, async () => (await import('../../shared/providers/queue.ts')).connectQueue({ queueUrl })),
  scheduler: atFirstUse({ schedule: true }, async () =>
    (await import('../../shared/providers/scheduler.ts')).connectScheduler({
      queueUrl,
      groupName: env.SCHEDULE_GROUP,
      roleArn: env.SCHEDULER_ROLE_ARN,
    }),
  ),
});
