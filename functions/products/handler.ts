import { requireEnv } from '../../shared/core/config.ts';
import { connectSecrets } from '../../shared/providers/secrets.ts';
import { deployedApiServices } from '../../shared/services.ts';
import { openApiStore } from '../../shared/table/store.ts';
import { products } from './app.ts';

const services = deployedApiServices(openApiStore);
const { SECRETS_PREFIX: prefix } = requireEnv(process.env, ['SECRETS_PREFIX']);

export const handler = products({ ...services, secrets: connectSecrets({ ...services, prefix }) });
