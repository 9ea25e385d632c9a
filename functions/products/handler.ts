import { systemClock } from '../../shared/core/clock.ts';
import { environment, requireEnv } from '../../shared/core/config.ts';
import { deployedServices } from '../../shared/http/services.ts';
import { connectSecrets } from '../../shared/providers/secrets.ts';
import { products } from './app.ts';

const names = requireEnv(process.env, [environment.secretsPrefix]);

export const handler = products({
  ...deployedServices(process.env),
  secrets: connectSecrets({ prefix: names.SECRETS_PREFIX, clock: systemClock }),
});
