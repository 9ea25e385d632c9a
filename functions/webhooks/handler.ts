import { deployedServices } from '../../shared/http/services.ts';
import { productionPolicy } from '../../shared/webhooks/policy.ts';
import { createSender } from '../../shared/webhooks/sender.ts';
import { webhooks } from './app.ts';

export const handler = webhooks({
  ...deployedServices(process.env),
  sender: createSender({ policy: productionPolicy }),
  policy: productionPolicy,
});
