import { requireEnv } from '../../shared/core/config.ts';
import { connectSecrets } from '../../shared/providers/secrets.ts';
import { deployedServices } from '../../shared/services.ts';
import { openPageStore } from '../../shared/table/store.ts';
import { checkoutPage } from './app.ts';

const services = deployedServices(openPageStore);
const { SECRETS_PREFIX: prefix } = requireEnv(process.env, ['SECRETS_PREFIX']);

export const handler = checkoutPage({ ...services, secrets: connectSecrets({ ...services, prefix }) });
