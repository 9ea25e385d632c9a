import { systemClock } from '../../shared/core/clock.ts';
import { environment, requireEnv } from '../../shared/core/config.ts';
import { randomId } from '../../shared/core/ids.ts';
import { jsonLog } from '../../shared/core/log.ts';
import { systemRandom } from '../../shared/core/random.ts';
import { connectSecrets } from '../../shared/providers/secrets.ts';
import { connectStore } from '../../shared/table/store.ts';
import { checkoutPage } from './app.ts';
import { gatewayOpener } from './gateway.ts';

const names = requireEnv(process.env, [environment.table, environment.secretsPrefix]);

const secrets = connectSecrets({ prefix: names.SECRETS_PREFIX, clock: systemClock });

export const handler = checkoutPage({
  store: connectStore({ tableName: names.TABLE_NAME, clock: systemClock, random: systemRandom }),
  clock: systemClock,
  random: systemRandom,
  newId: randomId,
  log: jsonLog,
  openGateway: gatewayOpener({ clock: systemClock, secrets }),
});
