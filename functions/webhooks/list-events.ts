import type { InferOutput } from 'valibot';
import { notFound } from '../../shared/core/errors.ts';
import type { DeliveryRecord, Endpoint } from '../../shared/domain/webhook/record.ts';
import { deliveryView } from '../../shared/domain/webhook/view.ts';
import type { ApiServices, Operation } from '../../shared/http/operation.ts';
import { pageBody, pageRequest } from '../../shared/http/pages.ts';
import type { Page } from '../../shared/table/page.ts';
import type { eventsQuery } from './schema.ts';

interface EndpointWithPage {
  readonly endpoint: Endpoint | undefined;
  readonly page: PromiseSettledResult<Page<DeliveryRecord>>;
}

/** The delivery log of one endpoint, newest first; an absent endpoint is 404 before anything about the page. */
export const listWebhookEvents = ({ store }: ApiServices): Operation<InferOutput<typeof eventsQuery>, unknown, EndpointWithPage> => ({
  async read(call) {
    const { account, id, query } = call;
    const [endpoint, [page]] = await Promise.all([
      store.endpoints.get(account, id),
      Promise.allSettled([(async () => store.deliveries.list(account, id, query.status, pageRequest(call)))()]),
    ]);
    return { endpoint, page };
  },
  decide(call, { endpoint, page }) {
    if (!endpoint) throw notFound('Webhook endpoint');
    if (page.status === 'rejected') throw page.reason;
    return { body: pageBody(call, page.value, deliveryView) };
  },
});
