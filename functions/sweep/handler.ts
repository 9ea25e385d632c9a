import { atFirstUse } from '../../shared/core/at-first-use.ts';
import { systemClock } from '../../shared/core/clock.ts';
import { environment, requireEnv } from '../../shared/core/config.ts';
import { jsonLog } from '../../shared/core/log.ts';
import { systemRandom } from '../../shared/core/random.ts';
import { connectStore } from '../../shared/table/store.ts';
import { productionPolicy } from '../../shared/webhooks/policy.ts';
import { sweep } from './app.ts';

const names = requireEnv(process.env, [environment.table, environment.deliveryQueueUrl]);

export const handler = sweep({
  store: connectStore({ tableName: names.TABLE_NAME, clock: systemClock, random: systemRandom }),
  queue: atFirstUse({ send: true }, async () =>
    (await import('../../shared/providers/queue.ts')).connectQueue({ queueUrl: names.DELIVERY_QUEUE_URL }),
  ),
  policy: productionPolicy,
  clock: systemClock,
  log: jsonLog,
});
