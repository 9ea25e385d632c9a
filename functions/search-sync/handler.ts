import { requireEnv } from '../../shared/core/config.ts';
import { connectSecrets } from '../../shared/providers/secrets.ts';
import { deployedServices } from '../../shared/services.ts';
import { openApiStore } from '../../shared/table/store.ts';
import { createSender } from '../../shared/webhooks/sender.ts';
import { searchSync } from './app.ts';

const services = deployedServices(openApiStore);
const { SECRETS_PREFIX: prefix } = requireEnv(process.env, ['SECRETS_PREFIX']);

export const handler = searchSync({ ...services, secrets: connectSecrets({ ...services, prefix }), sender: createSender(services) });
