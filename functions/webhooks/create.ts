import type { InferOutput } from 'valibot';
import { newEndpoint } from '../../shared/domain/webhook/rules.ts';
import { endpointView } from '../../shared/domain/webhook/view.ts';
import type * as wire from '../../shared/domain/webhook/wire.ts';
import type { Operation } from '../../shared/http/operation.ts';
import { newSecret } from '../../shared/webhooks/signing.ts';
import { assertUrl } from '../../shared/webhooks/url-rules.ts';
import type { createBody } from './schema.ts';
import type { WebhookServices } from './services.ts';

/** Registers an endpoint; the response is one of the two that show a secret. */
export const createWebhook = ({ store, random, newId, policy }: WebhookServices): Operation<unknown, InferOutput<typeof createBody>> => ({
  decide({ body, nowMs }, _data, account) {
    assertUrl(body.url, policy);
    const ids = { id: newId('whe', nowMs), account, secret: newSecret(random) };
    const endpoint = newEndpoint(ids, body, nowMs);
    const answer: wire.WebhookEndpointWithSecret = { ...endpointView(endpoint), secret: endpoint.secret };
    return { body: answer, writes: store.endpoints.createWrites(endpoint) };
  },
});
