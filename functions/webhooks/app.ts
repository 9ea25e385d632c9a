import { deliveryView, endpointSummaryView } from '../../shared/domain/webhook/fields.ts';
import type { ApiServices, OperationsOf } from '../../shared/http/exchange.ts';
import { assertAllowed, webhookTestRule } from '../../shared/http/rate-limits.ts';
import { listOperation } from '../../shared/operations/pages.ts';
import {
  createEndpoint,
  deleteEndpoint,
  listDeliveries,
  retrieveEndpoint,
  rotateSecret,
  testEndpoint,
  updateEndpoint,
} from '../../shared/operations/webhook.ts';
import type { Services } from '../../shared/services.ts';
import { decodeDelivery } from '../../shared/table/delivery-items.ts';
import type { routes } from './routes.ts';

type WebhookServices = ApiServices & Pick<Services, 'store' | 'sender' | 'policy'>;

const countTest =
  ({ store }: ApiServices) =>
  async (account: string): Promise<void> =>
    assertAllowed(await store.buckets.take(webhookTestRule.name, account, webhookTestRule.limit), webhookTestRule);

export const webhooks = (services: WebhookServices): OperationsOf<typeof routes> => ({
  createWebhook: createEndpoint(services),
  /** GET /webhooks. Newest first. */
  listWebhooks: listOperation((call, page) => services.store.endpoints.list(call.account, page), endpointSummaryView),
  retrieveWebhook: retrieveEndpoint(services),
  updateWebhook: updateEndpoint(services),
  deleteWebhook: deleteEndpoint(services),
  rotateWebhookSecret: rotateSecret(services),
  testWebhook: testEndpoint({ ...services, countTest: countTest(services) }),
  listWebhookEvents: listDeliveries(services, decodeDelivery, deliveryView),
});
