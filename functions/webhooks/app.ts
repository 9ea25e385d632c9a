import { type ApiHandler, api } from '../../shared/http/chain.ts';
import { createWebhook } from './create.ts';
import { deleteWebhook } from './delete.ts';
import { listWebhooks } from './list.ts';
import { listWebhookEvents } from './list-events.ts';
import { retrieveWebhook } from './retrieve.ts';
import { rotateWebhookSecret } from './rotate-secret.ts';
import { routes } from './routes.ts';
import type { WebhookServices } from './services.ts';
import { testWebhook } from './test.ts';
import { updateWebhook } from './update.ts';

export const webhooks = (services: WebhookServices): ApiHandler =>
  api(
    routes,
    {
      createWebhook: createWebhook(services),
      listWebhooks: listWebhooks(services),
      retrieveWebhook: retrieveWebhook(services),
      updateWebhook: updateWebhook(services),
      deleteWebhook: deleteWebhook(services),
      rotateWebhookSecret: rotateWebhookSecret(services),
      testWebhook: testWebhook(services),
      listWebhookEvents: listWebhookEvents(services),
    },
    services,
  );
