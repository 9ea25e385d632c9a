import { systemClock } from '../../shared/core/clock.ts';
import { environment, requireEnv } from '../../shared/core/config.ts';
import { jsonLog } from '../../shared/core/log.ts';
import { connectStore } from '../../shared/table/store.ts';
import { createSender } from '../../shared/webhooks/attempt.ts';
import { productionPolicy } from '../../shared/webhooks/policy.ts';
import { searchSync } from './app.ts';

const names = requireEnv(process.env, [environment.table, environment.bucketsTable]);

export const handler = searchSync({
  store: connectStore({ tableName: names.TABLE_NAME, bucketsTableName: names.BUCKETS_TABLE_NAME, clock: systemClock }),
  sender: createSender({ policy: productionPolicy }),
  log: jsonLog,
});
