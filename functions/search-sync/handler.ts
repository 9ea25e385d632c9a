import { systemClock } from '../../shared/core/clock.ts';
import { environment, requireEnv } from '../../shared/core/config.ts';
import { jsonLog } from '../../shared/core/log.ts';
import { systemRandom } from '../../shared/core/random.ts';
import { connectSecrets } from '../../shared/providers/secrets.ts';
import { connectStore } from '../../shared/table/store.ts';
import { productionPolicy } from '../../shared/webhooks/policy.ts';
import { createSender } from '../../shared/webhooks/sender.ts';
import { searchSync } from './app.ts';

const names = requireEnv(process.env, [environment.table, environment.secretsPrefix]);

export const handler = searchSync({
  store: connectStore({ tableName: names.TABLE_NAME, clock: systemClock, random: systemRandom }),
  secrets: connectSecrets({ prefix: names.SECRETS_PREFIX, clock: systemClock }),
  sender: createSender({ policy: productionPolicy }),
  log: jsonLog,
});
