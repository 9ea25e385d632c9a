import { systemClock } from '../core/clock.ts';
import { environment, requireEnv, requireRegion } from '../core/config.ts';
import { randomId } from '../core/ids.ts';
import { jsonLog } from '../core/log.ts';
import { systemRandom } from '../core/random.ts';
import { connectStore } from '../table/store.ts';
import type { ApiServices } from './exchange.ts';

/** The services of a deployed API function, from its environment. */
export const deployedServices = (env: Readonly<Record<string, string | undefined>>): ApiServices => {
  const names = requireEnv(env, [environment.table, environment.bucketsTable]);
  return {
    region: requireRegion(env),
    store: connectStore({
      tableName: names.TABLE_NAME,
      bucketsTableName: names.BUCKETS_TABLE_NAME,
      clock: systemClock,
      random: systemRandom,
    }),
    clock: systemClock,
    random: systemRandom,
    newId: randomId,
    log: jsonLog,
  };
};
