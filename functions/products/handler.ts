import { requireEnv } from '../../shared/core/config.ts';
import { api } from '../../shared/http/chain.ts';
import { connectSecrets } from '../../shared/providers/secrets.ts';
import { deployedApiServices } from '../../shared/services.ts';
import { openApiStore } from '../../shared/table/store.ts';
import { products } from './app.ts';
import { routes } from './routes.ts';

const services = deployedApiServices(openApiStore);
const { SECRETS_PREFIX: prefix } = requireEnv(process.env, ['SECRETS_PREFIX']);

export const handler = api(routes, products({ ...services, secrets: connectSecrets({ ...services, prefix }) }), services);
