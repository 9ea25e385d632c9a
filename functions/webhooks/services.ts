import { notFound } from '../../shared/core/errors.ts';
import type { Endpoint } from '../../shared/domain/webhook/record.ts';
import type { ApiServices, Operation } from '../../shared/http/operation.ts';
import type { Sender } from '../../shared/webhooks/attempt.ts';
import type { DeliveryPolicy } from '../../shared/webhooks/policy.ts';

export interface WebhookServices extends ApiServices {
  readonly sender: Sender;
  readonly policy: DeliveryPolicy;
}

/** An operation on one endpoint: read beside the gates, 404 where it is absent or another account's. */
export const onEndpoint = <Query, Body>(
  { store }: ApiServices,
  decide: (call: Parameters<Operation<Query, Body>['decide']>[0], endpoint: Endpoint) => ReturnType<Operation['decide']>,
): Operation<Query, Body, Endpoint | undefined> => ({
  read: ({ account, id }) => store.endpoints.get(account, id),
  decide(call, endpoint) {
    if (!endpoint) throw notFound('Webhook endpoint');
    return decide(call, endpoint);
  },
});
