import { ApiError } from '../../shared/core/errors.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { testEventType } from '../../shared/domain/event-types.ts';
import { previousSecret } from '../../shared/domain/webhook.ts';
import type * as events from '../../shared/domain/wire/shop-events.ts';
import type * as wire from '../../shared/domain/wire/webhook.ts';
import { encodeEvent } from '../../shared/events/envelope.ts';
import { assertAllowed, webhookTestRule } from '../../shared/http/rate-limits.ts';
import { deliveryHeaders } from '../../shared/webhooks/signing.ts';
import { onEndpoint, type WebhookServices } from './services.ts';

/** Below the gateway's 30 s, so that the caller gets an answer (decisions §6). */
const timeoutMs = 25_000;
const message = 'This is a test event from Bakery Commerce.';

/** Sends one `webhook.test` now: no retry, no record, no statistics (§ Webhooks, Test rules). */
export const testWebhook = (services: WebhookServices) =>
  onEndpoint(services, async ({ account }, endpoint) => {
    if (!endpoint.enabled) throw new ApiError('conflict', 'The endpoint is disabled; enable it to send a test.');
    const { store, clock, newId, sender } = services;
    assertAllowed(await store.buckets.take(webhookTestRule.name, account, webhookTestRule.limit), webhookTestRule);
    const nowMs = clock.now();
    const eventId = newId('evt', nowMs);
    const object: events.WebhookTestMessage = { message, timestamp: isoFromMs(nowMs) };
    const body = encodeEvent({ id: eventId, type: testEventType, createdSeconds: Math.floor(nowMs / 1000), account, object });
    const headers = deliveryHeaders({ eventId, secret: endpoint.secret, previousSecret: previousSecret(endpoint, nowMs), nowMs, body });
    const { success, statusCode, responseTimeMs, error } = await sender.send({ url: endpoint.url, headers, body, once: true, timeoutMs });
    const answer: wire.WebhookTestResult = { success, status_code: statusCode, response_time_ms: responseTimeMs, error };
    return { body: answer };
  });
