import { deployedApiServices } from '../../shared/services.ts';
import { openStore } from '../../shared/table/store.ts';
import { createSender } from '../../shared/webhooks/sender.ts';
import { webhooks } from './app.ts';

const services = deployedApiServices(openStore);

export const handler = webhooks({ ...services, sender: createSender(services) });
