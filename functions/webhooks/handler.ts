import { api } from '../../shared/http/chain.ts';
import { deployedApiServices } from '../../shared/services.ts';
import { openStore } from '../../shared/table/store.ts';
import { createSender } from '../../shared/webhooks/sender.ts';
import { webhooks } from './app.ts';
import { routes } from './routes.ts';

const services = deployedApiServices(openStore);

export const handler = api(routes, webhooks({ ...services, sender: createSender(services) }), services);
