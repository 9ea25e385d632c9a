import type { InferOutput } from 'valibot';
import { deliveryView, endpointSummaryView } from '../../shared/domain/webhook/fields.ts';
import type { Endpoint } from '../../shared/domain/webhook/record.ts';
import type { ApiServices, Call, OperationsOf } from '../../shared/http/exchange.ts';
import { assertAllowed, webhookTestRule } from '../../shared/http/rate-limits.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { pageBody, pageRequest } from '../../shared/operations/pages.ts';
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
import type { Page } from '../../shared/table/page.ts';
import type { listQuery, routes } from './routes.ts';

type WebhookServices = ApiServices & Pick<Services, 'store' | 'sender' | 'policy'>;

/** GET /webhooks. Newest first. */
const listWebhooks = ({ store }: WebhookServices): Operation<Call<InferOutput<typeof listQuery>>, Page<Endpoint>> => ({
  read: async (call) => store.endpoints.list(call.account, pageRequest(call)),
  decide: (call, page) => ({ result: pageBody(call, page, endpointSummaryView) }),
});

const countTest =
  ({ store }: ApiServices) =>
  async (account: string): Promise<void> =>
    assertAllowed(await store.buckets.take(webhookTestRule.name, account, webhookTestRule.limit), webhookTestRule);

export const webhooks = (services: WebhookServices): OperationsOf<typeof routes> => ({
  createWebhook: createEndpoint(services),
  listWebhooks: listWebhooks(services),
  retrieveWebhook: retrieveEndpoint(services),
  updateWebhook: updateEndpoint(services),
  deleteWebhook: deleteEndpoint(services),
  rotateWebhookSecret: rotateSecret(services),
  testWebhook: testEndpoint({ ...services, countTest: countTest(services) }),
  listWebhookEvents: listDeliveries(services, deliveryView),
});
