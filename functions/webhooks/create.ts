import { randomBytes } from 'node:crypto';
import type { InferOutput } from 'valibot';
import { isoFromMs } from '../../shared/core/time.ts';
import type { Endpoint } from '../../shared/domain/webhook.ts';
import { endpointView } from '../../shared/domain/webhook-view.ts';
import type * as wire from '../../shared/domain/wire/webhook.ts';
import type { Operation } from '../../shared/http/operation.ts';
import { newSecret } from '../../shared/webhooks/signing.ts';
import type { createBody } from './schema.ts';
import { assertUrl, type WebhookServices } from './services.ts';

/** Registers an endpoint; the response is one of the two that show a secret. */
export const createWebhook = ({ store, newId, policy }: WebhookServices): Operation<unknown, InferOutput<typeof createBody>> => ({
  decide({ account, body, nowMs }) {
    assertUrl(body.url, policy);
    const now = isoFromMs(nowMs);
    const endpoint: Endpoint = {
      id: newId('whe', nowMs),
      account,
      url: body.url,
      description: body.description,
      events: body.events,
      enabled: true,
      disabled_reason: null,
      secret: newSecret(randomBytes),
      previous_secret: null,
      previous_secret_until_ms: null,
      success_count: 0,
      failure_count: 0,
      consecutive_failures: 0,
      last_delivery_at: null,
      last_success_at: null,
      last_failure_at: null,
      enabled_ms: nowMs,
      disabled_ms: null,
      slots: [],
      created_at: now,
      updated_at: now,
    };
    const answer: wire.WebhookEndpointWithSecret = { ...endpointView(endpoint), secret: endpoint.secret };
    return { body: answer, writes: store.endpoints.createWrites(endpoint) };
  },
});
